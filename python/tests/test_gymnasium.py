"""The Gymnasium vector environment."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from numpy.typing import NDArray

import tabiya
from tabiya.gymnasium import VectorEnv

NAMES = ["chess", "gardner", "fourplayer", "chaturaji", "trefoil", "enochian"]


def random_actions(mask: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    return np.array([chance.choice(np.flatnonzero(row)) for row in mask])


@pytest.mark.parametrize("name", NAMES)
def test_spaces_and_types(name: str) -> None:
    chance = np.random.default_rng(1)
    envs = VectorEnv(name, 3, max_plies=7, threads=1)
    assert isinstance(envs, gymnasium.vector.VectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    single = envs.single_observation_space
    assert isinstance(single, gymnasium.spaces.Box)
    assert single.shape == tabiya.Game(name).observation_shape
    planes, infos = envs.reset(seed=1)
    for _ in range(20):
        assert envs.observation_space.contains(planes)
        assert all(single.contains(each) for each in planes)
        mask = infos["action_mask"]
        assert mask.dtype == np.int8
        assert mask.shape == (3, tabiya.Game(name).num_actions)
        actions = random_actions(mask, chance)
        assert envs.action_space.contains(actions)
        planes, rewards, terminated, truncated, infos = envs.step(actions)
        assert rewards.dtype == np.float64
        assert terminated.dtype == truncated.dtype == np.bool_
        assert rewards.shape == terminated.shape == truncated.shape == (3,)
        assert infos["rewards"].shape == (3, len(envs.players))
        for key in infos:
            assert key.startswith("_") or infos[f"_{key}"].shape == (3,)
    envs.close()
    assert envs.closed


def test_spaces_sample_with_masks() -> None:
    envs = VectorEnv("chess", 4)
    envs.action_space.seed(1)
    _, infos = envs.reset(seed=1)
    for _ in range(30):
        _, _, _, _, infos = envs.step(envs.action_space.sample(mask=tuple(infos["action_mask"])))
    assert (infos["plies"] == 30).all()


@pytest.mark.parametrize("name", ["chess", "chaturaji"])
def test_the_same_seed_gives_the_same_games(name: str) -> None:
    def trace(envs: VectorEnv, seed: int | None) -> list[Any]:
        chance = np.random.default_rng(2)
        planes, infos = envs.reset(seed=seed)
        seen: list[Any] = [planes, infos]
        for _ in range(40):
            step = envs.step(random_actions(seen[-1]["action_mask"], chance))
            seen.extend(step)
        return seen

    one, two = (VectorEnv(name, 3, max_plies=30, threads=threads) for threads in (1, 2))
    assert data_equivalence(trace(one, 5), trace(two, 5), exact=True)
    first, second = trace(one, None), trace(one, None)
    if name == "chaturaji":
        assert not data_equivalence(first, second), "without a seed the throws differ"
    assert data_equivalence(first, trace(two, None), exact=True), "but they follow from the last seed"


def test_rewards_and_final_infos() -> None:
    mate = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
    envs = VectorEnv("chess", 2, states=[mate])
    planes, infos = envs.reset(seed=0)
    start = planes.copy()
    game = tabiya.ChessGame(mate)
    actions = np.array([game.action_of("a1a8"), game.action_of("a1a2")])
    planes, rewards, terminated, truncated, infos = envs.step(actions)
    assert rewards.tolist() == [1.0, 0.0]
    assert infos["rewards"].tolist() == [[1.0, -1.0], [0.0, 0.0]]
    assert terminated.tolist() == [True, False]
    assert not truncated.any()
    assert infos["to_move"].tolist() == [0, 1], "the first has restarted"
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == [True, False]
    assert infos["final_obs"][1] is None
    game.push("a1a8")
    assert np.array_equal(infos["final_obs"][0], game.observe())
    assert infos["final_info"]["rewards"][0].tolist() == [1.0, -1.0]
    assert infos["final_info"]["to_move"][0] == 1
    assert infos["final_info"]["plies"][0] == 1
    assert infos["plies"].tolist() == [0, 1]
    assert np.array_equal(planes[0], start[0])


def test_games_are_truncated() -> None:
    envs = VectorEnv("gardner", 3, max_plies=2)
    _, infos = envs.reset(seed=1)
    for ply in range(1, 7):
        _, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert truncated.all() == (ply % 2 == 0)
        assert not terminated.any()
        assert not rewards.any()
        assert ("final_obs" in infos) == truncated.any()


def test_illegal_actions_change_nothing() -> None:
    envs = VectorEnv("chess", 2, render_mode="ansi")
    envs.reset(seed=1)
    before = envs.render()
    with pytest.raises(tabiya.IllegalMove, match="game 1: action 5 is not a legal move"):
        envs.step(np.array([3797, 5]))
    assert envs.render() == before


def test_returned_arrays_are_copies_unless_requested() -> None:
    for copy in (True, False):
        envs = VectorEnv("chess", 2, copy=copy)
        planes, infos = envs.reset(seed=1)
        kept = planes.copy()
        later, *_, later_infos = envs.step([3797, 3797])
        assert np.array_equal(planes, kept) is copy
        assert np.shares_memory(planes, later) is not copy
        assert np.shares_memory(infos["action_mask"], later_infos["action_mask"]) is not copy


def test_wrappers_of_gymnasium() -> None:
    chance = np.random.default_rng(3)
    counted = RecordEpisodeStatistics(VectorEnv("gardner", 4, max_plies=10))
    _, infos = counted.reset(seed=1)
    lengths = []
    for _ in range(25):
        _, _, _, _, infos = counted.step(random_actions(infos["action_mask"], chance))
        if "episode" in infos:
            lengths.extend(infos["episode"]["l"][infos["_episode"]].tolist())
    assert lengths
    assert max(lengths) <= 10
    listed: Any = DictInfoToList(VectorEnv("gardner", 4, max_plies=1))
    _, each = listed.reset(seed=1)
    mask = np.array([info["action_mask"] for info in each])
    _, _, _, _, each = listed.step(random_actions(mask, chance))
    assert [info["final_info"]["plies"] for info in each] == [1] * 4


def test_rendering() -> None:
    envs = VectorEnv("chess", 2, render_mode="ansi")
    envs.reset()
    assert envs.render() == ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",) * 2
    assert VectorEnv("chess", 2).render() is None


def test_misuse_raises() -> None:
    with pytest.raises(ValueError, match="did you mean `chess`"):
        VectorEnv("ches", 2)
    with pytest.raises(ValueError, match="expected a number from 1"):
        VectorEnv("chess", 0)
    with pytest.raises(ValueError, match="render_mode is 'human', expected None or 'ansi'"):
        VectorEnv("chess", 1, render_mode="human")
    states = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"]
    for order in (states, states[::-1]):
        with pytest.raises(ValueError, match="over at the start"):
            VectorEnv("chess", 1, states=order)
    with pytest.raises(ValueError, match="reset_mask"):
        VectorEnv("chess", 1).reset(options={"reset_mask": np.array([True])})
    envs = VectorEnv("chess", 2)
    envs.reset(options={"other": 1})
    with pytest.raises(TypeError):
        envs.step([0.5, 0.5])
    with pytest.raises(ValueError, match="2 games and 3 actions"):
        envs.step([3797, 3797, 3797])
