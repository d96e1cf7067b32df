"""The PettingZoo environments pass the tests of PettingZoo and agree with `Game` and `BatchEnv`."""

import importlib
import itertools
import pickle
import subprocess
import sys
from functools import partial
from typing import Any

import numpy as np
import pytest

import tabiya
import tabiya.pettingzoo

# PettingZoo has no types.
from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped, unused-ignore]

NAMES = ["chess", "gardner", "capablanca", "fourplayer", "fourplayer-teams", "enochian", "chaturaji", "trefoil"]

# PettingZoo warns about player names other than player_0 and about empty masks.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def played(env: Any, seed: int, chance: np.random.Generator) -> tuple[list[str], dict[str, float], dict[str, Any]]:
    """Plays a game and returns who acted, the total rewards and the final info."""
    env.reset(seed=seed)
    acted: list[str] = []
    got = dict.fromkeys(env.possible_agents, 0.0)
    final: dict[str, Any] = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        got[agent] += reward
        if terminated or truncated:
            assert not observation["action_mask"].any()
            final = info
            env.step(None)
        else:
            acted.append(agent)
            env.step(chance.choice(np.flatnonzero(observation["action_mask"])))
    return acted, got, final


@pytest.mark.parametrize("name", NAMES)
def test_the_api(name: str) -> None:
    api_test(tabiya.pettingzoo.env(name, max_plies=150), num_cycles=80)
    api_test(tabiya.pettingzoo.env(name, max_plies=5), num_cycles=10)


@pytest.mark.parametrize("name", NAMES)
def test_seeds(name: str) -> None:
    seed_test(partial(tabiya.pettingzoo.env, name), num_cycles=12)


