"""The loop of AlphaZero in plain numpy: play against yourself with search, learn from it, and again.

The game is king and queen against king on five by five squares (`kqk5.py`), where the truth is known: so each line says how far
the net has come. The net is a perceptron with two hidden layers, and its backward pass is written out.

    python train_numpy.py                  # minutes on two cores
    python train_numpy.py --small          # far less than a minute, and less is learned
    python train_numpy.py --plot curve.png # also draws how it went (needs matplotlib)
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

# Nets this small gain nothing from threads of their own, which wait for each other on the cores that the search needs.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt
import tabiya

from kqk5 import Endgame, Flags, Planes

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Settings:
    """How much is done; the defaults take minutes on two cores."""

    seed: int = 1
    iterations: int = 40
    games: int = 256  # played side by side
    plies: int = 12  # moves made in each of them in an iteration
    simulations: int = 32
    considered: int = 8
    hidden: int = 256
    # Nearer wins are worth more: without this all moves that keep the win are the same to the net, and it never hurries.
    discount: float = 0.9
    buffer: int = 30_000
    batch: int = 256
    steps: int = 60  # of training in an iteration
    rate: float = 2e-3
    decay: float = 1e-4
    tested: int = 200  # positions that are played out after an iteration
    tested_last: int | None = None  # and after the last; all, if there is no number


SMALL = Settings(iterations=8, simulations=16, hidden=128, steps=80, tested=50, tested_last=300)


@dataclass(frozen=True)
class Point:
    """How far it has come after an iteration."""

    iteration: int
    seconds: float
    games: int
    loss: float
    shortening: float  # share of won positions in which the net alone finds a move that shortens the mate
    mates: float  # share of won positions from which net and search mate against the best defence


class Net:
    """A perceptron: planes in, a logit for each action and a value out."""

    def __init__(self, inputs: int, actions: int, settings: Settings, dice: np.random.Generator) -> None:
        hidden = settings.hidden

        def layer(rows: int, columns: int, gain: float) -> Floats:
            return dice.standard_normal((rows, columns), np.float32) * np.float32(gain / rows**0.5)

        # The heads begin near zero: a net that knows nothing should prefer nothing.
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
        """Logits and values, as the search asks for them."""
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

    def learn(self, x: Floats, legal: Flags, policy: Floats, values: Floats, rate: float) -> float:
        """One step of Adam down the slope of the loss; the loss before it."""
        loss, gradients = self.slopes(x, legal, policy, values)
        self.steps += 1
        rate *= float(np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps))
        for name, gradient in gradients.items():
            weights, (mean, square) = self.weights[name], self.moments[name]
            gradient += np.float32(self.settings.decay) * weights
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            weights -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))
        return loss

    def slopes(self, x: Floats, legal: Flags, policy: Floats, values: Floats) -> tuple[float, dict[str, Floats]]:
        """The loss, which is cross entropy and squared error, and how it changes with every weight."""
        first, second, logits, guess = self.forward(x)
        logits = np.where(legal, logits, np.float32(-np.inf))
        logits -= logits.max(1, keepdims=True)
        shares = np.exp(logits)
        total = shares.sum(1, keepdims=True)
        shares /= total
        logs = np.where(legal, logits, 0) - np.log(total)
        loss = float(-(policy * logs).sum(1).mean() + np.square(guess - values).mean())

        # Back from the loss: how it changes with what each layer put out, which where it was cut off at zero is not at all.
        one = np.float32(1 / len(x))
        by_policy: Floats = (shares - policy) * one
        by_value: Floats = (2 * (guess - values) * (1 - guess * guess) * one)[:, None]
        by_second: Floats = by_policy @ self.weights["policy"][:-1].T + by_value @ self.weights["value"][:-1].T
        by_second *= second > 0
        by_first: Floats = by_second @ self.weights["second"][:-1].T
        by_first *= first > 0

        # And with its weights: as much as came in through each.
        def outer(inputs: Floats, by: Floats) -> Floats:
            return np.concatenate([inputs.T @ by, by.sum(0, keepdims=True)])

        return loss, {
            "first": outer(x, by_first),
            "second": outer(first, by_second),
            "policy": outer(second, by_policy),
            "value": outer(second, by_value),
        }


class Buffer:
    """The last positions of finished games: what was seen, what was legal, what search preferred, and how it went."""

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

    def draw(self, count: int, dice: np.random.Generator) -> tuple[Floats, Flags, Floats, Floats]:
        some = dice.integers(self.filled, size=count)
        return self.planes[some], self.legal[some], self.policy[some], self.values[some]


class SelfPlay:
    """Many games of the net against itself, each from a position by chance, on and on."""

    def __init__(self, endgame: Endgame, settings: Settings) -> None:
        self.settings = settings
        self.env = tabiya.BatchEnv(endgame.game, settings.games, seed=settings.seed, states=endgame.states)
        # For each game its moves so far: who moved, what he saw, what was legal, and what search preferred.
        self.courses: list[list[tuple[int, Floats, Flags, Floats]]] = [[] for _ in range(settings.games)]
        self.finished = 0
        self.searches = 0

    def play(self, net: Net, buffer: Buffer) -> None:
        """Some moves in every game; those that end go into the buffer."""
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
            for game, course in enumerate(self.courses):
                course.append((int(movers[game]), planes[game], legal[game], found.policy[game]))
                if terminated[game]:
                    for passed, (mover, saw, might, preferred) in enumerate(reversed(course)):
                        buffer.add(saw, might, preferred, float(rewards[game, mover]) * settings.discount**passed)
                    course.clear()
                    self.finished += 1


def train(endgame: Endgame, settings: Settings) -> Iterator[tuple[Net, Point]]:
    """The net after every iteration, and how far it has come; first the net that knows nothing."""
    dice = np.random.default_rng(settings.seed)
    inputs, actions = endgame.planes[0].size, endgame.game.num_actions
    net, buffer = Net(inputs, actions, settings, dice), Buffer(settings.buffer, inputs, actions)
    games, started = SelfPlay(endgame, settings), time.perf_counter()

    shuffled = dice.permutation(endgame.won)

    def point(iteration: int, loss: float) -> Point:
        tested = settings.tested if iteration < settings.iterations else settings.tested_last
        shortening, mates = endgame.shortening(net), endgame.mates(net, places=shuffled[:tested])
        return Point(iteration, time.perf_counter() - started, games.finished, loss, shortening, mates)

    yield net, point(0, float("nan"))
    for iteration in range(1, settings.iterations + 1):
        games.play(net, buffer)
        # Small steps at the end settle what large ones at the beginning found.
        rate = settings.rate * (1 - 0.9 * (iteration - 1) / settings.iterations)
        losses = [net.learn(*buffer.draw(settings.batch, dice), rate) for _ in range(settings.steps)]
        yield net, point(iteration, float(np.mean(losses)))


def plot(curve: list[Point], chance: float, title: str, path: Path) -> None:
    """Draws both shares over time."""
    try:
        import matplotlib  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise SystemExit("--plot needs matplotlib: pip install matplotlib") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    minutes = [it.seconds / 60 for it in curve]
    figure, axes = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    mates, shortening = [100 * it.mates for it in curve], [100 * it.shortening for it in curve]
    axes.plot(minutes, mates, marker=".", label="net and 64 simulations mate against the best defence")
    axes.plot(minutes, shortening, marker=".", label="the net alone shortens the mate")
    axes.axhline(100 * chance, color="gray", linestyle="--", label="a move by chance shortens the mate")
    axes.set(title=title, xlabel="minutes of self-play, training and tests", ylabel="% of the won positions", ylim=(0, 101))
    axes.set_xlim(left=0)
    axes.grid(alpha=0.3)
    axes.legend(loc="center right")
    figure.savefig(path, dpi=120)


def run(settings: Settings, endgame: Endgame) -> tuple[Net, list[Point]]:
    """Trains, prints a line for every iteration, and returns the net and the curve."""
    curve: list[Point] = []
    print("iteration  seconds    games    loss  shortens   mates", flush=True)
    for net, it in train(endgame, settings):
        curve.append(it)
        left = (settings.iterations - it.iteration) * it.seconds / max(it.iteration, 1)
        told = f"{it.iteration:9} {it.seconds:8.1f} {it.games:8} {it.loss:7.3f} {it.shortening:9.1%} {it.mates:7.1%}"
        print(f"{told}   {left:.0f} s left" if 0 < it.iteration < settings.iterations else told, flush=True)
    return net, curve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="a short run, which learns less")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same run (default: 1)")
    parser.add_argument("--iterations", type=int, help="how often games are played and learned from")
    parser.add_argument("--plot", type=Path, metavar="PNG", help="draw the curve into this file")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the curve as numbers into this file")
    given = parser.parse_args()
    base = SMALL if given.small else Settings()
    chosen = {"seed": given.seed, "iterations": given.iterations or base.iterations}
    settings = Settings(**{**asdict(base), **chosen})
    endgame = Endgame.solve()
    print(f"{len(endgame.won)} won positions; a move by chance shortens the mate in {endgame.chance:.1%}")
    # With less than is played out in the end: without a net most games take all 50 turns.
    some = np.random.default_rng(given.seed).permutation(endgame.won)[:300]
    alone = endgame.mates(endgame.ignorant, places=some)
    print(f"64 simulations without a net mate from {alone:.1%}")
    _, curve = run(settings, endgame)
    if given.json:
        # The loss before the first step is no number, which JSON does not have.
        points = [{**asdict(it), "loss": it.loss if it.iteration else None} for it in curve]
        told = {"chance": endgame.chance, "alone": alone, "won": len(endgame.won), "curve": points}
        given.json.write_text(json.dumps(told) + "\n")
    if given.plot:
        title = "King and queen against king on 5 by 5 squares, in plain numpy"
        plot(curve, endgame.chance, title, given.plot)
        print(f"the curve is in {given.plot}")


if __name__ == "__main__":
    main()
