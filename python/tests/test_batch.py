"""`BatchEnv` and `search`: the same games as one by one, on any number of threads, and every misuse."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tabiya

BatchEnv = tabiya.BatchEnv
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"
MATED = "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"
HUGE = 10**5000

Planes = NDArray[np.float32]


def zeros(env: tabiya.BatchEnv) -> Callable[[Planes], tuple[Any, Any]]:
    """Returns an evaluator without preferences: all logits and values are 0."""

    def evaluator(planes: Planes) -> tuple[Any, Any]:
        return np.zeros((len(planes), env.num_actions)), np.zeros((len(planes), len(env.players)))

    return evaluator


# Shapes, and agreement with single games.


@pytest.mark.parametrize("name", tabiya.games())
def test_shapes(name: str) -> None:
    env, game = BatchEnv(name, 3, threads=1), tabiya.Game(name)
    assert (env.n, len(env)) == (3, 3)
    assert env.players == game.players
    assert env.encoding == game.encoding
    assert env.planes == game.planes
    assert env.observation_shape == game.observation_shape
    assert env.num_actions == game.num_actions
    planes, mask = env.observe(), env.legal_mask()
    assert planes.dtype == np.float32
    assert planes.shape == (3, *game.observation_shape)
    assert planes.flags.c_contiguous
    assert mask.dtype == np.bool_
    assert mask.shape == (3, game.num_actions)
    assert env.to_move.shape == env.plies.shape == env.over.shape == (3,)
    actions = env.sample()
    assert mask[np.arange(3), actions].all()
    rewards, terminated, truncated = env.step(actions)
    assert rewards.dtype == np.float32
    assert rewards.shape == (3, len(game.players))
    assert terminated.shape == truncated.shape == (3,)
    assert env.plies.tolist() == [1, 1, 1]
    assert repr(env) == f"<BatchEnv {name}: 3 games>"


@pytest.mark.parametrize("name", ["chess", "gardner", "capablanca", "fourplayer", "trefoil"])
def test_agreement_with_single_games(name: str) -> None:
    env = BatchEnv(name, 4, seed=11, claims=False, autoreset=False)
    games = [tabiya.Game(name) for _ in range(4)]
    for _ in range(60):
        mask, planes, movers, over = env.legal_mask(), env.observe(), env.to_move, env.over
        for index, game in enumerate(games):
            assert np.array_equal(mask[index], game.legal_mask())
            assert env.players[movers[index]] == game.turn
            assert over[index] == game.is_over
            assert np.array_equal(planes[index], game.observe())
            assert env.states()[index].split()[:2] == game.fen.split()[:2]
        actions = env.sample()
        rewards, terminated, _ = env.step(actions)
        for game, action in zip(games, actions, strict=True):
            if action >= 0:
                game.push_action(action)
        for index, game in enumerate(games):
            assert terminated[index] == game.is_over
            if game.outcome is not None and not over[index]:
                won = [1.0 if player in game.outcome.winners else -1.0 for player in game.players]
                assert rewards[index].tolist() == (won if game.outcome.winners else [0.0] * len(won))


@pytest.mark.parametrize("name", ["chess", "chaturaji", "enochian"])
def test_the_same_seed_gives_the_same_games_on_any_threads(name: str) -> None:
    def trace(env: tabiya.BatchEnv) -> list[Any]:
        seen: list[Any] = []
        for _ in range(60):
            actions = env.sample()
            seen += [actions, env.observe(), *env.step(actions)]
        return seen

    def same(left: list[Any], right: list[Any]) -> bool:
        return all(np.array_equal(one, other) for one, other in zip(left, right, strict=True))

    envs = [BatchEnv(name, 40, seed=3, max_plies=25, threads=threads) for threads in (1, 2)]
    first = trace(envs[0])
    assert same(first, trace(envs[1]))
    envs[0].reset(seed=3)
    assert same(first, trace(envs[0]))
    envs[0].reset()
    envs[1].reset(seed=4)
    assert not same(first, trace(envs[0]))
    assert not same(first, trace(envs[1]))


def test_python_threads_step_two_environments() -> None:
    envs = [BatchEnv("chess", 32, seed=seed, threads=2) for seed in (1, 2)]
    alone = [BatchEnv("chess", 32, seed=seed, threads=1) for seed in (1, 2)]

    def play(env: tabiya.BatchEnv) -> None:
        for _ in range(60):
            env.step(env.sample())
            env.observe()

    workers = [threading.Thread(target=play, args=(env,)) for env in envs]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert not worker.is_alive()
    for env, other in zip(envs, alone, strict=True):
        play(other)
        assert env.states() == other.states()


def test_python_threads_share_one_environment_safely() -> None:
    env = BatchEnv("chess", 64, seed=1, threads=2)
    wrong: list[BaseException] = []

    def play() -> None:
        for _ in range(40):
            try:
                env.step(env.sample())
                env.observe()
            except (RuntimeError, tabiya.IllegalMove):
                # Another thread is using the environment, or has made a move.
                pass
            except BaseException as error:  # noqa: BLE001
                wrong.append(error)

    workers = [threading.Thread(target=play) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert wrong == []
    env.step(env.sample())


# Start and end of games.


def test_games_start_from_states() -> None:
    states = [START, MATE_IN_ONE]
    env = BatchEnv("chess", 64, states=states, seed=1)
    assert set(env.states()) == set(states)
    one = BatchEnv("chess", 2, states=[MATE_IN_ONE])
    mate = tabiya.ChessGame(MATE_IN_ONE).action_of("a1a8")
    rewards, terminated, truncated = one.step([mate, mate])
    assert rewards.tolist() == [[1.0, -1.0]] * 2
    assert terminated.all()
    assert not truncated.any()
    assert one.states() == [MATE_IN_ONE] * 2, "they have restarted"
    assert one.plies.tolist() == [0, 0]
    assert not one.over.any()


def test_games_start_from_a_game() -> None:
    game = tabiya.Game("enochian", layout="Fire of Fire", preset="zalewski", options={"SHARING": "NEVER"})
    env = BatchEnv(game, 2)
    assert env.players[env.to_move[0]] == game.turn == "RED"
    chess = tabiya.ChessGame()
    chess.push("e2e4")
    batch = BatchEnv(chess, 2)
    chess.push("e7e5")
    assert batch.to_move.tolist() == [1, 1]
    assert np.array_equal(batch.observe()[0], tabiya.ChessGame(batch.states()[0]).observe())
    assert "4P3" in batch.states()[0]


def test_finished_games_wait_for_reset() -> None:
    env = BatchEnv("chess", 2, states=[MATE_IN_ONE], autoreset=False)
    game = tabiya.ChessGame(MATE_IN_ONE)
    env.step([game.action_of("a1a8"), game.action_of("a1a2")])
    assert env.over.tolist() == [True, False]
    assert env.sample()[0] == -1
    assert not env.legal_mask()[0].any()
    actions = env.sample()
    before = env.states()
    with pytest.raises(tabiya.GameOver, match="game 0 is over: its action must be -1, not 5"):
        env.step([5, actions[1]])
    with pytest.raises(tabiya.IllegalMove, match="game 1: action -1 is out of range"):
        env.step([-1, -1])
    assert env.states() == before
    rewards, terminated, truncated = env.step(actions)
    assert rewards.tolist() == [[0.0, 0.0]] * 2, "a win is rewarded once"
    assert terminated.tolist() == [True, False]
    assert not truncated.any()
    assert env.reset_over() == 1
    assert env.reset_over() == 0
    assert env.plies.tolist() == [0, 2]
    assert not env.over.any()


def test_games_are_truncated() -> None:
    env = BatchEnv("chess", 3, max_plies=2, autoreset=False, seed=1)
    env.step(env.sample())
    rewards, terminated, truncated = env.step(env.sample())
    assert truncated.all()
    assert env.over.all()
    assert not terminated.any()
    assert not rewards.any()
    assert env.sample().tolist() == [-1, -1, -1]
    assert env.reset_over() == 3


def test_draws_are_claimed_or_not() -> None:
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    for claims in (True, False):
        env, game = BatchEnv("chess", 1, claims=claims, autoreset=False), tabiya.ChessGame()
        for move in moves:
            rewards, terminated, _ = env.step([game.action_of(move)])
            game.push(move)
        assert terminated.tolist() == [claims]
        assert not rewards.any()


@pytest.mark.parametrize("states", [[MATED], [START, MATED], [MATED, START, START]])
def test_autoreset_rejects_finished_states(states: list[str]) -> None:
    with pytest.raises(ValueError, match="over at the start"):
        BatchEnv("chess", 1, states=states)
    with pytest.raises(ValueError, match="over at the start"):
        BatchEnv(tabiya.ChessGame(MATED), 1)
    assert BatchEnv("chess", 1, states=[MATED], autoreset=False).over.all()


# Misuse.

WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: BatchEnv("ches", 1), ValueError, "did you mean `chess`"),
    (lambda: BatchEnv(3, 1), TypeError, "game is of type int, expected a str or a Game"),  # type: ignore[arg-type]
    (lambda: BatchEnv("chess", 0), ValueError, "n is 0, expected a number from 1"),
    (lambda: BatchEnv("chess", -4), ValueError, "n is -4"),
    (lambda: BatchEnv("chess", 2**20 + 1), ValueError, "an environment holds 1 to 1048576 games"),
    (lambda: BatchEnv("chess", 2**63 - 1), ValueError, "an environment holds 1 to 1048576 games"),
    (lambda: BatchEnv("chess", 2**64), ValueError, "n is 18446744073709551616"),
    (lambda: BatchEnv("chess", HUGE), ValueError, "n is out of range"),
    (lambda: BatchEnv("chess", 1.0), TypeError, "n is of type float, expected int"),  # type: ignore[arg-type]
    (lambda: BatchEnv("chess", "1"), TypeError, "n is of type str, expected int"),  # type: ignore[arg-type]
    (lambda: BatchEnv("chess", 1, threads=0), ValueError, "threads is 0, expected a number from 1"),
    (lambda: BatchEnv("chess", 1, max_plies=-1), ValueError, "max_plies is -1, expected a number from 1"),
    (lambda: BatchEnv("chess", 1, seed=-1), ValueError, "seed is -1"),
    (lambda: BatchEnv("chess", 1).reset(seed=-1), ValueError, "seed is -1"),
    (lambda: BatchEnv("chess", 1).reset(seed=0.5), TypeError, "seed is of type float"),  # type: ignore[arg-type]
    (lambda: BatchEnv("chess", 1, states=[]), ValueError, "states is empty"),
    (lambda: BatchEnv("chess", 1, states=[START, "nonsense"]), tabiya.BadState, "fields"),
    (lambda: BatchEnv("chess", 1, states=START), TypeError, "Can't extract `str` to `Vec`"),
    (lambda: BatchEnv("chess", 1, encoding="other"), ValueError, "other"),
    (lambda: BatchEnv("gardner", 1, encoding="canonical18"), ValueError, "canonical18"),
    (lambda: BatchEnv("gardner", 1).observe_compact(), ValueError, "only the encoding canonical18"),
    (lambda: BatchEnv("chess", 2).step([3797]), ValueError, "there are 2 games and 1 actions"),
    (lambda: BatchEnv("chess", 2).step([]), Exception, "actions"),
    (lambda: BatchEnv("chess", 2).step(3797), ValueError, "actions have shape (), expected one dimension"),
    (lambda: BatchEnv("chess", 2).step([[3797, 3797]]), ValueError, "actions have shape (1, 2)"),
    (lambda: BatchEnv("chess", 1).step([3797.0]), TypeError, "actions are float64, expected integers"),
    (lambda: BatchEnv("chess", 1).step([True]), TypeError, "actions are bool, expected integers"),
    (lambda: BatchEnv("chess", 1).step(["e2e4"]), TypeError, "expected integers"),
    (lambda: BatchEnv("chess", 1).step([HUGE]), TypeError, "expected integers"),
    (lambda: BatchEnv("chess", 1).step([2**63]), ValueError, "too large to be an action"),
    (lambda: BatchEnv("chess", 1).step([4672]), tabiya.IllegalMove, "out of range 0 to 4671"),
    (lambda: BatchEnv("chess", 1).step([-2]), tabiya.IllegalMove, "out of range 0 to 4671"),
    (lambda: BatchEnv("chess", 1).step(None), TypeError, "actions are object"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("wrong", "error", "says"), WRONG, ids=[says for _, _, says in WRONG])
def test_misuse_raises(wrong: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error) as caught:
        wrong()
    assert says in str(caught.value)
    assert len(str(caught.value)) < 5000


@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_action_changes_no_game(threads: int) -> None:
    env = BatchEnv("chess", 50, seed=2, threads=threads)
    env.step(env.sample())
    before, planes, plies = env.states(), env.observe(), env.plies
    for index, bad in [(0, 0), (25, 4671), (49, 99_999)]:
        actions = env.legal_mask().argmax(axis=1)
        actions[index] = bad
        with pytest.raises(tabiya.IllegalMove, match=f"game {index}: "):
            env.step(actions)
        assert env.states() == before
        assert np.array_equal(env.observe(), planes)
        assert np.array_equal(env.plies, plies)
    env.step(env.sample())


def test_actions_of_any_integer_type() -> None:
    kinds: list[Any] = [np.int64, np.int32, np.uint16, np.uint64, ">i8"]
    for kind in kinds:
        env = BatchEnv("chess", 2)
        env.step(np.array([3797, 3797], kind))
        assert env.plies.tolist() == [1, 1]
    env = BatchEnv("chess", 2)
    env.step(np.array([3797, 0, 3797, 0])[::2])
    assert env.plies.tolist() == [1, 1]


def filled(**changes: Any) -> Any:
    return np.full(**{"shape": (2, 8, 8, 18), "dtype": np.float32, "fill_value": 9, **changes})


def read_only() -> Any:
    array = filled()
    array.flags.writeable = False
    return array


def unaligned() -> Any:
    return np.zeros(2 * 8 * 8 * 18 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(2, 8, 8, 18)


OUTS: list[tuple[Any, type[Exception], str]] = [
    (filled(shape=(3, 8, 8, 18)), ValueError, "out has shape (3, 8, 8, 18), expected (2, 8, 8, 18)"),
    (filled(shape=(2, 18, 8, 8)), ValueError, "out has shape (2, 18, 8, 8), expected (2, 8, 8, 18)"),
    (filled(shape=(2 * 8 * 8 * 18,)), ValueError, "out has shape (2304,), expected (2, 8, 8, 18)"),
    (filled(dtype=np.float64), TypeError, "out is float64, expected float32"),
    (filled(dtype=np.int32), TypeError, "out is int32, expected float32"),
    (filled(dtype=">f4"), TypeError, "out is >f4, expected float32"),
    (filled(order="F"), ValueError, "out is not C-contiguous"),
    (filled(shape=(4, 8, 8, 18))[::2], ValueError, "out is not C-contiguous"),
    (filled(shape=(2, 18, 8, 8)).transpose(0, 2, 3, 1), ValueError, "out is not C-contiguous"),
    (unaligned(), ValueError, "out is not aligned"),
    (read_only(), ValueError, "out is read-only"),
    ([[0.0]], TypeError, "out is of type list, expected numpy.ndarray of float32"),
    (memoryview(bytearray(9216)), TypeError, "out is of type memoryview"),
]


@pytest.mark.parametrize(("out", "error", "says"), OUTS, ids=[says for _, _, says in OUTS])
def test_arrays_that_do_not_fit(out: Any, error: type[Exception], says: str) -> None:
    env = BatchEnv("chess", 2)
    for fill in (env.observe, lambda out: tabiya.expand(*env.observe_compact(), out=out)):
        before = np.array(out)
        with pytest.raises(error) as caught:
            fill(out=out)
        assert says in str(caught.value)
        assert np.array_equal(before, np.array(out)), "nothing is written"


def test_masks_that_do_not_fit() -> None:
    env = BatchEnv("chess", 2)
    numbers: Any = np.zeros((2, 4672), np.int8)
    with pytest.raises(TypeError, match="out is int8, expected bool"):
        env.legal_mask(out=numbers)
    with pytest.raises(ValueError, match=r"out has shape \(2, 4671\), expected \(2, 4672\)"):
        env.legal_mask(out=np.zeros((2, 4671), np.bool_))
    with pytest.raises(ValueError, match="out is not C-contiguous"):
        env.legal_mask(out=np.zeros((2, 4672), np.bool_, order="F"))


def test_arrays_that_fit_are_filled_and_returned() -> None:
    env = BatchEnv("chess", 2)
    many = filled(shape=(4, 8, 8, 18))
    part = many[1:3]
    assert env.observe(out=part) is part
    assert np.array_equal(part, env.observe())
    assert (many[[0, 3]] == 9).all()
    mask = np.ones((2, 4672), np.bool_)
    assert env.legal_mask(out=mask) is mask
    assert mask.sum() == 40
    numbers = np.ones((2, 4672), np.int8)
    env.legal_mask(out=numbers.view(np.bool_))
    assert numbers.sum() == 40


# Compact observations.


def test_compact_observations_expand_to_the_same_planes() -> None:
    env = BatchEnv("chess", 50, seed=5, claims=False)
    out = np.empty((50, 8, 8, 18), np.float32)
    for _ in range(80):
        planes, repetitions = env.observe_compact()
        assert (planes.dtype, planes.shape) == (np.dtype(np.uint64), (50, 18))
        assert (repetitions.dtype, repetitions.shape) == (np.dtype(np.uint8), (50,))
        assert tabiya.expand(planes, repetitions, out=out) is out
        assert np.array_equal(out, env.observe())
        env.step(env.sample())


def test_invalid_compact_observations_are_rejected() -> None:
    planes, repetitions = BatchEnv("chess", 3).observe_compact()
    with pytest.raises(ValueError, match=r"planes has shape \(3, 17\), expected \(3, 18\)"):
        tabiya.expand(planes[:, :17], repetitions)
    with pytest.raises(ValueError, match=r"planes has shape \(3, 18\), expected \(2, 18\)"):
        tabiya.expand(planes, repetitions[:2])
    for count in (0, 4, 255):
        bad = np.array([1, count, 1], np.uint8)
        with pytest.raises(ValueError, match="game 1: "):
            tabiya.expand(planes, bad)
    others: list[tuple[Any, Any]] = [
        (planes.astype(np.int64), repetitions),
        (planes, repetitions.astype(np.int64)),
        (planes.tolist(), repetitions),
        (planes[0], repetitions),
    ]
    for sets, counts in others:
        with pytest.raises(TypeError):
            tabiya.expand(sets, counts)
    uneven = planes.copy()
    uneven[2, 14] = 1
    with pytest.raises(ValueError, match="game 2: plane 14 "):
        tabiya.expand(uneven, repetitions)
    crowded = planes.copy()
    crowded[0, 3] |= crowded[0, 0]
    with pytest.raises(ValueError, match="game 0: plane 3 shares a cell with an earlier plane"):
        tabiya.expand(crowded, repetitions)
    # Any memory layout can be read.
    assert np.array_equal(
        tabiya.expand(np.asfortranarray(planes), repetitions), tabiya.expand(planes, repetitions)
    )
    assert tabiya.expand(planes[:0], repetitions[:0]).shape == (0, 8, 8, 18)


# Search.


@pytest.mark.parametrize("method", ["puct", "gumbel"])
def test_a_mate_in_one_is_found(method: Any) -> None:
    env = BatchEnv("chess", 3, states=[MATE_IN_ONE])
    before = env.states()
    found = tabiya.search(env, zeros(env), simulations=128, method=method, gumbel_scale=0.0)
    mate = tabiya.ChessGame(MATE_IN_ONE).action_of("a1a8")
    assert found.actions.tolist() == [mate] * 3
    assert found.policy.shape == (3, 4672)
    assert np.allclose(found.policy.sum(axis=1), 1.0, atol=1e-4)
    assert not found.policy[~env.legal_mask()].any()
    assert found.values.shape == (3, 2)
    assert (found.values[:, 0] > 0.1).all()
    assert np.allclose(found.values[:, 0], -found.values[:, 1], atol=1e-5)
    assert env.states() == before
    rewards, terminated, _ = env.step(found.actions)
    assert terminated.all()
    assert (rewards[:, 0] == 1.0).all()


@pytest.mark.parametrize("method", ["puct", "gumbel"])
@pytest.mark.parametrize("name", ["fourplayer", "trefoil", "chaturaji"])
def test_search_for_many_players(name: str, method: Any) -> None:
    env = BatchEnv(name, 2, seed=1)
    found = tabiya.search(env, zeros(env), simulations=12, method=method, seed=3)
    assert found.values.shape == (2, len(env.players))
    again = tabiya.search(env, zeros(env), simulations=12, method=method, seed=3)
    assert np.array_equal(found.policy, again.policy)
    assert np.array_equal(found.actions, again.actions)
    env.step(found.actions)
    with pytest.raises(ValueError, match=r"evaluator: values has shape \(2,\), expected \(2, [34]\)"):
        tabiya.search(env, lambda planes: (np.zeros((len(planes), env.num_actions)), np.zeros(len(planes))))


def test_finished_games_are_not_searched() -> None:
    env = BatchEnv("chess", 2, states=[MATE_IN_ONE], autoreset=False)
    game = tabiya.ChessGame(MATE_IN_ONE)
    env.step([game.action_of("a1a8"), game.action_of("a1a2")])
    found = tabiya.search(env, zeros(env), simulations=4)
    assert found.actions[0] == -1
    assert not found.policy[0].any()
    assert not found.values[0].any()
    assert env.legal_mask()[1, found.actions[1]]


class Odd(Exception):
    """An exception that only this test raises."""


def test_exceptions_of_the_evaluator_propagate() -> None:
    env = BatchEnv("chess", 2, seed=1)
    odd = Odd("mine")
    calls = 0

    def evaluator(planes: Planes) -> tuple[Any, Any]:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise odd
        return zeros(env)(planes)

    before, planes = env.states(), env.observe()
    with pytest.raises(Odd) as caught:
        tabiya.search(env, evaluator)
    assert caught.value is odd
    assert env.states() == before
    assert np.array_equal(env.observe(), planes)
    env.step(env.sample())


def test_an_evaluator_may_read_but_not_change_the_games() -> None:
    env = BatchEnv("chess", 2, seed=1)

    def reading(planes: Planes) -> tuple[Any, Any]:
        assert env.observe().shape == (2, 8, 8, 18)
        return zeros(env)(planes)

    tabiya.search(env, reading, simulations=4)

    def stepping(planes: Planes) -> tuple[Any, Any]:
        env.step([3797, 3797])
        return zeros(env)(planes)

    with pytest.raises(RuntimeError, match="[Bb]orrow"):
        tabiya.search(env, stepping, simulations=4)
    assert env.plies.tolist() == [0, 0]


def logits(value: float = 0.0, n: int = 2, actions: int = 4672) -> Planes:
    return np.full((n, actions), value, np.float32)


def values(value: float = 0.0, n: int = 2) -> Planes:
    return np.full(n, value, np.float32)


EVALUATIONS: list[tuple[Any, type[Exception], str]] = [
    (None, TypeError, "evaluator returned NoneType, expected a tuple (logits, values)"),
    (logits(), TypeError, "evaluator returned ndarray, expected a tuple"),
    ([logits(), values()], TypeError, "evaluator returned list, expected a tuple"),
    ((logits(), values(), 1), TypeError, "evaluator returned tuple, expected a tuple (logits, values)"),
    ((logits(n=1), values()), ValueError, "evaluator: logits has shape (1, 4672), expected (2, 4672)"),
    ((logits(actions=4671), values()), ValueError, "evaluator: logits has shape (2, 4671)"),
    ((logits(), values(n=3)), ValueError, "evaluator: values has shape (3,), expected (2, 2) or (2,)"),
    ((logits(), 0.0), ValueError, "evaluator: values has shape ()"),
    ((logits(), None), ValueError, "evaluator: values has shape ()"),
    (("logits", values()), TypeError, "evaluator: logits: "),
    ((logits(float("nan")), values()), ValueError, "evaluator: "),
    ((logits(), values(float("nan"))), ValueError, "evaluator: "),
    ((logits(), values(float("inf"))), ValueError, "evaluator: "),
    ((logits(), values(1.5)), ValueError, "evaluator: "),
    ((logits(), values(-1.5)), ValueError, "evaluator: "),
]


@pytest.mark.parametrize(("answer", "error", "says"), EVALUATIONS, ids=range(len(EVALUATIONS)))
@pytest.mark.parametrize("method", ["puct", "gumbel"])
def test_invalid_evaluations(answer: Any, error: type[Exception], says: str, method: Any) -> None:
    env = BatchEnv("chess", 2, seed=1)
    before = env.states()
    with pytest.raises(error) as caught:
        tabiya.search(env, lambda _: answer, method=method)
    assert says in str(caught.value)
    assert env.states() == before
    assert np.array_equal(tabiya.search(env, zeros(env), simulations=2).values.shape, (2, 2))


def test_evaluations_of_any_form() -> None:
    env = BatchEnv("chess", 2, seed=1)
    plain = tabiya.search(env, zeros(env), simulations=8)
    shaped = tabiya.search(env, lambda p: (np.zeros((len(p), 8, 8, 73), np.float64), [0] * len(p)), simulations=8)
    probabilities = tabiya.search(
        env, lambda p: (np.full((len(p), 4672), 0.25), np.zeros(len(p))), simulations=8, priors="probabilities"
    )
    assert np.array_equal(plain.policy, shaped.policy)
    assert np.array_equal(plain.policy, probabilities.policy)
    with pytest.raises(ValueError, match=r"probabilities\[0, 0\] is -1, below 0"):
        tabiya.search(env, lambda p: (logits(-1.0, len(p)), values(0.0, len(p))), priors="probabilities")


def test_logits_of_illegal_actions_are_ignored() -> None:
    env = BatchEnv("chess", 2, seed=1)
    plain = tabiya.search(env, zeros(env), simulations=1)
    for other in (-np.inf, np.nan, 1e30):
        masked = tabiya.search(
            env, lambda p: (np.where(env.legal_mask(), 0.0, other), values(0.0, len(p))), simulations=1
        )
        assert np.array_equal(plain.policy, masked.policy)
    with pytest.raises(ValueError, match=r"evaluator: logits\[0\] gives every legal move the probability 0"):
        tabiya.search(env, lambda p: (logits(-np.inf, len(p)), values(0.0, len(p))))


SETTINGS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"simulations": 0}, ValueError, "simulations is 0, expected a number from 1"),
    ({"simulations": -1}, ValueError, "simulations is -1"),
    ({"simulations": 2.0}, TypeError, "simulations is of type float"),
    ({"simulations": 10**9}, ValueError, "simulations is 1000000000, expected a number from 1 to 1000000"),
    ({"method": "PUCT"}, ValueError, "method is `PUCT`, expected `puct` or `gumbel`"),
    ({"method": "x" * 10**6}, ValueError, "expected `puct` or `gumbel`"),
    ({"method": None}, TypeError, "not an instance of 'str'"),
    ({"priors": "softmax"}, ValueError, "priors is `softmax`, expected `logits` or `probabilities`"),
    ({"c_puct": -1.0}, ValueError, "c_puct is -1"),
    ({"c_puct": float("nan")}, ValueError, "c_puct is NaN"),
    ({"gumbel_scale": float("inf")}, ValueError, "gumbel_scale is inf"),
    ({"dirichlet": (0.0, 0.25)}, ValueError, "the alpha of dirichlet is below 0.001"),
    ({"dirichlet": (0.3, 1.5)}, ValueError, "the fraction of dirichlet is 1.5, expected a number from 0 to 1"),
    ({"dirichlet": 0.3}, TypeError, "not an instance of 'tuple'"),
    ({"considered": 0}, ValueError, "considered is 0"),
    ({"seed": -1}, ValueError, "seed is -1"),
]


@pytest.mark.parametrize(("settings", "error", "says"), SETTINGS, ids=[str(one)[:40] for one, _, _ in SETTINGS])
def test_invalid_settings(settings: dict[str, Any], error: type[Exception], says: str) -> None:
    env = BatchEnv("chess", 1)
    with pytest.raises(error) as caught:
        tabiya.search(env, zeros(env), **settings)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 5000


def test_search_needs_an_environment_and_a_function() -> None:
    env = BatchEnv("chess", 1)
    with pytest.raises(TypeError, match="evaluator is of type int, expected a callable"):
        tabiya.search(env, 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="BatchEnv"):
        tabiya.search(tabiya.ChessGame(), zeros(env))  # type: ignore[arg-type]


def test_search_with_noise_at_the_root() -> None:
    env = BatchEnv("chess", 1)
    kinds: list[dict[str, Any]] = [{"dirichlet": (0.3, 0.5)}, {"method": "gumbel"}]
    for kind in kinds:
        found = [tabiya.search(env, zeros(env), simulations=16, seed=seed, **kind) for seed in range(6)]
        assert len({int(each.actions[0]) for each in found}) > 1
