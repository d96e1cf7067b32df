"""The training examples: the solved endgame is correct, and a small run learns."""

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
    """Imports an example by its file name."""
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


def test_games_start_from_given_states() -> None:
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


def test_all_positions_are_solved(endgame) -> None:  # type: ignore[no-untyped-def]
    # On 5×5 squares there are 25 * 25 - (4 * 4 + 12 * 6 + 9 * 9) = 456 placements of separated kings, and 23 squares for the queen.
    assert len(kqk5.placements("w")) == len(kqk5.placements("b")) == 456 * 23
    assert len(set(endgame.states)) == len(endgame.states) == 4976
    # White always wins in at most six moves. Counts are multiples of eight, except for positions that are their own mirror image.
    assert np.bincount(endgame.distance).tolist() == [0, 464, 804, 1372, 2000, 328, 8]
    assert (endgame.shortens & ~endgame.legal).sum() == 0
    assert endgame.shortens.any(1).all()
    assert 0.15 < endgame.chance < 0.17


def test_distances_hold_in_play(endgame) -> None:  # type: ignore[no-untyped-def]
    """Shortest wins against the best defence take exactly the computed number of moves, and no defence lasts longer."""
    rng = np.random.default_rng(5)
    for place in rng.choice(len(endgame.states), 60, replace=False):
        game = tabiya.Game.from_spec(kqk5.SPEC, state=endgame.states[place])
        assert set(game.legal_actions()) == set(np.flatnonzero(endgame.legal[place]))
        moves = 0
        while not game.is_over:
            here = endgame.states.index(kqk5.key(game.fen) + " - - 0 1")
            assert endgame.distance[here] == endgame.distance[place] - moves
            game.push_action(int(rng.choice(np.flatnonzero(endgame.shortens[here]))))
            moves += 1
            if not game.is_over:
                game.push_action(endgame.defence[kqk5.key(game.fen)])
        assert game.outcome == tabiya.Outcome(("WHITE",), "checkmate")
        assert moves == endgame.distance[place]


def test_mates_agree_with_brute_force(endgame) -> None:  # type: ignore[no-untyped-def]
    """Checks mates in one and two by trying all moves."""

    def mates(game: tabiya.Game, moves: int) -> bool:
        """Whether White, to move, mates within `moves` moves."""
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


def test_metrics_recognise_a_perfect_net(endgame) -> None:  # type: ignore[no-untyped-def]
    """A perfect evaluator scores 100 %, and one without preferences scores little."""
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
    assert endgame.shortening(endgame.uniform) < 0.3
    assert endgame.mates(endgame.uniform, places=some) < 0.6


def test_the_backward_pass_is_the_gradient_of_the_loss() -> None:
    """Compares the gradients of every layer with finite differences."""
    rng = np.random.default_rng(8)
    net = numpy_loop.Net(6, 5, numpy_loop.Settings(hidden=7), rng)
    net.weights = {name: rng.standard_normal(weights.shape) for name, weights in net.weights.items()}
    x, legal = rng.standard_normal((9, 6)), rng.random((9, 5)) < 0.6
    legal[:, 0] = True
    policy = np.where(legal, rng.random((9, 5)), 0)
    policy /= policy.sum(1, keepdims=True)
    batch = x, legal, policy, rng.uniform(-1, 1, 9)
    _, gradients = net.gradients(*batch)
    for name, weights in net.weights.items():
        for place in np.ndindex(weights.shape):
            kept, sides = weights[place], []
            for change in (1e-6, -1e-6):
                weights[place] = kept + change
                sides.append(net.gradients(*batch)[0])
            weights[place] = kept
            assert gradients[name][place] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-3, abs=1e-6), (name, place)


def test_the_small_loop_learns(tmp_path: Path) -> None:
    """Runs the script as a user would; the net clearly improves."""
    file = tmp_path / "curve.json"
    command = [sys.executable, "-B", str(EXAMPLES / "train_numpy.py"), "--small", "--json", str(file)]
    result = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""})
    curve = json.loads(file.read_text())["curve"]
    assert curve[0]["shortening"] < 0.3, result.stdout
    assert curve[-1]["shortening"] > 0.4, result.stdout
    assert curve[0]["mates"] < 0.6, result.stdout
    assert curve[-1]["mates"] >= 0.95, result.stdout
