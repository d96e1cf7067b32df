"""Plays random games of Fairy-Stockfish's variants, for comparison with our games.

Reads lines `VARIANT CHESS960 GAMES SEED` and prints for each game a line `game`, then for every position the chosen move,
the number of legal moves and a hash of them all. If there is no legal move, the line is `over`, 0 and the result.
"""

import hashlib
import random
import sys

import pyffish

PLIES = 160


def result(name: str, played: list[str], chess960: bool) -> str:
    start = pyffish.start_fen(name)
    value = pyffish.game_result(name, start, played, chess960)
    if pyffish.get_fen(name, start, played, chess960).split()[1] == "b":
        value = -value
    return "1-0" if value > 0 else "0-1" if value < 0 else "1/2"


def play(name: str, chess960: bool, games: int, seed: int) -> None:
    pick = random.Random(seed)
    start = pyffish.start_fen(name)
    for _ in range(games):
        print("game")
        played: list[str] = []
        while len(played) < PLIES:
            moves = sorted(pyffish.legal_moves(name, start, played, chess960))
            if not moves:
                print("over", 0, result(name, played, chess960))
                break
            digest = hashlib.sha256(" ".join(moves).encode()).hexdigest()[:16]
            played.append(pick.choice(moves))
            print(played[-1], len(moves), digest)


for line in sys.stdin:
    variant, is_960, count, number = line.split()
    play(variant, is_960 == "1", int(count), int(number))
