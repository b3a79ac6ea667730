"""The list of a library comes from the cache, and never an old one."""

import pytest

from boundcheck import catalogue as module
from boundcheck.catalogue import catalogue
from boundcheck.errors import UnknownKey


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "boundcheck" / "lists"


@pytest.fixture
def no_loading(monkeypatch):
    """A second look that loads the library again fails."""
    def begin():
        def load(*arguments):
            raise AssertionError("loaded again")
        monkeypatch.setattr(module, "load_library", load)
    return begin


def test_a_second_list_loads_nothing(small_library, cache, no_loading):
    first = catalogue(str(small_library))
    assert first["mine/lemma_2:printed"].where == "Lemma 2"
    assert len(list(cache.iterdir())) == 1
    no_loading()
    again = catalogue(str(small_library), ["mine/lemma"])
    assert again.claims == first.claims and again.select(["mine/lemma"]) == ["mine/lemma_2:printed"]
    with pytest.raises(UnknownKey, match="matches no claim"):
        again.select(["yours"])


def test_a_change_of_a_statement_is_seen(small_library):
    path = small_library / "mine" / "lemma_2.py"
    assert catalogue(str(small_library))["mine/lemma_2:printed"].where == "Lemma 2"
    path.write_text(path.read_text().replace("Lemma 2", "Lemma 7"))
    assert "mine/lemma_2:printed" in module.load_library(str(small_library)).claims
    shelf = catalogue(str(small_library))
    assert list(shelf.claims) == ["mine/lemma_2:printed", "mine/theorem_1:printed"]
    assert module._path(small_library) != module._path(small_library.parent)


def test_a_library_with_a_broken_file_is_not_kept(small_library, cache):
    (small_library / "mine" / "lemma_3.py").write_text("raise OSError('gone')")
    for _ in range(2):
        assert "OSError" in catalogue(str(small_library)).broken["mine/lemma_3"]
    assert not cache.exists()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a/b:c": {"form": "Holds"}}', '{"a": 1}',
                                  '{"a/b:c": {"form": 1, "where": "", "title": ""}}', "[" * 9999])
def test_a_file_that_is_no_catalogue_is_none(small_library, cache, text):
    before = catalogue(str(small_library)).claims
    next(cache.iterdir()).write_text(text)
    assert catalogue(str(small_library)).claims == before


def test_the_cache_stays_small(small_library, cache):
    cache.mkdir(parents=True)
    for number in range(2 * module.MOST):
        (cache / f"{number}.json").write_text("{}")
    catalogue(str(small_library))
    assert len(list(cache.iterdir())) == module.MOST


def test_without_a_place_for_caches_the_list_is_made_each_time(small_library, cache):
    cache.parent.parent.write_text("a file")
    assert len(catalogue(str(small_library)).claims) == 2
