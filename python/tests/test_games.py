"""Every library game can be played to its end, by text and by action."""

import random

import numpy as np
import pytest

import tabiya


@pytest.mark.parametrize("name", tabiya.games())
def test_every_game_can_be_played_and_undone(name: str) -> None:
    chance = random.Random(name)
    game = tabiya.Game(name, seed=3)
    assert len(set(game.players)) == len(game.players)
    before = []
    for _ in range(120):
        if game.is_over:
            assert game.outcome is not None
            assert set(game.outcome.winners) <= set(game.players)
            break
        assert game.actor in game.players
        assert len(str(game).splitlines()) > 4
        before.append(game.fen)
        game.push(chance.choice(game.legal_moves))
    again = tabiya.Game(name, seed=3)
    for move in game.history:
        again.push(move)
    assert again.fen == game.fen
    while before:
        game.undo()
        assert game.fen == before.pop()


@pytest.mark.parametrize("name", tabiya.games())
def test_actions_match_the_moves(name: str) -> None:
    chance = random.Random(name)
    game = tabiya.Game(name, seed=3)
    for _ in range(60):
        moves, actions = game.legal_moves, game.legal_actions()
        assert actions.dtype == np.int64
        if game.is_over or moves[0] in ("throw", "accept"):
            assert len(actions) == 0
        else:
            assert sorted(game.action_of(move) for move in moves) == actions.tolist()
            assert len(set(actions.tolist())) == len(moves)
        assert np.flatnonzero(game.legal_mask()).tolist() == actions.tolist()
        if game.is_over:
            break
        if len(actions):
            action = chance.choice(actions)
            move = game.move_of(action)
            game.push_action(action)
            assert game.history[-1] == move
        else:
            game.push(moves[0])


@pytest.mark.parametrize("name", tabiya.games())
def test_every_seat_has_an_observation(name: str) -> None:
    game = tabiya.Game(name)
    shape = game.observation_shape
    assert len(game.planes) == shape[2]
    assert game.observe().shape == shape
    assert np.array_equal(game.observe(), game.observe(game.turn))
    for seat in game.players:
        planes = game.observe(seat)
        assert planes.dtype == np.float32
        assert np.isfinite(planes).all()


def test_the_canonical_board() -> None:
    game = tabiya.ChessGame()
    board = game.get_canonical_board()
    assert board.shape == (8, 8, 18)
    assert np.array_equal(board[6, :, 0], np.ones(8)), "own pawns"
    assert np.array_equal(board[1, :, 6], np.ones(8)), "enemy pawns"
    game.push("e2e4")
    board = game.get_canonical_board()
    assert board[3, 4, 6] == 1.0, "ranks are flipped for the player to move"
    assert np.array_equal(board, game.observe())
