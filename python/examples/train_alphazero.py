"""AlphaZero with PyTorch, for any game of two players.

A small residual net plays against itself with search, in many games at once, and learns from them. After some iterations it is
tried against players that know nothing: one that moves by chance, and the same search without a net. For king and queen against
king (`kqk5`), where the truth is known, it is also measured by that.

    python train_alphazero.py                                  # king and queen against king: minutes on two cores
    python train_alphazero.py --game gardner --iterations 200  # chess on 5 by 5 squares
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

# Threads of the net that wait should not take the cores that the search needs.
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
    raise SystemExit("train_alphazero.py needs PyTorch (pip install torch); train_numpy.py does without") from None

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int64]
Agent = Callable[[tabiya.BatchEnv], Whole]


def as_tensor(planes: Floats) -> Tensor:
    """Planes as PyTorch likes them, without a copy.

    Planes come as (game, row, column, plane). PyTorch counts (game, plane, row, column), but its fastest convolutions want the
    planes of a cell side by side in memory, which it calls `channels_last`: that is what is there already.
    """
    tensor: Tensor = torch.from_numpy(planes).permute(0, 3, 1, 2)
    assert tensor.is_contiguous(memory_format=torch.channels_last) and tensor.data_ptr() == planes.ctypes.data
    return tensor


class Block(nn.Module):  # type: ignore[misc, unused-ignore]
    """Two convolutions around which what came in is led."""

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
    """Planes in, a logit for each action and a value for whoever moves out."""

    def __init__(self, shape: tuple[int, int, int], actions: int, channels: int, blocks: int) -> None:
        super().__init__()
        rows, columns, planes = shape
        self.stem = nn.Conv2d(planes, channels, 3, padding=1, bias=False)
        self.stem_norm = nn.BatchNorm2d(channels)
        self.body = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        # Actions are numbered cell by cell: so many for each, as many as the planes that the head puts out.
        self.policy = nn.Conv2d(channels, actions // (rows * columns), 1)
        self.value_cells = nn.Conv2d(channels, 4, 1)
        self.value_hidden = nn.Linear(4 * rows * columns, 64)
        self.value = nn.Linear(64, 1)
        # A net that knows nothing should prefer nothing.
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


class Judge:
    """The net as the search asks it."""

    def __init__(self, net: Net, device: torch.device) -> None:
        self.net, self.device = net, device

    def __call__(self, planes: Floats) -> tuple[Any, Any]:
        self.net.eval()
        with torch.inference_mode(), torch.autocast(self.device.type, enabled=self.device.type == "cuda"):
            logits, values = self.net(as_tensor(planes).to(self.device))
        return logits.float().cpu().numpy(), values.float().cpu().numpy()


class Buffer:
    """The last positions of finished games. What is legal and preferred is kept as short lists: most actions never are."""

    def __init__(self, size: int, shape: tuple[int, int, int]) -> None:
        self.planes = np.zeros((size, *shape), np.float32)
        self.values = np.zeros(size, np.float32)
        self.policies: list[tuple[Whole, Floats]] = []
        self.next = 0

    def __len__(self) -> int:
        return len(self.policies)

    def add(self, planes: Floats, actions: Whole, shares: Floats, value: float) -> None:
        at = self.next
        self.planes[at], self.values[at] = planes, value
        self.policies[at : at + 1] = [(actions, shares)]
        self.next = (at + 1) % len(self.values)

    def draw(self, count: int, actions: int, dice: np.random.Generator) -> tuple[Floats, Floats, Floats, Floats]:
        """Planes, a mask that rules out what is illegal, what the search preferred, and values."""
        some = dice.integers(len(self), size=count)
        policy = np.zeros((count, actions), np.float32)
        mask = np.full((count, actions), -np.inf, np.float32)
        for row, at in enumerate(some):
            legal, shares = self.policies[at]
            policy[row, legal] = shares
            mask[row, legal] = 0
        return self.planes[some], mask, policy, self.values[some]


def plan(given: argparse.Namespace, seed: int, *, learns: bool) -> dict[str, Any]:
    """How to search: with chance to learn, without to play as well as it can."""
    told: dict[str, Any] = {"simulations": given.simulations, "method": given.method, "seed": seed}
    if given.method == "gumbel":
        return {**told, "considered": given.considered, "gumbel_scale": 1.0 if learns else 0.0}
    return {**told, "dirichlet": (0.3, 0.25) if learns else None}


class SelfPlay:
    """Many games of the net against itself, on and on."""

    def __init__(self, game: tabiya.Game, starts: list[str] | None, given: argparse.Namespace, seed: int) -> None:
        self.given, self.seed = given, seed
        self.env = tabiya.BatchEnv(
            game, given.games, seed=seed, states=starts, max_plies=given.max_plies, threads=given.threads
        )
        # For each game its moves so far: who moved, what he saw, what was legal, and what search preferred of it.
        self.courses: list[list[tuple[int, Floats, Whole, Floats]]] = [[] for _ in range(given.games)]
        self.dice = np.random.default_rng(seed)
        self.finished = self.searches = 0

    def play(self, judge: Judge, buffer: Buffer) -> None:
        """Some moves in every game; those that end go into the buffer."""
        for _ in range(self.given.plies):
            planes, legal, movers = self.env.observe(), self.env.legal_mask(), self.env.to_move
            self.searches += 1
            found = tabiya.search(self.env, judge, **plan(self.given, self.seed + self.searches, learns=True))
            actions = found.actions
            if self.given.method == "puct":
                # PUCT alone always plays what it likes best; the first moves are drawn by how much it likes each.
                early = self.env.plies < self.given.by_chance
                for at in np.flatnonzero(early):
                    likes = found.policy[at].astype(np.float64)
                    actions[at] = self.dice.choice(len(likes), p=likes / likes.sum())
            rewards, terminated, truncated = self.env.step(actions)
            for game, course in enumerate(self.courses):
                might = np.flatnonzero(legal[game])
                course.append((int(movers[game]), planes[game], might, found.policy[game][might]))
                if terminated[game] or truncated[game]:
                    for passed, (mover, saw, moves, shares) in enumerate(reversed(course)):
                        buffer.add(saw, moves, shares, float(rewards[game, mover]) * self.given.discount**passed)
                    course.clear()
                    self.finished += 1


def learn(net: Net, optimizer: torch.optim.Optimizer, batch: tuple[Floats, ...], device: torch.device) -> float:
    """One step of training; the loss before it."""
    planes, mask, policy, values = batch
    net.train()
    with torch.autocast(device.type, enabled=device.type == "cuda"):
        logits, guess = net(as_tensor(planes).to(device))
    logs = functional.log_softmax(logits.float() + torch.from_numpy(mask).to(device), 1)
    # What is ruled out has no share, and zero times minus infinity is no number.
    cross = -(torch.from_numpy(policy).to(device) * logs.clamp(min=-1e4)).sum(1).mean()
    loss: Tensor = cross + functional.mse_loss(guess.float(), torch.from_numpy(values).to(device))
    optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
    optimizer.step()
    return float(loss.item())


def score(game: tabiya.Game, starts: list[str] | None, given: argparse.Namespace, net: Agent, other: Agent) -> float:
    """What share of the points the net takes from another player, in each seat in half of the games, from the same starts."""
    points, half = 0.0, max(int(given.test_games) // 2, 1)
    for seat in (0, 1):
        env = tabiya.BatchEnv(
            game, half, seed=7, states=starts, max_plies=given.max_plies, threads=given.threads, autoreset=False
        )
        while not env.over.all():
            mine, open_games = env.to_move == seat, ~env.over
            actions = np.full(half, -1)
            # Mostly it is the same player's turn in all games: then the other is not asked.
            for agent, turns in ((net, mine & open_games), (other, ~mine & open_games)):
                if turns.any():
                    actions[turns] = agent(env)[turns]
            rewards, terminated, truncated = env.step(actions)
            ended = open_games & (terminated | truncated)
            points += float((rewards[ended, seat] / 2 + 0.5).sum())
    return points / (2 * half)


def plot(curve: list[dict[str, float]], path: Path, title: str) -> None:
    """Draws everything that was measured, if matplotlib is there."""
    try:
        import matplotlib  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        print(f"no {path.name}: matplotlib is missing (pip install matplotlib); the numbers are in curve.json")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (shares, losses) = pyplot.subplots(2, figsize=(8, 6), sharex=True, constrained_layout=True)
    for name, label in (
        ("random", "points against chance"),
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
    except (OSError, ValueError) as why:
        raise SystemExit(f"--game {name}: {why}") from None


def save(path: Path, told: dict[str, Any]) -> None:
    """As a whole or not at all: whoever stops a run keeps what was there before."""
    torch.save(told, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").replace(path)


def train(given: argparse.Namespace) -> list[dict[str, float]]:
    """The whole run: returns the curve, a point for each iteration."""
    game = load_game(given.game)
    if len(game.players) != 2:
        raise SystemExit(f"{game.name} has {len(game.players)} players, and this example is for two")
    device = torch.device(given.device)
    if given.threads:
        torch.set_num_threads(given.threads)
    given.out.mkdir(parents=True, exist_ok=True)
    checkpoint = given.out / "checkpoint.pt"

    torch.manual_seed(given.seed)
    shape, actions = game.observation_shape, game.num_actions
    net = Net(shape, actions, given.channels, given.blocks).to(device, memory_format=torch.channels_last)  # type: ignore[call-overload, unused-ignore]
    optimizer = torch.optim.AdamW(net.parameters(), lr=given.rate, weight_decay=given.decay)
    curve: list[dict[str, float]] = []
    if given.resume:
        if not checkpoint.exists():
            raise SystemExit(f"there is no {checkpoint} to go on from")
        stored = torch.load(checkpoint, map_location=device)
        wanted = {"game": given.game, "channels": given.channels, "blocks": given.blocks}
        if stored["settings"] != wanted:
            raise SystemExit(f"{checkpoint} was made with {stored['settings']}, not {wanted}")
        net.load_state_dict(stored["net"])
        optimizer.load_state_dict(stored["optimizer"])
        curve = stored["curve"]
    done, before = len(curve), curve[-1]["minutes"] if curve else 0.0
    if done >= given.iterations:
        raise SystemExit(f"{done} iterations are done already; ask for more with --iterations")

    endgame = Endgame.solve() if given.game == "kqk5" else None
    starts = endgame.states if endgame else None
    judge, dice = Judge(net, device), np.random.default_rng(given.seed + done)
    # What was played before is not kept: games begin anew, and the buffer with them.
    games, buffer = SelfPlay(game, starts, given, given.seed + 1_000_000 * done), Buffer(given.buffer, shape)

    def uniform(planes: Floats) -> tuple[Any, Any]:
        return np.zeros((len(planes), actions), np.float32), np.zeros(len(planes), np.float32)

    def by_search(evaluator: Callable[[Floats], tuple[Any, Any]]) -> Agent:
        return lambda env: tabiya.search(env, evaluator, **plan(given, 1, learns=False)).actions

    weights = sum(it.numel() for it in net.parameters())
    print(f"{game.name}: planes {shape}, {actions} actions; {weights} weights on {device}", flush=True)
    started = time.perf_counter()
    for iteration in range(done + 1, given.iterations + 1):
        games.play(judge, buffer)
        rate = given.rate * (1 - 0.9 * (iteration - 1) / given.iterations)
        for group in optimizer.param_groups:
            group["lr"] = rate
        losses = []
        if len(buffer) >= given.batch:
            for _ in range(given.steps):
                losses.append(learn(net, optimizer, buffer.draw(given.batch, actions, dice), device))
        point: dict[str, float] = {"iteration": iteration, "games": games.finished}
        if losses:
            point["loss"] = float(np.mean(losses))
        if endgame:
            point["shortening"] = endgame.shortening(judge)
        is_last = iteration == given.iterations
        if is_last or iteration % given.test_every == 0:
            mine = by_search(judge)
            point["random"] = score(game, starts, given, mine, lambda env: env.sample())
            point["search"] = score(game, starts, given, mine, by_search(uniform))
            if endgame:
                places = np.random.default_rng(7).permutation(endgame.won)[: None if is_last else 200]
                point["mates"] = endgame.mates(judge, places=places)
        elapsed = time.perf_counter() - started
        point["minutes"] = before + elapsed / 60
        curve.append(point)

        left = elapsed / (iteration - done) * (given.iterations - iteration)
        told = [f"{iteration:4}/{given.iterations}", f"{elapsed:6.0f} s", f"{games.finished:6} games"]
        told += [f"loss {point['loss']:.3f}"] if losses else []
        named = {"shortening": "shortens", "mates": "mates", "random": "against chance", "search": "against search"}
        told += [f"{label} {point[name]:.1%}" for name, label in named.items() if name in point]
        print("  ".join(told) + (f"  {left:.0f} s left" if left else ""), flush=True)

        settings = {"game": given.game, "channels": given.channels, "blocks": given.blocks}
        stored = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "curve": curve, "settings": settings}
        save(checkpoint, stored)
        (given.out / "curve.json").write_text(json.dumps(curve) + "\n")
    plot(curve, given.out / "curve.png", game.name)
    print(f"the net is in {checkpoint}, the curve in {given.out / 'curve.json'}")
    return curve


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--game", default="kqk5", help="kqk5, a name of the library (`tabiya games`), or a path to a game's JSON (kqk5)")
    add("--out", type=Path, default=Path("alphazero"), help="folder for checkpoint.pt, curve.json and curve.png (alphazero)")
    add("--resume", action="store_true", help="go on from the checkpoint in --out, up to --iterations in all")
    add("--iterations", type=int, default=15, help="how often games are played and learned from (15)")
    add("--device", default="cpu", help="cpu or cuda (cpu); on cuda the net counts in mixed precision")
    add("--threads", type=int, help="cores for games, search and net (all)")
    add("--seed", type=int, default=1, help="of games, search and net (1)")
    play = parser.add_argument_group("self-play")
    play.add_argument("--games", type=int, default=256, help="games side by side; a GPU wants more (256)")
    play.add_argument("--plies", type=int, default=12, help="moves in each of them in an iteration (12)")
    play.add_argument("--simulations", type=int, default=32, help="lines that are tried for each move (32)")
    play.add_argument("--method", choices=["gumbel", "puct"], default="gumbel", help="how search chooses (gumbel)")
    play.add_argument("--considered", type=int, default=8, help="moves that gumbel looks at in the root (8)")
    play.add_argument("--by-chance", type=int, default=8, help="first moves of a game that puct draws by chance (8)")
    play.add_argument("--max-plies", type=int, default=200, help="games are cut off after so many moves, as drawn (200)")
    play.add_argument("--discount", type=float, help="what a win is worth less for each move it takes (kqk5 0.9, others 1)")
    net = parser.add_argument_group("net and training")
    net.add_argument("--channels", type=int, default=32, help="how wide the net is (32)")
    net.add_argument("--blocks", type=int, default=2, help="how deep it is, in blocks of two convolutions (2)")
    net.add_argument("--buffer", type=int, default=30_000, help="positions that are kept to learn from (30000)")
    net.add_argument("--batch", type=int, default=256, help="positions in a step (256)")
    net.add_argument("--steps", type=int, default=60, help="steps in an iteration (60)")
    net.add_argument("--rate", type=float, default=3e-3, help="learning rate at the beginning; a tenth at the end (0.003)")
    net.add_argument("--decay", type=float, default=1e-4, help="weight decay (0.0001)")
    test = parser.add_argument_group("tests")
    test.add_argument("--test-every", type=int, default=5, help="iterations from one test to the next (5)")
    test.add_argument("--test-games", type=int, default=100, help="games against each opponent (100)")
    given = parser.parse_args(arguments)
    if given.discount is None:
        # Without it all moves that keep a win are the same to the net, and in an ending that is won it never hurries.
        given.discount = 0.9 if given.game == "kqk5" else 1.0
    if given.device.startswith("cuda") and not torch.cuda.is_available():
        parser.error("--device cuda: this PyTorch sees no such device")
    return given


def main() -> None:
    try:
        train(parse())
    except KeyboardInterrupt:
        sys.exit("stopped; the last iteration is in the checkpoint, and --resume goes on from it")


if __name__ == "__main__":
    main()
