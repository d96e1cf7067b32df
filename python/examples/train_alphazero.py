"""AlphaZero with PyTorch, for any two-player game.

A small residual net plays many games against itself with tree search and learns from them. Every few iterations it is tested
against a random player and against the same search without a net. For king and queen against king (`kqk5`), which is solved,
it is also compared with the solution.

    python train_alphazero.py                                  # king and queen against king: minutes on two cores
    python train_alphazero.py --game gardner --iterations 200  # chess on 5×5 squares
    python train_alphazero.py --game chess --device cuda --channels 128 --blocks 10 --games 1024
    python train_alphazero.py --game my_game.json --out runs/mine
    python train_alphazero.py --game my_game.json --out runs/mine --resume
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Idle threads of the net should not occupy the cores that the search needs.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np
import numpy.typing as npt
import tabiya

from kqk5 import SPEC, Endgame

try:
    import torch  # type: ignore[import-not-found, unused-ignore]
    from torch import Tensor, nn
    from torch.nn import functional  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    raise SystemExit("train_alphazero.py requires PyTorch (pip install torch); train_numpy.py does not") from None

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Agent = Callable[[tabiya.BatchEnv], Integers]


def as_tensor(planes: Floats) -> Tensor:
    """Converts planes to a PyTorch tensor without a copy.

    Planes have shape (game, row, column, plane), and PyTorch expects (game, plane, row, column). Its fastest convolutions use
    the memory layout `channels_last`, which the planes already have.
    """
    tensor: Tensor = torch.from_numpy(planes).permute(0, 3, 1, 2)
    assert tensor.is_contiguous(memory_format=torch.channels_last) and tensor.data_ptr() == planes.ctypes.data
    return tensor


class Block(nn.Module):  # type: ignore[misc, unused-ignore]
    """A residual block of two convolutions."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        inner = functional.relu(self.first_norm(self.first(x)))
        return functional.relu(x + self.second_norm(self.second(inner)))


