"""Tensors and environments beside others, interleaved, medians of rounds; one JSON object on standard output.

Whoever is missing is named and left out. Every contender plays random legal moves from its own seed, and what it shows is
looked at, so that nobody is measured who does nothing.
"""

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable

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


def python_chess() -> Callable[[int], int]:
    """The same 18 planes with python-chess and numpy, as one would write it."""
    import chess

    board = chess.Board()
    for move in OPENING:
        board.push_uci(move)
    kinds = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]
    bits = np.arange(64, dtype=np.uint64)

    def encode() -> np.ndarray:
        mine, white = board.turn, board.turn == chess.WHITE
        sets = [int(board.pieces_mask(kind, colour)) for colour in (mine, not mine) for kind in kinds]
        planes = (np.array(sets, dtype=np.uint64)[:, None] >> bits & np.uint64(1)).astype(np.float32)
        out = np.zeros((8, 8, 18), np.float32)
        out[:, :, :12] = planes.reshape(12, 8, 8).transpose(1, 2, 0)
        count = 3 if board.is_repetition(3) else 2 if board.is_repetition(2) else 1
        out[:, :, 12] = count / 3
        if board.ep_square is not None and board.has_legal_en_passant():
            out[board.ep_square // 8, board.ep_square % 8, 13] = 1.0
        for plane, (colour, wing) in enumerate(
            [(mine, chess.BB_FILE_H), (mine, chess.BB_FILE_A), (not mine, chess.BB_FILE_H), (not mine, chess.BB_FILE_A)]
        ):
            rank = chess.BB_RANK_1 if colour else chess.BB_RANK_8
            out[:, :, 14 + plane] = bool(board.castling_rights & wing & rank)
        return out[::-1] if white else out

    own = tabiya.ChessGame()
    for move in OPENING:
        own.push(move)
    assert np.array_equal(encode(), own.get_canonical_board()), "both write the same tensor"

    def run(times: int) -> int:
        for _ in range(times):
            encode()
        return times

    return run


def batch(threads: int, games: int = 256) -> Callable[[int], int]:
    """Step, observe and mask of many games. The choice of moves is not ours, and not counted."""
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
    """Its fastest way from Python: the observer of C++ into one array, legal actions into a mask."""
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
    """Its chess, as `last` and `step` show it."""
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


CONTENDERS: dict[str, tuple[Callable[[], Callable[[int], int]], int]] = {
    "single": (single, 40_000),
    "python-chess": (python_chess, 2_000),
    "batch": (lambda: batch(1), 60_000),
    "batch on two": (lambda: batch(2, 1024), 120_000),
    "batch on one of the same size": (lambda: batch(1, 1024), 60_000),
    "OpenSpiel": (open_spiel, 6_000),
    "PettingZoo": (petting_zoo, 400),
}


def main(rounds: int) -> None:
    ready: dict[str, tuple[Callable[[int], int], int]] = {}
    for name, (make, times) in CONTENDERS.items():
        try:
            ready[name] = (make(), times)
        except ImportError as why:
            print(f"{name} is missing: {why}", file=sys.stderr)
    cores = sorted(os.sched_getaffinity(0))
    rates: dict[str, list[float]] = {name: [] for name in ready}
    for count in range(rounds):
        for name, (run, times) in ready.items():
            # One core for everybody, but for what is measured on two.
            os.sched_setaffinity(0, cores if "two" in name else cores[-1:])
            start = time.perf_counter()
            done = run(times)
            spent = getattr(run, "spent", None)
            rates[name].append(done / (spent[0] if spent else time.perf_counter() - start))
        print(f"round {count + 1} of {rounds}", file=sys.stderr)
    print(json.dumps({name: statistics.median(each) for name, each in rates.items()}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
