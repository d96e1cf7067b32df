"""Plays random games of Fairy-Stockfish's variants, for comparison with imported games.

Reads lines `VARIANT CHESS960 GAMES SEED` and prints for each game a line `game`, then for every position the chosen move,
the number of legal moves and a hash of them all; `over` instead of a move if there is none.
"""

import hashlib
import random
import sys

import pyffish

PLIES = 160


def play(name: str, chess960: bool, games: int, seed: int) -> None:
    pick = random.Random(seed)
    start = pyffish.start_fen(name)
    for _ in range(games):
        print("game")
        played: list[str] = []
        while len(played) < PLIES:
            moves = sorted(pyffish.legal_moves(name, start, played, chess960))
            digest = hashlib.sha256(" ".join(moves).encode()).hexdigest()[:16]
            chosen = pick.choice(moves) if moves else "over"
            print(chosen, len(moves), digest)
            if not moves:
                break
            played.append(chosen)


for line in sys.stdin:
    variant, is_960, count, number = line.split()
    play(variant, is_960 == "1", int(count), int(number))
