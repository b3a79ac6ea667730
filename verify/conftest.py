"""Statement files are loaded by the library, not collected as tests."""

collect_ignore_glob = ["*/*.py"]
