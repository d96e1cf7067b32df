"""`ChessGame` from the first move to the last."""

import pytest

import tabiya

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_a_game_starts_from_the_initial_position() -> None:
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
    assert len(game.legal_actions()) == 0
    with pytest.raises(tabiya.GameOver, match="the game is over"):
        game.push("a2a3")
    with pytest.raises(tabiya.GameOver):
        game.push_action(3797)
    with pytest.raises(tabiya.GameOver):
        game.claim("threefold_repetition")
    game.undo()
    assert game.outcome is None
    assert "d8h4" in game.legal_moves


def test_undo() -> None:
    game = tabiya.ChessGame()
    game.push("e2e4")
    game.push("e7e5")
    assert game.undo() == "e7e5"
    assert game.history == ["e2e4"]
    assert game.undo() == "e2e4"
    assert game.fen == START
    with pytest.raises(tabiya.IllegalMove, match="nothing to take back"):
        game.undo()


def test_a_draw_claim_can_be_undone() -> None:
    game = tabiya.ChessGame()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        game.push(move)
    assert (game.repetitions, game.quiet) == (3, 8)
    assert game.claims == ["threefold_repetition"]
    game.claim("threefold_repetition")
    assert game.outcome == tabiya.Outcome((), "threefold_repetition")
    assert game.result == "1/2-1/2"
    assert game.claims == []
    assert game.history[-1] == "claim threefold_repetition"
    assert game.undo() == "claim threefold_repetition"
    assert not game.is_over


def test_actions_other_than_moves() -> None:
    game = tabiya.ChessGame()
    game.push("draw")
    game.push("e2e4")
    game.push("accept")
    assert game.outcome == tabiya.Outcome((), "agreement")
    game.undo()
    game.push("resign")
    assert game.result == "1-0"
