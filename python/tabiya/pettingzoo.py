"""Every game as a PettingZoo AEC environment (https://pettingzoo.farama.org).

It requires PettingZoo: `pip install tabiya[pettingzoo]`.

>>> import tabiya.pettingzoo
>>> env = tabiya.pettingzoo.env("chess", max_plies=40)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     if terminated or truncated:
...         action = None
...     else:
...         action = env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)
>>> agent, info["reason"]
('BLACK', 'max_plies')

To choose options or a start state, pass a `Game`:

>>> game = tabiya.Game("enochian", preset="zalewski", layout="Fire of Fire")
>>> tabiya.pettingzoo.env(game).possible_agents
['BLUE', 'RED', 'BLACK', 'YELLOW']
"""

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

import tabiya

try:
    # Some versions of PettingZoo have no types.
    from gymnasium import logger, spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv  # type: ignore[import-untyped, unused-ignore]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped, unused-ignore]
except ImportError as _missing:
    raise ImportError(f"tabiya.pettingzoo needs PettingZoo ({_missing}): pip install tabiya[pettingzoo]") from _missing

__all__ = ["Observation", "env", "raw_env"]

# After this many throws in a row without a move, there will never be one.
_MAX_ACTIONS = 1000


class Observation(TypedDict):
    """The observation of an agent: planes from `Game.observe`, and the legal actions.

    >>> env = raw_env("gardner")
    >>> env.reset()
    >>> seen = env.observe("WHITE")
    >>> seen["observation"].shape, int(seen["action_mask"].sum())
    ((5, 5, 16), 7)
    """

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]


