"""Small libraries for tests of the command line and of discovery."""

import pytest

from boundcheck.environment import settle_threads
from boundcheck.skeleton import write_skeleton

settle_threads()

FALSE = '''"""A false tail bound."""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Real

from . import WORK

u, v = symbols("u v", real=True)

printed = Claim(
    source=WORK.at("Lemma 2"), statement=Holds(u**2 <= u * v + v**2), given=[u >= v],
    parameters={u: Real(0, 2), v: Real(0, 2)},
)
'''


def pytest_configure(config):
    config.addinivalue_line("markers", "long: a test that runs with --boundcheck-budget thorough")


def pytest_collection_modifyitems(config, items):
    """What takes longest on its own is run when there is time for all."""
    if config.getoption("--boundcheck-budget") == "thorough":
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="long: run with --boundcheck-budget thorough"))


@pytest.fixture(autouse=True, scope="session")
def caches(tmp_path_factory):
    """What tests leave in caches is theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def build_small_library():
    """Builds, below a folder, a root with Markov's inequality (true) and a false one."""

    def build(folder):
        root = folder / "library"
        write_skeleton("mine/theorem_1", root)
        (root / "mine" / "lemma_2.py").write_text(FALSE)
        return root

    return build


@pytest.fixture
def small_library(build_small_library, tmp_path):
    """A root with Markov's inequality (true) and a false polynomial inequality."""
    return build_small_library(tmp_path)
