"""King and queen against king on five by five squares, solved.

Whether something has learned is best asked where the truth is known. Here it is: `Endgame.solve` asks the engine what every move
of every position leads to, and from the mates goes back to how many moves each position is away from one. The file knows no
rule of the game but that kings never stand side by side.

    python kqk5.py          # what there is to learn
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
Whole = npt.NDArray[np.int64]
Evaluator = Callable[[Planes], tuple[Any, Any]]


def board_text(pieces: dict[int, str], turn: str) -> str:
    """The position as board text: pieces by square (counted from a1, rank by rank), and whose turn it is."""
    ranks = []
    for rank in reversed(range(SIZE)):
        row = "".join(pieces.get(rank * SIZE + file, " ") for file in range(SIZE))
        for empty in range(SIZE, 0, -1):
            row = row.replace(" " * empty, str(empty))
        ranks.append(row)
    return "/".join(ranks) + f" {turn} - - 0 1"


def key(state: str) -> str:
    """Board and turn alone: how many turns were quiet makes it no other position."""
    return " ".join(state.split()[:2])


def placements(turn: str) -> list[str]:
    """King, queen and king on three squares, the kings apart."""

    def apart(one: int, other: int) -> bool:
        return max(abs(one % SIZE - other % SIZE), abs(one // SIZE - other // SIZE)) > 1

    squares = permutations(range(SIZE * SIZE), 3)
    return [board_text({king: "K", queen: "Q", bare: "k"}, turn) for king, queen, bare in squares if apart(king, bare)]


@dataclass(frozen=True)
class Edges:
    """Every move of every position of a list, and what the engine says it leads to."""

    start: Whole  # the place of its position in the list
    action: Whole
    after: list[str]  # the `key` of the position that it leads to
    won: Flags  # whether it ends the game so that White has won
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
    """All positions with White to move, and the truth about them."""

    game: tabiya.Game
    states: list[str]  # board texts
    planes: Planes  # what White sees in each
    legal: Flags  # for each position and action
    distance: Whole  # in how many moves White mates; 0, if he cannot force it
    shortens: Flags  # for each position and action, whether the mate is a move nearer afterwards
    defence: dict[str, int]  # what Black plays to hold out longest, by `key`

    @classmethod
    def solve(cls, spec: Path = SPEC) -> Endgame:
        game = tabiya.Game.from_spec(spec)
        states = placements("w")
        # Where White could take the king, Black has left it in check: no game comes there.
        edges = Edges.of(game, states)
        unreal = {int(place) for place, after in zip(edges.start, edges.after) if "k" not in after}
        states = [state for place, state in enumerate(states) if place not in unreal]
        white, black_states = Edges.of(game, states), placements("b")
        black = Edges.of(game, black_states)

        white_place = {key(state): place for place, state in enumerate(states)}
        black_place = {key(state): place for place, state in enumerate(black_states)}
        to_black = np.array([black_place[after] for after in white.after])
        # Where the queen is taken, Black is safe.
        to_white = np.array([white_place.get(after, -1) for after in black.after])

        # In how many moves of White the game is won: from the mates, back and back until nothing changes.
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

        # The best answer comes first where there are several as good.
        order = np.lexsort((black.action, -answers, black.start))
        defence: dict[str, int] = {}
        for place, action in zip(black.start[order], black.action[order]):
            defence.setdefault(key(black_states[place]), int(action))

        env = tabiya.BatchEnv(game, len(states))
        env.reset(states=states)
        return cls(game, states, env.observe(), legal, distance, shortens, defence)

    @property
    def won(self) -> Whole:
        """The places of the positions in which White can force mate."""
        return np.flatnonzero(self.distance)

    @property
    def chance(self) -> float:
        """How often a move by chance shortens the mate, in the won positions."""
        won = self.won
        return float((self.shortens[won].sum(1) / self.legal[won].sum(1)).mean())

    def ignorant(self, planes: Planes) -> tuple[Planes, Planes]:
        """An evaluator that prefers nothing: with it, search is alone."""
        return np.zeros((len(planes), self.game.num_actions), np.float32), np.zeros(len(planes), np.float32)

    def shortening(self, evaluator: Evaluator) -> float:
        """In which share of the won positions the best legal move by the evaluator alone, without search, shortens the mate."""
        won = self.won
        logits = np.where(self.legal[won], np.asarray(evaluator(self.planes[won])[0]), -np.inf)
        return float(self.shortens[won, logits.argmax(1)].mean())

    def mates(self, evaluator: Evaluator, *, simulations: int = 64, places: Whole | None = None) -> float:
        """From which share of the won positions (or of those at `places`) White mates by search against the best defence.

        A game that is drawn is no mate, also one that took 50 turns.
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
    print(f"a move by chance shortens the mate in {endgame.chance:.1%}")


if __name__ == "__main__":
    main()
