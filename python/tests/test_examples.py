"""Everything public has a docstring, and its examples run."""

import doctest
import importlib.util
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import tabiya
import tabiya.gymnasium
import tabiya.pettingzoo

MODULES = [tabiya, tabiya.gymnasium, tabiya.pettingzoo]
FOLDER = Path(__file__).parents[1] / "examples"


def documented() -> Iterator[tuple[str, object, ModuleType]]:
    """Lists the package and all its public members."""
    for module in MODULES:
        yield module.__name__, module, module
        for name in module.__all__:
            thing = getattr(module, name)
            if name.startswith("_"):
                continue
            yield f"{module.__name__}.{name}", thing, module
            if inspect.isclass(thing):
                for inner in vars(thing):
                    if not inner.startswith("_"):
                        yield f"{module.__name__}.{name}.{inner}", getattr(thing, inner), module


THINGS = list(documented())


@pytest.mark.parametrize(("name", "thing", "module"), THINGS, ids=[name for name, _, _ in THINGS])
def test_examples(name: str, thing: object, module: ModuleType) -> None:
    text = inspect.getdoc(thing)
    assert text, f"{name} has no docstring"
    test = doctest.DocTestParser().get_doctest(text, {**vars(module)}, name, None, None)
    output: list[str] = []
    results = doctest.DocTestRunner().run(test, out=output.append)
    assert results.failed == 0, "".join(output)


# The training examples run in test_learning.py.
PROGRAMS = [file for file in sorted(FOLDER.glob("*.py")) if not file.stem.startswith("train")]


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_programs(file: Path) -> None:
    ran = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=120)
    if "torch" in file.stem and importlib.util.find_spec("torch") is None:
        assert ran.returncode != 0
        assert "pip install tabiya[torch]" in ran.stderr
        assert "Traceback" not in ran.stderr
    else:
        assert ran.returncode == 0, ran.stderr
