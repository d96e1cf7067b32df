"""Chess-family games as data: a game is one JSON file.

>>> import tabiya
>>> game = tabiya.ChessGame()
>>> game.push("e2e4")
>>> game.turn, len(game.legal_moves)
('BLACK', 20)
>>> game.undo()
'e2e4'

All library games are played in the same way, and so are your own files (`Game.from_spec`):

>>> tabiya.Game("capablanca").legal_moves[:3]
['b1c3', 'b1a3', 'c1d3']

For learning, every game has planes and numbered actions, and `BatchEnv` plays many games at once:

>>> game.get_canonical_board().shape, game.action_of("e2e4")
((8, 8, 18), 3797)
>>> env = tabiya.BatchEnv("capablanca", 256, seed=1)
>>> rewards, terminated, truncated = env.step(env.sample())

Errors raise exceptions that say what is wrong and where; all of them are `ValueError`:

>>> game.push("e2e5")
Traceback (most recent call last):
tabiya.IllegalMove: the PAWN cannot move from e2 to e5
"""

from tabiya._tabiya import (
    BadState,
    BatchEnv,
    ChessGame,
    Diagnostic,
    Game,
    GameOver,
    IllegalMove,
    Outcome,
    SearchResult,
    SpecError,
    __version__,
    expand,
    games,
    search,
)

__all__ = [
    "BadState",
    "BatchEnv",
    "ChessGame",
    "Diagnostic",
    "Game",
    "GameOver",
    "IllegalMove",
    "Outcome",
    "SearchResult",
    "SpecError",
    "__version__",
    "expand",
    "games",
    "search",
]
