"""Games with hands and counters."""

import copy
import pickle
from pathlib import Path

import numpy as np

import tabiya

GAMES = Path(__file__).parents[2] / "crates" / "oracle" / "tests" / "games"


def drops(game: tabiya.Game, kind: str) -> list[int]:
    """The legal drops of a kind, as actions."""
    types = game.planes.index(f"own hand {kind}")
    assert game.observe()[0, 0, types] > 0
    before = game.hands[game.turn][kind]
    found = []
    for action in game.legal_actions():
        other = game.copy()
        other.push_action(action)
        if other.hands[game.turn].get(kind, 0) == before - 1:
            found.append(int(action))
    return found


def test_captured_pieces_are_in_hand_and_dropped() -> None:
    game = tabiya.Game.from_spec(GAMES / "crazyhouse.json")
    for move in ["e2e4", "d7d5", "e4d5", "a7a6"]:
        game.push(move)
    assert game.hands == {"WHITE": {"PAWN": 1}, "BLACK": {}}
    for other in [game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]:
        assert other.hands == game.hands
        assert np.array_equal(other.observe(), game.observe())
        assert np.array_equal(other.legal_mask(), game.legal_mask())
    actions = drops(game, "PAWN")
    assert len(actions) == 33, "every empty square from the second to the seventh rank"
    game.push_action(actions[0])
    assert game.hands == {"WHITE": {}, "BLACK": {}}
    game.undo()
    assert game.hands == {"WHITE": {"PAWN": 1}, "BLACK": {}}


def test_counters_are_shown() -> None:
    game = tabiya.Game.from_spec(GAMES / "threecheck.json")
    assert game.counters == {"CHECKS": {"WHITE": 0, "BLACK": 0}}
    for move in ["e2e4", "d7d5", "f1b5"]:
        game.push(move)
    assert game.counters == {"CHECKS": {"WHITE": 1, "BLACK": 0}}
    assert pickle.loads(pickle.dumps(game)).counters == game.counters
    plane = game.planes.index("enemy counter CHECKS")
    assert game.observe()[0, 0, plane] == np.float32(1 / 3)
