"""Tensors and environments beside other packages, interleaved; prints medians of the rounds as one JSON object.

Missing packages are named and left out. Every package plays random legal moves from its own seed, and its output is checked.
"""

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import tabiya

OPENING = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7".split()


def single() -> Callable[[int], int]:
    """One position, one new array for each call."""
    game = tabiya.ChessGame()
    for move in OPENING:
        game.push(move)

    def run(times: int) -> int:
        for _ in range(times):
            board = game.get_canonical_board()
        assert board[7, 6, 5] == 1.0, "White has castled"
        return times

    return run


def python_chess(vectorised: bool) -> Callable[[int], int]:
    """The same 18 planes with python-chess and numpy: piece by piece, or all sets of squares at once."""
    import chess

    kinds = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]
    bits = np.arange(64, dtype=np.uint64)

    def pieces(board: chess.Board, out: np.ndarray) -> None:
        if vectorised:
            sets = [board.pieces_mask(kind, colour) for colour in (board.turn, not board.turn) for kind in kinds]
            planes = (np.array(sets, dtype=np.uint64)[:, None] >> bits & np.uint64(1)).astype(np.float32)
            out[:, :, :12] = planes.reshape(12, 8, 8).transpose(1, 2, 0)
        else:
            for square, piece in board.piece_map().items():
                plane = piece.piece_type - 1 + (0 if piece.color == board.turn else 6)
                out[chess.square_rank(square), chess.square_file(square), plane] = 1.0

    def encode(board: chess.Board) -> np.ndarray:
        mine = board.turn
        out = np.zeros((8, 8, 18), np.float32)
        pieces(board, out)
        out[:, :, 12] = (3 if board.is_repetition(3) else 2 if board.is_repetition(2) else 1) / 3
        if board.ep_square is not None and board.has_legal_en_passant():
            out[chess.square_rank(board.ep_square), chess.square_file(board.ep_square), 13] = 1.0
        out[:, :, 14] = board.has_kingside_castling_rights(mine)
        out[:, :, 15] = board.has_queenside_castling_rights(mine)
        out[:, :, 16] = board.has_kingside_castling_rights(not mine)
        out[:, :, 17] = board.has_queenside_castling_rights(not mine)
        return out[::-1] if mine == chess.WHITE else out

    same_in_random_games(encode, chess.Board)
    board = chess.Board()
    for move in OPENING:
        board.push_uci(move)

    def run(times: int) -> int:
        for _ in range(times):
            encode(board)
        return times

    return run


def same_in_random_games(encode: Callable[..., np.ndarray], new: Callable[[], Any]) -> None:
    """Checks that both write the same tensor after every move of some games, with repetitions."""
    chance = random.Random(3)
    for _ in range(10):
        board, own = new(), tabiya.ChessGame()
        while not own.is_over and len(own.history) < 300:
            assert np.array_equal(encode(board), own.get_canonical_board()), own.fen
            # Moving back and forth repeats positions.
            back = [move for move in own.legal_moves if len(own.history) > 1 and own.history[-2] == move[2:] + move[:2]]
            move = back[0] if back and chance.random() < 0.5 else chance.choice(own.legal_moves)
            own.push(move)
            board.push_uci(move)


def batch(threads: int, games: int = 256) -> Callable[[int], int]:
    """Step, observe and mask of many games. The choice of moves is not timed."""
    env = tabiya.BatchEnv("chess", games, seed=1, threads=threads)
    planes = np.empty((games, 8, 8, 18), np.float32)
    mask = np.empty((games, 4672), bool)
    spent = [0.0]

    def run(times: int) -> int:
        spent[0] = 0.0
        for _ in range(max(1, times // games)):
            actions = env.sample()
            start = time.perf_counter()
            env.step(actions)
            env.observe(out=planes)
            env.legal_mask(out=mask)
            spent[0] += time.perf_counter() - start
        assert mask.any(axis=1).all() and planes[:, :, :, 5].sum() == games
        return max(1, times // games) * games

    run.spent = spent  # type: ignore[attr-defined]
    return run


def open_spiel() -> Callable[[int], int]:
    """Its fastest interface from Python: the C++ observer into one array, legal actions into a mask."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("chess")
    observation = make_observation(game)
    mask = np.zeros(game.num_distinct_actions(), bool)
    chance = random.Random(1)
    state = [game.new_initial_state()]

    def run(times: int) -> int:
        now = state[0]
        legal = now.legal_actions()
        for _ in range(times):
            now.apply_action(legal[chance.randrange(len(legal))])
            if now.is_terminal():
                now = game.new_initial_state()
            observation.set_from(now, now.current_player())
            legal = now.legal_actions()
            mask.fill(False)
            mask[legal] = True
        state[0] = now
        assert mask.sum() == len(legal) and observation.tensor.any()
        return times

    return run


def petting_zoo() -> Callable[[int], int]:
    """Its chess environment, through `last` and `step`."""
    from pettingzoo.classic import chess_v6

    env = chess_v6.env()
    env.reset(seed=1)
    chance = np.random.default_rng(1)

    def run(times: int) -> int:
        for _ in range(times):
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.reset()
                observation = env.last()[0]
            env.step(int(chance.choice(np.flatnonzero(observation["action_mask"]))))
        return times

    return run


PACKAGES: dict[str, tuple[Callable[[], Callable[[int], int]], int]] = {
    "single": (single, 40_000),
    "python-chess + numpy": (lambda: python_chess(False), 1_000),
    "python-chess + numpy, sets at once": (lambda: python_chess(True), 2_000),
    "batch": (lambda: batch(1), 60_000),
    "batch on two cores": (lambda: batch(2, 1024), 120_000),
    "batch of 1,024 on one core": (lambda: batch(1, 1024), 60_000),
    "OpenSpiel": (open_spiel, 6_000),
    "PettingZoo": (petting_zoo, 400),
}


def main(rounds: int) -> None:
    ready: dict[str, tuple[Callable[[int], int], int]] = {}
    for name, (make, times) in PACKAGES.items():
        try:
            ready[name] = (make(), times)
        except ImportError as why:
            print(f"{name} is missing: {why}", file=sys.stderr)
    cores = sorted(os.sched_getaffinity(0))
    rates: dict[str, list[float]] = {name: [] for name in ready}
    for count in range(rounds):
        for name, (run, times) in ready.items():
            # One core, except for what is measured on two.
            os.sched_setaffinity(0, cores if "two cores" in name else cores[-1:])
            start = time.perf_counter()
            done = run(times)
            spent = getattr(run, "spent", None)
            rates[name].append(done / (spent[0] if spent else time.perf_counter() - start))
        print(f"round {count + 1} of {rounds}", file=sys.stderr)
    print(json.dumps({name: statistics.median(each) for name, each in rates.items()}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
