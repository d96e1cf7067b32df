"""Copies and pickles are complete and independent."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tabiya

WAYS: list[Callable[[Any], Any]] = [
    lambda game: game.copy(),
    copy.copy,
    copy.deepcopy,
    lambda game: pickle.loads(pickle.dumps(game)),
]


class Annotated(tabiya.Game):
    """A user-defined subclass."""

    note: str


def games() -> list[tabiya.Game]:
    chosen = tabiya.Game("enochian", layout="Fire of Fire", preset="zalewski", options={"SHARING": "NEVER"})
    state = tabiya.Game("chess", state="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 12 40")
    return [tabiya.ChessGame(), tabiya.Game("chaturaji", seed=7), chosen, state, Annotated("capablanca")]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_copies_are_equal_and_independent(game: tabiya.Game, way: Callable[[Any], Any]) -> None:
    game = game.copy()
    for turn in range(12):
        game.push(game.legal_moves[turn % len(game.legal_moves)])
    other = way(game)
    assert type(other) is type(game)
    assert (other.fen, other.history, other.repetitions) == (game.fen, game.history, game.repetitions)
    assert other.legal_moves == game.legal_moves
    before = game.fen
    other.push(other.legal_moves[0])
    assert len(other.history) == len(game.history) + 1
    assert game.fen == before
    while other.history:
        other.undo()
    assert game.fen == before


@pytest.mark.parametrize("way", WAYS)
def test_attributes_of_subclasses_are_kept(way: Callable[[Any], Any]) -> None:
    game = Annotated("chess")
    game.note = "mine"
    assert way(game).note == "mine"


@pytest.mark.parametrize("way", WAYS)
def test_games_from_files_and_texts_can_be_pickled(way: Callable[[Any], Any], tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "games" / "gardner.json").read_text()
    file = tmp_path / "mine.json"
    file.write_text(text)
    game = tabiya.Game.from_spec(file)
    file.unlink()
    for game in (game, tabiya.Game.from_json(text)):
        game.push(game.legal_moves[0])
        assert way(game).fen == game.fen
        assert repr(way(game)) == repr(game)


def test_values_can_be_pickled() -> None:
    outcome = tabiya.Outcome(("WHITE",), "checkmate")
    assert pickle.loads(pickle.dumps(outcome)) == outcome
    assert hash(outcome) == hash(tabiya.Outcome(("WHITE",), "checkmate"))
    with pytest.raises(tabiya.SpecError) as caught:
        tabiya.Game.from_json("{}")
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.diagnostics == caught.value.diagnostics
    assert str(error) == str(caught.value)