class Net(nn.Module):  # type: ignore[misc, unused-ignore]
    """Maps planes to a logit for each action and a value for the player to move."""

    def __init__(self, shape: tuple[int, int, int], actions: int, channels: int, blocks: int) -> None:
        super().__init__()
        rows, columns, planes = shape
        self.stem = nn.Conv2d(planes, channels, 3, padding=1, bias=False)
        self.stem_norm = nn.BatchNorm2d(channels)
        self.body = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        # Actions are numbered cell by cell, so the head has one output plane for each move type.
        self.policy = nn.Conv2d(channels, actions // (rows * columns), 1)
        self.value_cells = nn.Conv2d(channels, 4, 1)
        self.value_hidden = nn.Linear(4 * rows * columns, 64)
        self.value = nn.Linear(64, 1)
        # An untrained net should have no preferences.
        for head in (self.policy, self.value):
            nn.init.normal_(head.weight, std=0.01)
            if head.bias is not None:
                nn.init.zeros_(head.bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = self.body(functional.relu(self.stem_norm(self.stem(x))))
        logits = self.policy(x).permute(0, 2, 3, 1).flatten(1)
        cells = functional.relu(self.value_cells(x)).flatten(1)
        value = torch.tanh(self.value(functional.relu(self.value_hidden(cells))))
        return logits, value[:, 0]


class Evaluator:
    """The net as an evaluator for `tabiya.search`."""

    def __init__(self, net: Net, device: torch.device) -> None:
        self.net, self.device = net, device

    def __call__(self, planes: Floats) -> tuple[Any, Any]:
        self.net.eval()
        with torch.inference_mode(), torch.autocast(self.device.type, enabled=self.device.type == "cuda"):
            logits, values = self.net(as_tensor(planes).to(self.device))
        return logits.float().cpu().numpy(), values.float().cpu().numpy()


class ReplayBuffer:
    """The latest positions of finished games. Policies are stored for legal actions only."""

    def __init__(self, size: int, shape: tuple[int, int, int]) -> None:
        self.planes = np.zeros((size, *shape), np.float32)
        self.values = np.zeros(size, np.float32)
        self.policies: list[tuple[Integers, Floats]] = []
        self.next = 0

    def __len__(self) -> int:
        return len(self.policies)

    def add(self, planes: Floats, actions: Integers, policy: Floats, value: float) -> None:
        at = self.next
        self.planes[at], self.values[at] = planes, value
        self.policies[at : at + 1] = [(actions, policy)]
        self.next = (at + 1) % len(self.values)

    def sample(self, count: int, actions: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats, Floats]:
        """Returns planes, a mask of -inf for illegal actions, search policies and values."""
        some = rng.integers(len(self), size=count)
        policy = np.zeros((count, actions), np.float32)
        mask = np.full((count, actions), -np.inf, np.float32)
        for row, at in enumerate(some):
            legal, probabilities = self.policies[at]
            policy[row, legal] = probabilities
            mask[row, legal] = 0
        return self.planes[some], mask, policy, self.values[some]


def search_settings(args: argparse.Namespace, seed: int, *, training: bool) -> dict[str, Any]:
    """Returns the search settings: with noise for training, without noise for testing."""
    settings: dict[str, Any] = {"simulations": args.simulations, "method": args.method, "seed": seed}
    if args.method == "gumbel":
        return {**settings, "considered": args.considered, "gumbel_scale": 1.0 if training else 0.0}
    return {**settings, "dirichlet": (0.3, 0.25) if training else None}


class SelfPlay:
    """Endless games of the net against itself."""

    def __init__(self, game: tabiya.Game, starts: list[str] | None, args: argparse.Namespace, seed: int) -> None:
        self.args, self.seed = args, seed
        self.env = tabiya.BatchEnv(
            game, args.games, seed=seed, states=starts, max_plies=args.max_plies, threads=args.threads
        )
        # By game: player, planes, legal actions and search policy of each move so far.
        self.histories: list[list[tuple[int, Floats, Integers, Floats]]] = [[] for _ in range(args.games)]
        self.rng = np.random.default_rng(seed)
        self.finished = self.searches = 0

    def play(self, evaluator: Evaluator, buffer: ReplayBuffer) -> None:
        """Plays some moves in every game. Finished games go into the buffer."""
        for _ in range(self.args.plies):
            planes, legal, movers = self.env.observe(), self.env.legal_mask(), self.env.to_move
            self.searches += 1
            found = tabiya.search(
                self.env, evaluator, **search_settings(self.args, self.seed + self.searches, training=True)
            )
            actions = found.actions
            if self.args.method == "puct":
                # PUCT always plays its best move, so the first moves are sampled from the policy.
                early = self.env.plies < self.args.by_chance
                for at in np.flatnonzero(early):
                    policy = found.policy[at].astype(np.float64)
                    actions[at] = self.rng.choice(len(policy), p=policy / policy.sum())
            rewards, terminated, truncated = self.env.step(actions)
            for game, history in enumerate(self.histories):
                moves = np.flatnonzero(legal[game])
                history.append((int(movers[game]), planes[game], moves, found.policy[game][moves]))
                if terminated[game] or truncated[game]:
                    for distance, (mover, seen, moves, policy) in enumerate(reversed(history)):
                        buffer.add(seen, moves, policy, float(rewards[game, mover]) * self.args.discount**distance)
                    history.clear()
                    self.finished += 1


def train_step(net: Net, optimizer: torch.optim.Optimizer, batch: tuple[Floats, ...], device: torch.device) -> float:
    """Performs one training step and returns the loss before it."""
    planes, mask, policy, values = batch
    net.train()
    with torch.autocast(device.type, enabled=device.type == "cuda"):
        logits, guess = net(as_tensor(planes).to(device))
    logs = functional.log_softmax(logits.float() + torch.from_numpy(mask).to(device), 1)
    # Clamp, because 0 * -inf is NaN.
    cross = -(torch.from_numpy(policy).to(device) * logs.clamp(min=-1e4)).sum(1).mean()
    loss: Tensor = cross + functional.mse_loss(guess.float(), torch.from_numpy(values).to(device))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
    optimizer.step()
    return float(loss.item())


def score(game: tabiya.Game, starts: list[str] | None, args: argparse.Namespace, net: Agent, other: Agent) -> float:
    """Returns the share of points that the net scores against another player, with both seats equally often."""
    points, half = 0.0, max(int(args.test_games) // 2, 1)
    for seat in (0, 1):
        env = tabiya.BatchEnv(
            game, half, seed=7, states=starts, max_plies=args.max_plies, threads=args.threads, autoreset=False
        )
        while not env.over.all():
            mine, open_games = env.to_move == seat, ~env.over
            actions = np.full(half, -1)
            # Usually the same player moves in all games, and the other one is not needed.
            for agent, turns in ((net, mine & open_games), (other, ~mine & open_games)):
                if turns.any():
                    actions[turns] = agent(env)[turns]
            rewards, terminated, truncated = env.step(actions)
            ended = open_games & (terminated | truncated)
            points += float((rewards[ended, seat] / 2 + 0.5).sum())
    return points / (2 * half)


def plot(curve: list[dict[str, float]], path: Path, title: str) -> None:
    """Plots the curve if matplotlib is installed."""
    try:
        import matplotlib  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        print(f"{path.name} was not written: matplotlib is missing (pip install matplotlib); see curve.json")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (shares, losses) = pyplot.subplots(2, figsize=(8, 6), sharex=True, constrained_layout=True)
    for name, label in (
        ("random", "points against the random player"),
        ("search", "points against search without a net"),
        ("mates", "net and 64 simulations mate against the best defence"),
        ("shortening", "the net alone shortens the mate"),
    ):
        points = [it for it in curve if name in it]
        if points:
            shares.plot([it["minutes"] for it in points], [100 * it[name] for it in points], marker=".", label=label)
    shares.set(title=title, ylabel="%", ylim=(0, 101))
    learned = [it for it in curve if "loss" in it]
    losses.plot([it["minutes"] for it in learned], [it["loss"] for it in learned], marker=".")
    losses.set(xlabel="minutes", ylabel="loss")
    for axes in (shares, losses):
        axes.grid(alpha=0.3)
    shares.legend(loc="lower right")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def load_game(name: str) -> tabiya.Game:
    path = SPEC if name == "kqk5" else Path(name)
    try:
        return tabiya.Game.from_spec(path) if path.suffix == ".json" else tabiya.Game(name)
    except (OSError, ValueError) as error:
        raise SystemExit(f"--game {name}: {error}") from None


def save(path: Path, checkpoint: dict[str, Any]) -> None:
    """Writes the checkpoint atomically."""
    torch.save(checkpoint, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").replace(path)


def train(args: argparse.Namespace) -> list[dict[str, float]]:
    """Trains and returns the curve, one point for each iteration."""
    game = load_game(args.game)
    if len(game.players) != 2:
        raise SystemExit(f"{game.name} has {len(game.players)} players; this example needs two")
    device = torch.device(args.device)
    if args.threads:
        torch.set_num_threads(args.threads)
    args.out.mkdir(parents=True, exist_ok=True)
    checkpoint = args.out / "checkpoint.pt"

    torch.manual_seed(args.seed)
    shape, actions = game.observation_shape, game.num_actions
    net = Net(shape, actions, args.channels, args.blocks).to(device, memory_format=torch.channels_last)  # type: ignore[call-overload, unused-ignore]
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=args.decay)
    curve: list[dict[str, float]] = []
    if args.resume:
        if not checkpoint.exists():
            raise SystemExit(f"cannot resume: {checkpoint} does not exist")
        stored = torch.load(checkpoint, map_location=device)
        expected = {"game": args.game, "channels": args.channels, "blocks": args.blocks}
        if stored["settings"] != expected:
            raise SystemExit(f"{checkpoint} was saved with {stored['settings']}, expected {expected}")
        net.load_state_dict(stored["net"])
        optimizer.load_state_dict(stored["optimizer"])
        curve = stored["curve"]
    done, before = len(curve), curve[-1]["minutes"] if curve else 0.0
    if done >= args.iterations:
        raise SystemExit(f"all {done} iterations are done; raise --iterations to continue")

    endgame = Endgame.solve() if args.game == "kqk5" else None
    starts = endgame.states if endgame else None
    evaluator, rng = Evaluator(net, device), np.random.default_rng(args.seed + done)
    # A resumed run starts with new games and an empty buffer.
    games, buffer = SelfPlay(game, starts, args, args.seed + 1_000_000 * done), ReplayBuffer(args.buffer, shape)

    def uniform(planes: Floats) -> tuple[Any, Any]:
        return np.zeros((len(planes), actions), np.float32), np.zeros(len(planes), np.float32)

    def by_search(evaluator: Callable[[Floats], tuple[Any, Any]]) -> Agent:
        return lambda env: tabiya.search(env, evaluator, **search_settings(args, 1, training=False)).actions

    weights = sum(it.numel() for it in net.parameters())
    print(f"{game.name}: planes {shape}, {actions} actions; {weights} weights on {device}", flush=True)
    started = time.perf_counter()
    for iteration in range(done + 1, args.iterations + 1):
        games.play(evaluator, buffer)
        rate = args.rate * (1 - 0.9 * (iteration - 1) / args.iterations)
        for group in optimizer.param_groups:
            group["lr"] = rate
        losses = []
        if len(buffer) >= args.batch:
            for _ in range(args.steps):
                losses.append(train_step(net, optimizer, buffer.sample(args.batch, actions, rng), device))
        point: dict[str, float] = {"iteration": iteration, "games": games.finished}
        if losses:
            point["loss"] = float(np.mean(losses))
        if endgame:
            point["shortening"] = endgame.shortening(evaluator)
        is_last = iteration == args.iterations
        if is_last or iteration % args.test_every == 0:
            mine = by_search(evaluator)
            point["random"] = score(game, starts, args, mine, lambda env: env.sample())
            point["search"] = score(game, starts, args, mine, by_search(uniform))
            if endgame:
                places = np.random.default_rng(7).permutation(endgame.won)[: None if is_last else 200]
                point["mates"] = endgame.mates(evaluator, places=places)
        elapsed = time.perf_counter() - started
        point["minutes"] = before + elapsed / 60
        curve.append(point)

        left = elapsed / (iteration - done) * (args.iterations - iteration)
        columns = [f"{iteration:4}/{args.iterations}", f"{elapsed:6.0f} s", f"{games.finished:6} games"]
        columns += [f"loss {point['loss']:.3f}"] if losses else []
        named = {"shortening": "shortens", "mates": "mates", "random": "against random", "search": "against search"}
        columns += [f"{label} {point[name]:.1%}" for name, label in named.items() if name in point]
        print("  ".join(columns) + (f"  {left:.0f} s left" if left else ""), flush=True)

        settings = {"game": args.game, "channels": args.channels, "blocks": args.blocks}
        stored = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "curve": curve, "settings": settings}
        save(checkpoint, stored)
        (args.out / "curve.json").write_text(json.dumps(curve) + "\n")
    plot(curve, args.out / "curve.png", game.name)
    print(f"wrote {checkpoint} and {args.out / 'curve.json'}")
    return curve


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--game", default="kqk5", help="kqk5, a library game (`tabiya games`), or the path of a game file (default: kqk5)")
    add("--out", type=Path, default=Path("alphazero"), help="output folder (default: alphazero)")
    add("--resume", action="store_true", help="continue from the checkpoint in --out, up to --iterations in total")
    add("--iterations", type=int, default=15, help="number of iterations (default: 15)")
    add("--device", default="cpu", help="cpu or cuda, which uses mixed precision (default: cpu)")
    add("--threads", type=int, help="number of threads (default: all cores)")
    add("--seed", type=int, default=1, help="random seed (default: 1)")
    play = parser.add_argument_group("self-play")
    play.add_argument("--games", type=int, default=256, help="parallel games; use more on a GPU (default: 256)")
    play.add_argument("--plies", type=int, default=12, help="moves per game and iteration (default: 12)")
    play.add_argument("--simulations", type=int, default=32, help="simulations per move (default: 32)")
    play.add_argument("--method", choices=["gumbel", "puct"], default="gumbel", help="search method (default: gumbel)")
    play.add_argument("--considered", type=int, default=8, help="root moves that gumbel considers (default: 8)")
    play.add_argument("--by-chance", type=int, default=8, help="opening moves that puct samples from the policy (default: 8)")
    play.add_argument("--max-plies", type=int, default=200, help="moves after which a game is a draw (default: 200)")
    play.add_argument("--discount", type=float, help="discount per move (default: 0.9 for kqk5, otherwise 1)")
    net = parser.add_argument_group("net and training")
    net.add_argument("--channels", type=int, default=32, help="width of the net (default: 32)")
    net.add_argument("--blocks", type=int, default=2, help="residual blocks (default: 2)")
    net.add_argument("--buffer", type=int, default=30_000, help="positions in the replay buffer (default: 30000)")
    net.add_argument("--batch", type=int, default=256, help="batch size (default: 256)")
    net.add_argument("--steps", type=int, default=60, help="training steps per iteration (default: 60)")
    net.add_argument("--rate", type=float, default=3e-3, help="initial learning rate; it decreases to a tenth (default: 0.003)")
    net.add_argument("--decay", type=float, default=1e-4, help="weight decay (default: 0.0001)")
    test = parser.add_argument_group("tests")
    test.add_argument("--test-every", type=int, default=5, help="iterations between tests (default: 5)")
    test.add_argument("--test-games", type=int, default=100, help="games against each opponent (default: 100)")
    args = parser.parse_args(arguments)
    if args.discount is None:
        # Without a discount, all winning moves have the same value, and the net never makes progress towards mate.
        args.discount = 0.9 if args.game == "kqk5" else 1.0
    if args.device.startswith("cuda") and not torch.cuda.is_available():
        parser.error("--device cuda: PyTorch finds no CUDA device")
    return args


def main() -> None:
    try:
        train(parse())
    except KeyboardInterrupt:
        sys.exit("stopped; --resume continues from the last checkpoint")


if __name__ == "__main__":
    main()
