"""Plays games of Fairy-Stockfish's variants in which moves are often taken back, until a rule about history ends them.

Reads the number of games and a seed on the first line, and a file of variants on the others. Prints a line `game NAME`, the moves,
and how the game ended: `over`, if there was no legal move; `ends` and the result, if a rule ended it; `cut` otherwise.
"""

import random
import sys

import pyffish

PLIES = 300


def absolute(name: str, start: str, played: list[str], value: int) -> str:
    if pyffish.get_fen(name, start, played).split()[1] == "b":
        value = -value
    return "1-0" if value > 0 else "0-1" if value < 0 else "1/2"


def back(move: str) -> str:
    """Returns the move that takes back another, if squares have two characters."""
    return move[2:4] + move[:2]


def play(name: str, pick: random.Random) -> None:
    start = pyffish.start_fen(name)
    played: list[str] = []
    restless = pick.choice([0.2, 0.6, 1.0])
    while len(played) < PLIES:
        moves = sorted(pyffish.legal_moves(name, start, played))
        if not moves:
            print("over")
            return
        ends, value = pyffish.is_optional_game_end(name, start, played)
        if ends:
            print("ends", absolute(name, start, played, value))
            return
        checks = [it for it in moves if pyffish.gives_check(name, start, [*played, it])] if pick.random() < 0.1 else []
        again = played[-2:-1] and back(played[-2])
        move = again if again in moves and pick.random() > restless else pick.choice(checks or moves)
        played.append(move)
        print(move)
    print("cut")


games, seed = sys.stdin.readline().split()
text = sys.stdin.read()
pyffish.load_variant_config(text)
for line in text.splitlines():
    if line.startswith("["):
        variant = line.strip("[]").split(":")[0]
        pick = random.Random(f"{seed} {variant}")
        for _ in range(int(games)):
            print("game", variant)
            play(variant, pick)
