"""Chess, from the first move to the last."""

import copy

import pytest

import tabiya

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_a_game_begins_at_the_start() -> None:
    game = tabiya.ChessGame()
    assert game.fen == START
    assert game.turn == game.actor == "WHITE"
    assert game.players == ["WHITE", "BLACK"]
    assert len(game.legal_moves) == 20
    assert game.history == []
    assert (game.is_over, game.outcome, game.result) == (False, None, None)


def test_the_fools_mate() -> None:
    game = tabiya.ChessGame()
    moves = ["f2f3", "e7e5", "g2g4", "d8h4"]
    for move in moves:
        game.push(move)
    assert game.history == moves
    assert game.is_over
    assert game.outcome == tabiya.Outcome(("BLACK",), "checkmate")
    assert game.result == "0-1"
    assert game.legal_moves == []
    with pytest.raises(tabiya.GameOver, match="the game is over"):
        game.push("a2a3")


def test_moves_are_taken_back() -> None:
    game = tabiya.ChessGame()
    game.push("e2e4")
    game.push("e7e5")
    assert game.undo() == "e7e5"
    assert game.history == ["e2e4"]
    assert game.undo() == "e2e4"
    assert game.fen == START
    with pytest.raises(tabiya.IllegalMove, match="nothing to take back"):
        game.undo()


@pytest.mark.parametrize("copied", [lambda game: game.copy(), copy.copy, copy.deepcopy])
def test_a_copy_goes_its_own_way(copied) -> None:  # type: ignore[no-untyped-def]
    game = tabiya.ChessGame()
    game.push("e2e4")
    other = copied(game)
    assert type(other) is tabiya.ChessGame
    other.push("e7e5")
    assert game.history == ["e2e4"]
    assert other.history == ["e2e4", "e7e5"]
    other.undo()
    assert other.undo() == "e2e4"
    assert game.undo() == "e2e4"
