"""AlphaZero in plain numpy: self-play with tree search, training, repeat.

The game is king and queen against king on 5×5 squares (`kqk5.py`), which is solved, so every line shows the true strength of
the net. The net is a perceptron with two hidden layers and a hand-written backward pass.

    python train_numpy.py                  # minutes on two cores
    python train_numpy.py --small          # less than a minute, but learns less
    python train_numpy.py --plot curve.png # also plots the curve (requires matplotlib)
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

# Such a small net gains nothing from threads, which would occupy the cores that the search needs.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt
import tabiya

from kqk5 import Endgame, Flags, Planes

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Settings:
    """The size of a run; the defaults take minutes on two cores."""

    seed: int = 1
    iterations: int = 40
    games: int = 256  # parallel games
    plies: int = 12  # moves per game and iteration
    simulations: int = 32
    considered: int = 8
    hidden: int = 256
    # Without a discount, all winning moves have the same value, and the net never makes progress towards mate.
    discount: float = 0.9
    buffer: int = 30_000
    batch: int = 256
    steps: int = 60  # training steps per iteration
    rate: float = 2e-3
    decay: float = 1e-4
    tested: int = 200  # positions tested after an iteration
    tested_last: int | None = None  # and after the last one; None means all


SMALL = Settings(iterations=8, simulations=16, hidden=128, steps=80, tested=50, tested_last=300)


@dataclass(frozen=True)
class Point:
    """The measurements after an iteration."""

    iteration: int
    seconds: float
    games: int
    loss: float
    shortening: float  # share of won positions in which the net alone shortens the mate
    mates: float  # share of won positions from which the search mates against the best defence


class Net:
    """A perceptron that maps planes to a logit for each action and a value."""

    def __init__(self, inputs: int, actions: int, settings: Settings, rng: np.random.Generator) -> None:
        hidden = settings.hidden

        def layer(rows: int, columns: int, gain: float) -> Floats:
            return rng.standard_normal((rows, columns), np.float32) * np.float32(gain / rows**0.5)

        # The heads start near zero: an untrained net should have no preferences.
        self.weights: dict[str, Floats] = {
            "first": layer(inputs + 1, hidden, 2.0),
            "second": layer(hidden + 1, hidden, 1.4),
            "policy": layer(hidden + 1, actions, 0.1),
            "value": layer(hidden + 1, 1, 0.1),
        }
        self.settings = settings
        self.moments = {name: (np.zeros_like(it), np.zeros_like(it)) for name, it in self.weights.items()}
        self.steps = 0

    def __call__(self, planes: Planes) -> tuple[Floats, Floats]:
        """Returns logits and values, as `tabiya.search` expects."""
        *_, logits, values = self.forward(planes.reshape(len(planes), -1))
        return logits, values

    def forward(self, x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        first = np.maximum(self.affine(x, "first"), 0)
        second = np.maximum(self.affine(first, "second"), 0)
        return first, second, self.affine(second, "policy"), np.tanh(self.affine(second, "value")[:, 0])

    def affine(self, x: Floats, name: str) -> Floats:
        weights = self.weights[name]
        out: Floats = x @ weights[:-1]
        out += weights[-1]
        return out

    def train_step(self, x: Floats, legal: Flags, policy: Floats, values: Floats, rate: float) -> float:
        """Performs one step of Adam and returns the loss before it."""
        loss, gradients = self.gradients(x, legal, policy, values)
        self.steps += 1
        rate *= float(np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps))
        for name, gradient in gradients.items():
            weights, (mean, square) = self.weights[name], self.moments[name]
            gradient += np.float32(self.settings.decay) * weights
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            weights -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))
        return loss

    def gradients(self, x: Floats, legal: Flags, policy: Floats, values: Floats) -> tuple[float, dict[str, Floats]]:
        """Returns the loss (cross entropy plus squared error) and its gradients."""
        first, second, logits, guess = self.forward(x)
        logits = np.where(legal, logits, np.float32(-np.inf))
        logits -= logits.max(1, keepdims=True)
        probabilities = np.exp(logits)
        total = probabilities.sum(1, keepdims=True)
        probabilities /= total
        logs = np.where(legal, logits, 0) - np.log(total)
        loss = float(-(policy * logs).sum(1).mean() + np.square(guess - values).mean())

        # Gradients of the layer outputs; ReLU passes none where its output is 0.
        one = np.float32(1 / len(x))
        by_policy: Floats = (probabilities - policy) * one
        by_value: Floats = (2 * (guess - values) * (1 - guess * guess) * one)[:, None]
        by_second: Floats = by_policy @ self.weights["policy"][:-1].T + by_value @ self.weights["value"][:-1].T
        by_second *= second > 0
        by_first: Floats = by_second @ self.weights["second"][:-1].T
        by_first *= first > 0

        # Gradients of the weights.
        def outer(inputs: Floats, by: Floats) -> Floats:
            return np.concatenate([inputs.T @ by, by.sum(0, keepdims=True)])

        return loss, {
            "first": outer(x, by_first),
            "second": outer(first, by_second),
            "policy": outer(second, by_policy),
            "value": outer(second, by_value),
        }


class ReplayBuffer:
    """The latest positions of finished games: planes, legal actions, search policies and results."""

    def __init__(self, size: int, inputs: int, actions: int) -> None:
        self.planes = np.zeros((size, inputs), np.float32)
        self.legal = np.zeros((size, actions), bool)
        self.policy = np.zeros((size, actions), np.float32)
        self.values = np.zeros(size, np.float32)
        self.filled = self.next = 0

    def add(self, planes: Floats, legal: Flags, policy: Floats, value: float) -> None:
        at = self.next
        self.planes[at], self.legal[at], self.policy[at], self.values[at] = planes, legal, policy, value
        self.next = (at + 1) % len(self.values)
        self.filled = max(self.filled, at + 1)

    def sample(self, count: int, rng: np.random.Generator) -> tuple[Floats, Flags, Floats, Floats]:
        some = rng.integers(self.filled, size=count)
        return self.planes[some], self.legal[some], self.policy[some], self.values[some]


class SelfPlay:
    """Endless games of the net against itself, each from a random position."""

    def __init__(self, endgame: Endgame, settings: Settings) -> None:
        self.settings = settings
        self.env = tabiya.BatchEnv(endgame.game, settings.games, seed=settings.seed, states=endgame.states)
        # By game: player, planes, legal actions and search policy of each move so far.
        self.histories: list[list[tuple[int, Floats, Flags, Floats]]] = [[] for _ in range(settings.games)]
        self.finished = 0
        self.searches = 0

    def play(self, net: Net, buffer: ReplayBuffer) -> None:
        """Plays some moves in every game. Finished games go into the buffer."""
        settings = self.settings
        for _ in range(settings.plies):
            planes = self.env.observe().reshape(settings.games, -1)
            legal, movers = self.env.legal_mask(), self.env.to_move
            self.searches += 1
            found = tabiya.search(
                self.env,
                net,
                simulations=settings.simulations,
                method="gumbel",
                considered=settings.considered,
                seed=settings.seed + self.searches,
            )
            rewards, terminated, _ = self.env.step(found.actions)
            for game, history in enumerate(self.histories):
                history.append((int(movers[game]), planes[game], legal[game], found.policy[game]))
                if terminated[game]:
                    for distance, (mover, seen, moves, policy) in enumerate(reversed(history)):
                        buffer.add(seen, moves, policy, float(rewards[game, mover]) * settings.discount**distance)
                    history.clear()
                    self.finished += 1


def train(endgame: Endgame, settings: Settings) -> Iterator[tuple[Net, Point]]:
    """Yields the net and its measurements after every iteration, starting with the untrained net."""
    rng = np.random.default_rng(settings.seed)
    inputs, actions = endgame.planes[0].size, endgame.game.num_actions
    net, buffer = Net(inputs, actions, settings, rng), ReplayBuffer(settings.buffer, inputs, actions)
    games, started = SelfPlay(endgame, settings), time.perf_counter()

    shuffled = rng.permutation(endgame.won)

    def point(iteration: int, loss: float) -> Point:
        tested = settings.tested if iteration < settings.iterations else settings.tested_last
        shortening, mates = endgame.shortening(net), endgame.mates(net, places=shuffled[:tested])
        return Point(iteration, time.perf_counter() - started, games.finished, loss, shortening, mates)

    yield net, point(0, float("nan"))
    for iteration in range(1, settings.iterations + 1):
        games.play(net, buffer)
        # The learning rate decreases linearly.
        rate = settings.rate * (1 - 0.9 * (iteration - 1) / settings.iterations)
        losses = [net.train_step(*buffer.sample(settings.batch, rng), rate) for _ in range(settings.steps)]
        yield net, point(iteration, float(np.mean(losses)))


def plot(curve: list[Point], chance: float, title: str, path: Path) -> None:
    """Plots both measures over time."""
    try:
        import matplotlib  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise SystemExit("--plot requires matplotlib: pip install matplotlib") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    minutes = [it.seconds / 60 for it in curve]
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    mates, shortening = [100 * it.mates for it in curve], [100 * it.shortening for it in curve]
    axes.plot(minutes, mates, marker=".", label="net and 64 simulations mate against the best defence")
    axes.plot(minutes, shortening, marker=".", label="the net alone shortens the mate")
    axes.axhline(100 * chance, color="gray", linestyle="--", label="a random move shortens the mate")
    axes.set(title=title, xlabel="minutes of self-play, training and tests", ylabel="% of the won positions", ylim=(0, 101))
    axes.set_xlim(left=0)
    axes.grid(alpha=0.3)
    axes.legend(loc="center right")
    figure.savefig(path, dpi=120)


def run(settings: Settings, endgame: Endgame) -> tuple[Net, list[Point]]:
    """Trains, prints a line for each iteration, and returns the net and the curve."""
    curve: list[Point] = []
    print("iteration  seconds    games    loss  shortens   mates", flush=True)
    for net, it in train(endgame, settings):
        curve.append(it)
        left = (settings.iterations - it.iteration) * it.seconds / max(it.iteration, 1)
        line = f"{it.iteration:9} {it.seconds:8.1f} {it.games:8} {it.loss:7.3f} {it.shortening:9.1%} {it.mates:7.1%}"
        print(f"{line}   {left:.0f} s left" if 0 < it.iteration < settings.iterations else line, flush=True)
    return net, curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="a short run that learns less")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same run (default: 1)")
    parser.add_argument("--iterations", type=int, help="number of iterations")
    parser.add_argument("--plot", type=Path, metavar="PNG", help="plot the curve to this file")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the curve to this file as JSON")
    args = parser.parse_args()
    base = SMALL if args.small else Settings()
    chosen = {"seed": args.seed, "iterations": args.iterations or base.iterations}
    settings = Settings(**{**asdict(base), **chosen})
    endgame = Endgame.solve()
    print(f"{len(endgame.won)} won positions; a random move shortens the mate in {endgame.chance:.1%}")
    # A sample is enough: without a net most games take all 50 turns.
    some = np.random.default_rng(args.seed).permutation(endgame.won)[:300]
    alone = endgame.mates(endgame.uniform, places=some)
    print(f"64 simulations without a net mate from {alone:.1%}")
    _, curve = run(settings, endgame)
    if args.json:
        # The loss before the first step is NaN, which JSON does not support.
        points = [{**asdict(it), "loss": it.loss if it.iteration else None} for it in curve]
        output = {"chance": endgame.chance, "alone": alone, "won": len(endgame.won), "curve": points}
        args.json.write_text(json.dumps(output) + "\n")
    if args.plot:
        title = "King and queen against king on 5 by 5 squares, in plain numpy"
        plot(curve, endgame.chance, title, args.plot)
        print(f"wrote {args.plot}")


if __name__ == "__main__":
    main()
