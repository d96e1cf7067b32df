"""Everything public says what it is for, and its examples are true."""

import doctest
import inspect
from collections.abc import Iterator

import pytest

import tabiya


def documented() -> Iterator[tuple[str, object]]:
    """The package, and everything in it that somebody may call or read."""
    yield "tabiya", tabiya
    for name in tabiya.__all__:
        thing = getattr(tabiya, name)
        if name.startswith("_"):
            continue
        yield f"tabiya.{name}", thing
        if inspect.isclass(thing):
            for inner in vars(thing):
                if not inner.startswith("_"):
                    yield f"tabiya.{name}.{inner}", getattr(thing, inner)


@pytest.mark.parametrize(("name", "thing"), list(documented()), ids=lambda it: it if isinstance(it, str) else "")
def test_examples(name: str, thing: object) -> None:
    text = inspect.getdoc(thing)
    assert text, f"{name} has no docstring"
    test = doctest.DocTestParser().get_doctest(text, {**vars(tabiya)}, name, None, None)
    told: list[str] = []
    results = doctest.DocTestRunner().run(test, out=told.append)
    assert results.failed == 0, "".join(told)