def env(
    game: str | tabiya.Game,
    *,
    max_plies: int | None = None,
    claims: bool = True,
    render_mode: str | None = None,
) -> Any:
    """Creates an environment with the wrappers of PettingZoo's classic games.

    An agent that chooses an illegal action loses, and the game ends. Values outside the action space and calls in the wrong
    order are errors. The arguments are those of `raw_env`.

    >>> game = env("chess")
    >>> game.reset()
    >>> game.agent_selection
    'WHITE'
    """
    made = raw_env(game, max_plies=max_plies, claims=claims, render_mode=render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


# The base class may have no types.
class raw_env(AECEnv[str, Observation | None, int | None]):  # type: ignore[misc, unused-ignore]
    """An environment without wrappers, for a game of two or more players.

    `game` is a library name or a `Game`, whose rules, choices and state are used. A game is truncated after `max_plies` moves.
    With `claims`, a draw that can be claimed is claimed at once. `render_mode` is `"ansi"`, where `render` returns the board, or
    `"human"`, where the board is printed after each move.

    The agents are the players' names. `agent_selection` is the player who acts: usually the player to move, but a partner may
    move an army. The acting player sees the board from the seat of the army that it moves, because actions are numbered from
    there; all others see it from their own seats, with a mask of zeros. When the game is over, the rewards are 1 for winners,
    -1 for all others, and 0 for everyone in a draw.

    Eliminated players stay agents until the end and are never selected: they may still win with their partners, and in some
    games they return. The environment performs actions other than moves: it throws the die and declines exchanges of captives.

    An illegal action raises an exception and changes nothing.

    >>> env = raw_env("trefoil")
    >>> env.reset(seed=1)
    >>> env.agents
    ['RED', 'BLUE', 'GREEN']
    """

    metadata: dict[str, Any] = {
        "name": "tabiya_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str | tabiya.Game,
        *,
        max_plies: int | None = None,
        claims: bool = True,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(game, str | tabiya.Game):
            raise TypeError(f"game is of type {type(game).__name__}, expected a str or a Game")
        if max_plies is not None and max_plies < 1:
            raise ValueError(f"max_plies is {max_plies}, expected a number from 1")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {render_mode!r}, expected None, 'ansi' or 'human'")
        self._model = tabiya.Game(game) if isinstance(game, str) else game.copy()
        self._game = self._model
        self.max_plies = max_plies
        self.claims = claims
        self.render_mode = render_mode
        name = game if isinstance(game, str) else game.name.lower().replace(" ", "_")
        self.metadata = {**self.metadata, "name": f"tabiya_{name}_v0"}
        self.possible_agents = self._model.players
        if len(self.possible_agents) < 2:
            raise ValueError("PettingZoo needs a game with at least two players")
        self.agents: list[str] = []
        planes, actions = self._model.observation_shape, self._model.num_actions
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 1.0, planes, np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._mask = np.zeros(actions, np.int8)
        self._plies = 0
        self._chance: np.random.Generator | None = None

    @property
    def game(self) -> tabiya.Game:
        """A copy of the current game with its history.

        >>> env = raw_env("chess")
        >>> env.reset()
        >>> env.step(3797)
        >>> env.game.history
        ['e2e4']
        """
        return self._game.copy()

    @override
    def observation_space(self, agent: str) -> spaces.Dict:
        """Returns the observation space, which is the same for all agents.

        >>> raw_env("chess").observation_space("WHITE")["observation"]
        Box(0.0, 1.0, (8, 8, 18), float32)
        """
        return self.observation_spaces[agent]

    @override
    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the action space, which is the same for all agents.

        >>> raw_env("chess").action_space("WHITE")
        Discrete(4672)
        """
        return self.action_spaces[agent]

    @override
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. The same seed gives the same throws; without a seed they differ each time.

        `options={"state": text}` starts from a board text.

        >>> env = raw_env("chess")
        >>> env.reset(options={"state": "7k/8/8/8/8/8/8/K6R b - - 0 1"})
        >>> env.agent_selection
        'BLACK'
        """
        if seed is not None or self._chance is None:
            self._chance, _ = seeding.np_random(seed)
        self._game = _start(self._model, (options or {}).get("state"), int(self._chance.integers(2**63)))
        self._plies = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._advance()

    @override
    def step(self, action: int | None) -> None:
        """Makes the move with an action index; `None` for an agent whose game is over.

        >>> env = raw_env("chess")
        >>> env.reset()
        >>> env.step(3797)
        >>> env.agent_selection
        'BLACK'
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        # The game rejects invalid actions without changing anything.
        self._game.push_action(action)  # type: ignore[arg-type]
        self._plies += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._advance()

    @override
    def observe(self, agent: str) -> Observation:
        """Returns the current observation of an agent.

        >>> env = raw_env("chess")
        >>> env.reset()
        >>> [int(env.observe(agent)["action_mask"].sum()) for agent in env.agents]
        [20, 0]
        """
        decides = agent == self.agent_selection and not self._game.is_over
        seat = self._game.turn if decides else agent
        mask = self._mask.copy() if agent == self.agent_selection else np.zeros_like(self._mask)
        return {"observation": self._game.observe(seat), "action_mask": mask}

    @override
    def render(self) -> str | None:
        """Returns or prints the board as text, depending on `render_mode`.

        >>> env = raw_env("gardner", render_mode="ansi")
        >>> env.reset()
        >>> print(env.render())
        5 r n b q k
        4 p p p p p
        3 . . . . .
        2 P P P P P
        1 R N B Q K
          a b c d e
        <BLANKLINE>
        WHITE to move
        """
        if self.render_mode is None:
            logger.warn("render() was called without a render_mode")
            return None
        outcome = self._game.outcome
        status = f"{self._game.turn} to move"
        if outcome is not None:
            winners = " and ".join(outcome.winners)
            status = f"{outcome.reason}: {winners} wins" if winners else f"{outcome.reason}: draw"
        text = f"{str(self._game).rstrip()}\n\n{status}"
        if self.render_mode == "human":
            print(text, flush=True)
            return None
        return text

    @override
    def close(self) -> None:
        """Does nothing; there is nothing to close.

        >>> raw_env("chess").close()
        """

    def _advance(self) -> None:
        """Performs all actions before the next move and detects the end of the game."""
        game = self._game
        for _ in range(_MAX_ACTIONS):
            if game.is_over:
                break
            claims = game.claims if self.claims else []
            if claims:
                game.claim(claims[0])
                break
            if game.legal_mask(out=self._mask.view(np.bool_)).any():
                break
            actions = game.legal_moves
            game.push("decline" if "decline" in actions else actions[0])
        self.agent_selection = game.actor
        outcome = game.outcome
        if outcome is not None:
            for agent in self.agents if outcome.winners else []:
                self.rewards[agent] = 1.0 if agent in outcome.winners else -1.0
            self._end(self.terminations, outcome.winners, outcome.reason)
        elif not self._mask.any():
            self._end(self.truncations, (), "nobody_can_move")
        elif self._plies == self.max_plies:
            self._end(self.truncations, (), "max_plies")
        else:
            self.infos = {agent: {"turn": game.turn} for agent in self.agents}
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self, how: dict[str, bool], winners: tuple[str, ...], reason: str) -> None:
        self._mask.fill(0)
        for agent in self.agents:
            how[agent] = True
            self.infos[agent] = {"winners": winners, "reason": reason}
        self._deads_step_first()


def _start(model: tabiya.Game, state: str | None, seed: int) -> tabiya.Game:
    """Starts a game with the same rules, from a state or from that of the model, with its own die."""
    label, text, choices, start, _, history, attributes = model.__getstate__()
    if state is None:
        state = model.fen if history else start
    game = model.copy()
    game.__setstate__((label, text, choices, state, seed, [], attributes))
    return game
