"""The examples learn: what is true about king and queen against king, and a small run of the whole loop."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import tabiya

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name: str) -> ModuleType:
    """One of the examples, which are files and no package."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec and spec.loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


kqk5 = example("kqk5")
numpy_loop = example("train_numpy")


@pytest.fixture(scope="module")
def endgame():  # type: ignore[no-untyped-def]
    return kqk5.Endgame.solve()


def test_games_begin_where_they_are_told_to() -> None:
    env = tabiya.BatchEnv("gardner", 2, autoreset=False)
    states = ["k4/5/1QK2/5/5 w - - 0 1", "k4/1Q3/2K2/5/5 b - - 0 1"]
    env.reset(states=states)
    assert env.states() == states
    assert env.over.tolist() == [False, True]
    with pytest.raises(ValueError, match="there are 2 games and 1 states"):
        env.reset(states=states[:1])
    with pytest.raises(tabiya.BadState):
        env.reset(states=[states[0], "no board"])
    assert env.states() == states


def test_the_truth_about_all_positions(endgame) -> None:  # type: ignore[no-untyped-def]
    # On 5 by 5 squares there are 25 * 25 - (4 * 4 + 12 * 6 + 9 * 9) = 456 places for kings that are apart, and 23 for the queen.
    assert len(kqk5.placements("w")) == len(kqk5.placements("b")) == 456 * 23
    assert len(set(endgame.states)) == len(endgame.states) == 4976
    # White always wins, and never needs more than six moves. All counts but those of positions that are their own mirror image
    # come eight times.
    assert np.bincount(endgame.distance).tolist() == [0, 464, 804, 1372, 2000, 328, 8]
    assert (endgame.shortens & ~endgame.legal).sum() == 0
    assert endgame.shortens.any(1).all()
    assert 0.15 < endgame.chance < 0.17


def test_distances_hold_in_play(endgame) -> None:  # type: ignore[no-untyped-def]
    """A move that shortens and the best defence, by turns, mate after just as many moves; and no defence holds out longer."""
    dice = np.random.default_rng(5)
    for place in dice.choice(len(endgame.states), 60, replace=False):
        game = tabiya.Game.from_spec(kqk5.SPEC, state=endgame.states[place])
        assert set(game.legal_actions()) == set(np.flatnonzero(endgame.legal[place]))
        moves = 0
        while not game.is_over:
            here = endgame.states.index(kqk5.key(game.fen) + " - - 0 1")
            assert endgame.distance[here] == endgame.distance[place] - moves
            game.push_action(int(dice.choice(np.flatnonzero(endgame.shortens[here]))))
            moves += 1
            if not game.is_over:
                game.push_action(endgame.defence[kqk5.key(game.fen)])
        assert game.outcome == tabiya.Outcome(("WHITE",), "checkmate")
        assert moves == endgame.distance[place]


def test_mates_are_proved_by_brute_force(endgame) -> None:  # type: ignore[no-untyped-def]
    """Mates in one and two, and that there are none sooner, by trying everything."""

    def mates(game: tabiya.Game, moves: int) -> bool:
        """Whether White, who is to move, mates in so many moves."""
        for move in game.legal_moves:
            game.push(move)
            is_mate = game.outcome is not None and game.outcome.reason == "checkmate"
            if moves > 1 and not game.is_over:
                is_mate = True
                for answer in game.legal_moves:
                    game.push(answer)
                    is_mate = not game.is_over and mates(game, moves - 1)
                    game.undo()
                    if not is_mate:
                        break
            game.undo()
            if is_mate:
                return True
        return False

    for place in np.random.default_rng(6).choice(len(endgame.states), 25, replace=False):
        game = tabiya.Game.from_spec(kqk5.SPEC, state=endgame.states[place])
        found = next((moves for moves in (1, 2) if mates(game, moves)), 3)
        assert found == min(endgame.distance[place], 3)


def test_a_perfect_net_is_seen_as_perfect(endgame) -> None:  # type: ignore[no-untyped-def]
    """The measures, measured: a net that knows the truth has all of both, one that knows nothing little."""
    known = {planes.tobytes(): place for place, planes in enumerate(endgame.planes)}
    quiet = endgame.game.planes.index("quiet")

    def perfect(planes):  # type: ignore[no-untyped-def]
        planes = planes.copy()
        planes[..., quiet] = 0
        places = [known.get(it.tobytes(), -1) for it in planes]
        return np.array([endgame.shortens[it] * 20.0 if it >= 0 else np.zeros(800) for it in places]), np.zeros(len(places))

    assert endgame.shortening(perfect) == 1
    some = np.random.default_rng(7).choice(endgame.won, 100, replace=False)
    assert endgame.mates(perfect, simulations=4, places=some) == 1
    assert endgame.shortening(endgame.ignorant) < 0.3
    assert endgame.mates(endgame.ignorant, places=some) < 0.6


def test_the_backward_pass_is_the_slope_of_the_loss() -> None:
    """Every layer: what is written out is what small changes of the weights do."""
    dice = np.random.default_rng(8)
    net = numpy_loop.Net(6, 5, numpy_loop.Settings(hidden=7), dice)
    net.weights = {name: dice.standard_normal(weights.shape) for name, weights in net.weights.items()}
    x, legal = dice.standard_normal((9, 6)), dice.random((9, 5)) < 0.6
    legal[:, 0] = True
    policy = np.where(legal, dice.random((9, 5)), 0)
    policy /= policy.sum(1, keepdims=True)
    batch = x, legal, policy, dice.uniform(-1, 1, 9)
    _, gradients = net.slopes(*batch)
    for name, weights in net.weights.items():
        for place in np.ndindex(weights.shape):
            kept, sides = weights[place], []
            for change in (1e-6, -1e-6):
                weights[place] = kept + change
                sides.append(net.slopes(*batch)[0])
            weights[place] = kept
            assert gradients[name][place] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-3, abs=1e-6), (name, place)


def test_the_small_loop_learns(tmp_path: Path) -> None:
    """As its user runs it: from a net that knows nothing to one that clearly knows something."""
    file = tmp_path / "curve.json"
    command = [sys.executable, "-B", str(EXAMPLES / "train_numpy.py"), "--small", "--json", str(file)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""})
    curve = json.loads(file.read_text())["curve"]
    assert curve[0]["shortening"] < 0.3, told.stdout
    assert curve[-1]["shortening"] > 0.4, told.stdout
    assert curve[0]["mates"] < 0.6, told.stdout
    assert curve[-1]["mates"] >= 0.95, told.stdout