@pytest.mark.parametrize("name", NAMES)
def test_the_benchmark(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark: Any = importlib.import_module("pettingzoo.test.performance_benchmark")

    class Clock:
        """A clock that advances by a second at every call."""

        ticks = itertools.count()

        def time(self) -> float:
            return float(next(self.ticks))

    monkeypatch.setattr(benchmark, "time", Clock())
    benchmark.performance_benchmark(tabiya.pettingzoo.env(name))


@pytest.mark.parametrize("name", NAMES)
def test_observations_match_the_seats(name: str) -> None:
    chance = np.random.default_rng(7)
    env = tabiya.pettingzoo.raw_env(name, max_plies=60)
    env.reset(seed=5)
    while not (any(env.terminations.values()) or any(env.truncations.values())):
        game = env.game
        assert env.agent_selection == game.actor
        for agent in env.agents:
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            if agent == env.agent_selection:
                assert np.array_equal(seen["observation"], game.observe())
                assert np.array_equal(seen["action_mask"], game.legal_mask())
            else:
                assert np.array_equal(seen["observation"], game.observe(agent))
                assert not seen["action_mask"].any()
        env.step(int(chance.choice(game.legal_actions())))


@pytest.mark.parametrize("name", NAMES)
def test_games_are_played_to_their_end(name: str) -> None:
    chance = np.random.default_rng(1)
    env = tabiya.pettingzoo.raw_env(name, max_plies=600)
    _, got, info = played(env, 3, chance)
    assert env.agents == []
    outcome = env.game.outcome
    if outcome is None:
        assert info == {"winners": (), "reason": "max_plies"}
        assert set(got.values()) == {0.0}
    else:
        assert info == {"winners": outcome.winners, "reason": outcome.reason}
        lost = -1.0 if outcome.winners else 0.0
        assert got == {player: 1.0 if player in outcome.winners else lost for player in env.possible_agents}


@pytest.mark.parametrize("name", ["gardner", "chess", "fourplayer-teams"])
def test_agreement_with_a_batch(name: str) -> None:
    """Without dice, the same actions lead to the same end."""
    env = tabiya.pettingzoo.raw_env(name, max_plies=120)
    batch = tabiya.BatchEnv(name, 1, autoreset=False, max_plies=120, threads=1, seed=4)
    env.reset()
    while True:
        assert env.possible_agents.index(env.agent_selection) == batch.to_move[0]
        assert np.array_equal(env.observe(env.agent_selection)["observation"], batch.observe()[0])
        actions = batch.sample()
        env.step(int(actions[0]))
        rewards, terminated, truncated = batch.step(actions)
        assert [env.rewards[player] for player in batch.players] == rewards[0].tolist()
        assert set(env.terminations.values()) == set(terminated.tolist())
        assert set(env.truncations.values()) == set(truncated.tolist())
        if terminated[0] or truncated[0]:
            break


def test_a_mate_is_won_and_lost() -> None:
    env = tabiya.pettingzoo.env("chess")
    env.reset()
    for move in ["f2f3", "e7e5", "g2g4", "d8h4"]:
        assert env.infos[env.agent_selection] == {"turn": env.agent_selection}
        env.step(env.unwrapped.game.action_of(move))
    assert env.rewards == {"WHITE": -1.0, "BLACK": 1.0}
    assert env.terminations == {"WHITE": True, "BLACK": True}
    assert env.truncations == {"WHITE": False, "BLACK": False}
    assert env.infos["WHITE"] == {"winners": ("BLACK",), "reason": "checkmate"}
    env.step(None)
    env.step(None)
    assert env.agents == []


def test_draws_are_claimed_or_not() -> None:
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    for claims in (True, False):
        env = tabiya.pettingzoo.raw_env("chess", claims=claims)
        env.reset()
        for move in moves:
            env.step(env.game.action_of(move))
        assert env.terminations["WHITE"] is claims
        assert env.rewards == {"WHITE": 0.0, "BLACK": 0.0}
        if claims:
            assert env.infos["WHITE"] == {"winners": (), "reason": "threefold_repetition"}


def test_an_illegal_action_loses_or_raises() -> None:
    env = tabiya.pettingzoo.env("chess")
    env.reset()
    env.step(0)
    assert env.rewards == {"WHITE": -1.0, "BLACK": 0}
    assert all(env.terminations.values())
    env.reset()
    assert not any(env.terminations.values())
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(4672)
    raw = tabiya.pettingzoo.raw_env("chess")
    raw.reset()
    before = raw.game.fen
    with pytest.raises(tabiya.IllegalMove):
        raw.step(0)
    with pytest.raises(TypeError):
        raw.step(None)
    assert raw.game.fen == before
    assert raw.agent_selection == "WHITE"


def test_choices_and_state_of_a_game_are_used() -> None:
    game = tabiya.Game("chess", state="7k/8/8/8/8/8/8/K6R b - - 12 40")
    game.push("h8g8")
    env = tabiya.pettingzoo.raw_env(game)
    game.push("h1h2")
    for _ in range(2):
        env.reset()
        assert env.game.fen == "6k1/8/8/8/8/8/8/K6R w - - 13 41"
    env.reset(options={"state": "7k/8/8/8/8/8/8/KR6 w - - 0 1"})
    assert "b1b8" in env.game.legal_moves
    with pytest.raises(tabiya.BadState):
        env.reset(options={"state": "nonsense"})
    enochian = tabiya.Game("enochian", layout="Fire of Fire", preset="zalewski", options={"SHARING": "NEVER"})
    chosen = tabiya.pettingzoo.raw_env(enochian)
    chosen.reset(seed=1)
    assert chosen.agent_selection == "RED"


def test_a_finished_state_ends_immediately() -> None:
    env = tabiya.pettingzoo.env(tabiya.Game("chess", state="7k/5KQ1/8/8/8/8/8/8 b - - 0 1"))
    acted, got, info = played(env, 1, np.random.default_rng(1))
    assert acted == []
    assert info["winners"] == ("WHITE",)
    assert got == {"WHITE": 1.0, "BLACK": -1.0}


def test_throws_depend_only_on_the_seed() -> None:
    env = tabiya.pettingzoo.raw_env("chaturaji")

    def throws(seed: int | None) -> list[str]:
        played(env, seed, np.random.default_rng(1)) if seed is not None else env.reset()
        return env.game.history[:40]

    assert throws(1) == throws(1)
    assert throws(1) != throws(2)
    env.reset(seed=9)
    env.reset()
    second = env.game.fen
    env.reset(seed=9)
    env.reset()
    assert env.game.fen == second


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    env = tabiya.pettingzoo.env("chess", render_mode="ansi")
    env.reset()
    text = env.render()
    assert text.splitlines()[0].split() == ["8", "r", "n", "b", "q", "k", "b", "n", "r"]
    assert text.endswith("WHITE to move")
    assert capsys.readouterr().out == ""
    env = tabiya.pettingzoo.env("chess", render_mode="human")
    env.reset()
    env.step(3797)
    shown = capsys.readouterr().out
    assert shown.count("to move") == 2
    assert env.render() is None
    env.close()
    silent = tabiya.pettingzoo.raw_env("chess")
    silent.reset()
    assert silent.render() is None


def test_environments_can_be_pickled() -> None:
    env = tabiya.pettingzoo.env("chaturaji")
    env.reset(seed=2)
    for _ in range(5):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    raw = env.unwrapped
    other = pickle.loads(pickle.dumps(raw))
    assert other.game.fen == raw.game.fen
    assert other.agent_selection == raw.agent_selection
    assert np.array_equal(other.last()[0]["action_mask"], raw.last()[0]["action_mask"])


def test_metadata() -> None:
    env = tabiya.pettingzoo.env("fourplayer-teams")
    assert env.metadata["name"] == str(env) == "tabiya_fourplayer-teams_v0"
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["render_modes"] == ["ansi", "human"]
    assert env.possible_agents == tabiya.Game("fourplayer-teams").players


def test_misuse_raises() -> None:
    with pytest.raises(ValueError, match="did you mean `chess`"):
        tabiya.pettingzoo.env("ches")
    with pytest.raises(TypeError, match="game is of type int, expected a str or a Game"):
        tabiya.pettingzoo.env(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_plies is 0"):
        tabiya.pettingzoo.env("chess", max_plies=0)
    with pytest.raises(ValueError, match="render_mode is 'rgb_array', expected None, 'ansi' or 'human'"):
        tabiya.pettingzoo.env("chess", render_mode="rgb_array")


MISSING = """
import sys
import tabiya
assert not {"pettingzoo", "gymnasium", "torch"} & set(sys.modules), "tabiya imports none of them"
sys.modules["pettingzoo"] = sys.modules["gymnasium"] = None
for name in ("pettingzoo", "gymnasium"):
    try:
        __import__(f"tabiya.{name}")
    except ImportError as error:
        assert f"pip install tabiya[{name}]" in str(error), error
    else:
        raise SystemExit(f"tabiya.{name} was imported")
"""


def test_missing_packages_are_named() -> None:
    subprocess.run([sys.executable, "-c", MISSING], check=True, timeout=60)
