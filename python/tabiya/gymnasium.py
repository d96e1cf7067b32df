"""A Gymnasium vector environment of many games (https://gymnasium.farama.org).

It requires Gymnasium: `pip install tabiya[gymnasium]`.

>>> import numpy as np
>>> import tabiya.gymnasium
>>> envs = tabiya.gymnasium.VectorEnv("chess", 64)
>>> planes, infos = envs.reset(seed=1)
>>> planes.shape
(64, 8, 8, 18)
>>> actions = infos["action_mask"].argmax(axis=1)  # the first legal action of each game
>>> planes, rewards, terminated, truncated, infos = envs.step(actions)
>>> infos["to_move"][:3]
array([1, 1, 1])
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import override

import tabiya

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as _VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as _missing:
    raise ImportError(f"tabiya.gymnasium needs Gymnasium ({_missing}): pip install tabiya[gymnasium]") from _missing

__all__ = ["VectorEnv"]


class VectorEnv(_VectorEnv[NDArray[np.float32], ArrayLike, NDArray[Any]]):
    """Many games with the same rules, in which one learner plays every side.

    The observation is that of the player to move next. The reward is that of the player who has just moved;
    `infos["rewards"]` has the rewards of all players. Actions must be legal, so `infos` contains an `action_mask` (int8, as
    Gymnasium spaces expect) and `to_move`, the player to move as an index into `players`. If an action is illegal, an
    exception is raised and no game changes.

    A game that is over restarts in the same step (`AutoresetMode.SAME_STEP`); `infos["final_obs"]` and `infos["final_info"]`
    describe its end. (Gymnasium's observation wrappers do not support this mode; its reward and info wrappers do.) The
    arguments are those of `BatchEnv`. With `copy=False`, every step reuses the same arrays for planes and masks.

    >>> envs = VectorEnv("gardner", 2, max_plies=1)
    >>> planes, infos = envs.reset(seed=1)
    >>> actions = infos["action_mask"].argmax(axis=1)
    >>> planes, rewards, terminated, truncated, infos = envs.step(actions)
    >>> truncated, infos["final_info"]["plies"], infos["final_obs"][0].shape
    (array([ True,  True]), array([1, 1]), (5, 5, 16))
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: str | tabiya.Game,
        num_envs: int,
        *,
        threads: int | None = None,
        claims: bool = True,
        max_plies: int | None = None,
        states: Sequence[str] | None = None,
        encoding: str | None = None,
        render_mode: str | None = None,
        copy: bool = True,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is {render_mode!r}, expected None or 'ansi'")
        # An environment with autoreset rejects states that are over at the start.
        tabiya.BatchEnv(game, 1, threads=1, claims=claims, states=states)
        self._games = tabiya.BatchEnv(
            game,
            num_envs,
            threads=threads,
            claims=claims,
            max_plies=max_plies,
            autoreset=False,
            states=states,
            encoding=encoding,
        )
        self.num_envs = self._games.n
        self.render_mode = render_mode
        self.copy = copy
        self.single_observation_space = spaces.Box(0.0, 1.0, self._games.observation_shape, np.float32)
        self.single_action_space = spaces.Discrete(self._games.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._planes = np.zeros((self.num_envs, *self._games.observation_shape), np.float32)
        self._mask = np.zeros((self.num_envs, self._games.num_actions), np.int8)

    @property
    def players(self) -> list[str]:
        """The names of the players in the order of `infos["rewards"]`.

        >>> VectorEnv("gardner", 1).players
        ['WHITE', 'BLACK']
        """
        return self._games.players

    @override
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Restarts all games. Without a seed the new games differ from the earlier ones. There are no options.

        >>> planes, infos = VectorEnv("chess", 2).reset(seed=1)
        >>> infos["action_mask"].sum(axis=1)
        array([20, 20])
        """
        if options is not None and "reset_mask" in options:
            raise ValueError("reset_mask is not supported: finished games restart in the same step")
        super().reset(seed=seed)
        self._games.reset(seed=int(self.np_random.integers(2**63)))
        return self._observed(), self._infos()

    @override
    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Makes one move in every game.

        >>> envs = VectorEnv("chess", 2)
        >>> planes, infos = envs.reset(seed=1)
        >>> planes, rewards, terminated, truncated, infos = envs.step([3797, 4589])
        >>> rewards, terminated, truncated
        (array([0., 0.]), array([False, False]), array([False, False]))
        """
        movers = self._games.to_move
        rewards, terminated, truncated = self._games.step(actions)
        planes, ended = self._observed(), terminated | truncated
        infos = {}
        if ended.any():
            finals = np.full(self.num_envs, None, object)
            for index in np.flatnonzero(ended):
                finals[index] = planes[index].copy()
            final = {"rewards": rewards, "to_move": self._games.to_move, "plies": self._games.plies}
            infos = {"final_obs": finals, "final_info": _marked(final, ended)}
            infos = _marked(infos, ended)
            self._games.reset_over()
            planes = self._observed()
        infos |= self._infos() | _marked({"rewards": rewards}, np.ones_like(ended))
        own = np.take_along_axis(rewards, movers[:, None], axis=1)[:, 0]
        return planes, own.astype(np.float64), terminated, truncated, infos

    @override
    def render(self) -> tuple[str, ...] | None:
        """Returns all games as board text, which for chess is FEN.

        >>> VectorEnv("chess", 1, render_mode="ansi").render()
        ('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',)
        """
        return None if self.render_mode is None else tuple(self._games.states())

    def _observed(self) -> NDArray[np.float32]:
        return self._games.observe() if self.copy else self._games.observe(out=self._planes)

    def _infos(self) -> dict[str, Any]:
        mask = np.zeros_like(self._mask) if self.copy else self._mask
        self._games.legal_mask(out=mask.view(np.bool_))
        every = np.ones(self.num_envs, np.bool_)
        return _marked({"action_mask": mask, "to_move": self._games.to_move, "plies": self._games.plies}, every)


def _marked(infos: dict[str, Any], which: NDArray[np.bool_]) -> dict[str, Any]:
    """Adds the mask `_key` beside each `key`, as Gymnasium requires."""
    return infos | {f"_{key}": which.copy() for key in infos}
