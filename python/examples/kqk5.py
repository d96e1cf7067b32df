"""King and queen against king on 5×5 squares, solved.

A solved endgame shows objectively what a program has learned. `Endgame.solve` generates every move of every position with the
engine and computes distances to mate by retrograde analysis. This file contains no rule of the game except that kings are
never adjacent.

    python kqk5.py          # print the distances to mate
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import tabiya

SPEC = Path(__file__).with_name("kqk5.json")
SIZE = 5
WHITE, BLACK = 0, 1

Planes = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Evaluator = Callable[[Planes], tuple[Any, Any]]


def board_text(pieces: dict[int, str], turn: str) -> str:
    """Returns a board text: pieces by square (from a1, rank by rank), and the player to move."""
    ranks = []
    for rank in reversed(range(SIZE)):
        row = "".join(pieces.get(rank * SIZE + file, " ") for file in range(SIZE))
        for empty in range(SIZE, 0, -1):
            row = row.replace(" " * empty, str(empty))
        ranks.append(row)
    return "/".join(ranks) + f" {turn} - - 0 1"


def key(state: str) -> str:
    """Returns board and turn, without the counters."""
    return " ".join(state.split()[:2])


def placements(turn: str) -> list[str]:
    """Returns all placements of king, queen and king with separated kings."""

    def apart(one: int, other: int) -> bool:
        return max(abs(one % SIZE - other % SIZE), abs(one // SIZE - other // SIZE)) > 1

    squares = permutations(range(SIZE * SIZE), 3)
    return [board_text({king: "K", queen: "Q", bare: "k"}, turn) for king, queen, bare in squares if apart(king, bare)]


@dataclass(frozen=True)
class Edges:
    """Every move of a list of positions, and the resulting positions."""

    start: Integers  # the index of the position
    action: Integers
    after: list[str]  # the `key` of the resulting position
    won: Flags  # whether White wins with it
    over: Flags  # whether it ends the game

    @classmethod
    def of(cls, game: tabiya.Game, states: list[str]) -> Edges:
        env = tabiya.BatchEnv(game, len(states), autoreset=False)
        env.reset(states=states)
        start, action = np.nonzero(env.legal_mask())
        env = tabiya.BatchEnv(game, len(start), autoreset=False)
        env.reset(states=[states[place] for place in start])
        rewards, over, _ = env.step(action)
        return cls(start, action, [key(state) for state in env.states()], rewards[:, WHITE] > 0, over)


@dataclass(frozen=True)
class Endgame:
    """All positions with White to move, and their solution."""

    game: tabiya.Game
    states: list[str]  # board texts
    planes: Planes  # White's observations
    legal: Flags  # by position and action
    distance: Integers  # the number of moves to mate; 0 if it cannot be forced
    shortens: Flags  # by position and action: whether it brings the mate one move closer
    defence: dict[str, int]  # by `key`: Black's longest defence

    @classmethod
    def solve(cls, spec: Path = SPEC) -> Endgame:
        game = tabiya.Game.from_spec(spec)
        states = placements("w")
        # If White could capture the king, the position is illegal.
        edges = Edges.of(game, states)
        unreal = {int(place) for place, after in zip(edges.start, edges.after) if "k" not in after}
        states = [state for place, state in enumerate(states) if place not in unreal]
        white, black_states = Edges.of(game, states), placements("b")
        black = Edges.of(game, black_states)

        white_place = {key(state): place for place, state in enumerate(states)}
        black_place = {key(state): place for place, state in enumerate(black_states)}
        to_black = np.array([black_place[after] for after in white.after])
        # If Black captures the queen, the game is drawn.
        to_white = np.array([white_place.get(after, -1) for after in black.after])

        # Retrograde analysis: starting from the mates, update the distances until nothing changes.
        never = 1_000
        held = np.full(len(black_states), never)
        held[to_black[white.won]] = 0
        ended = np.zeros(len(black_states), bool)
        ended[to_black[white.over]] = True
        while True:
            distance = np.full(len(states), never)
            np.minimum.at(distance, white.start, held[to_black] + 1)
            answers = np.where((to_white >= 0) & ~black.over, distance[to_white], never)
            longest = np.zeros(len(black_states), np.int64)
            np.maximum.at(longest, black.start, answers)
            longest[ended] = held[ended]
            if np.array_equal(longest, held):
                break
            held = longest
        distance[distance >= never] = 0

        shape = (len(states), game.num_actions)
        legal, shortens = np.zeros(shape, bool), np.zeros(shape, bool)
        legal[white.start, white.action] = True
        nearer = (distance[white.start] > 0) & (held[to_black] == distance[white.start] - 1)
        shortens[white.start[nearer], white.action[nearer]] = True

        # Sort the best defence of each position first.
        order = np.lexsort((black.action, -answers, black.start))
        defence: dict[str, int] = {}
        for place, action in zip(black.start[order], black.action[order]):
            defence.setdefault(key(black_states[place]), int(action))

        env = tabiya.BatchEnv(game, len(states))
        env.reset(states=states)
        return cls(game, states, env.observe(), legal, distance, shortens, defence)

    @property
    def won(self) -> Integers:
        """The indices of the positions in which White can force mate."""
        return np.flatnonzero(self.distance)

    @property
    def chance(self) -> float:
        """How often a random move shortens the mate, in won positions."""
        won = self.won
        return float((self.shortens[won].sum(1) / self.legal[won].sum(1)).mean())

    def uniform(self, planes: Planes) -> tuple[Planes, Planes]:
        """An evaluator without preferences."""
        return np.zeros((len(planes), self.game.num_actions), np.float32), np.zeros(len(planes), np.float32)

    def shortening(self, evaluator: Evaluator) -> float:
        """Returns the share of won positions in which the evaluator's best legal move shortens the mate, without search."""
        won = self.won
        logits = np.where(self.legal[won], np.asarray(evaluator(self.planes[won])[0]), -np.inf)
        return float(self.shortens[won, logits.argmax(1)].mean())

    def mates(self, evaluator: Evaluator, *, simulations: int = 64, places: Integers | None = None) -> float:
        """Returns the share of won positions (or of those at `places`) from which search mates against the best defence.

        Draws count as failures, including those by the 50-turn rule.
        """
        places = self.won if places is None else places
        env = tabiya.BatchEnv(self.game, len(places), autoreset=False)
        env.reset(states=[self.states[place] for place in places])
        mated = np.zeros(len(places), bool)
        while not env.over.all():
            found = tabiya.search(env, evaluator, simulations=simulations, method="gumbel", gumbel_scale=0)
            rewards, _, _ = env.step(found.actions)
            mated |= rewards[:, WHITE] > 0
            if env.over.all():
                break
            env.step([-1 if over else self.defence[key(state)] for over, state in zip(env.over, env.states())])
        return float(mated.mean())


def main() -> None:
    endgame = Endgame.solve()
    lost = len(endgame.states) - len(endgame.won)
    print(f"{len(endgame.states)} positions with White to move, of which {lost} are not won")
    for moves, count in enumerate(np.bincount(endgame.distance[endgame.won])[1:], 1):
        print(f"mate in {moves}: {count}")
    print(f"a random move shortens the mate in {endgame.chance:.1%}")


if __name__ == "__main__":
    main()
