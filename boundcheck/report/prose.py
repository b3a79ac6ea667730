"""Keys, docstrings and labels turned into text that a page shows."""

from __future__ import annotations

import hashlib
import re

ACRONYMS = {"rkhs", "krr", "sgd", "mse", "psd"}
LABELLED = re.compile(r"^([A-Z][A-Za-z' -]{1,18}?)(?::\s+|\s{2,})(\S.*)$")


def split_key(key: str) -> tuple[str, str, str]:
    """(source, statement, claim) of a key; missing parts are empty.

    >>> split_key("wu2021/proposition_4_1:printed")
    ('wu2021', 'proposition_4_1', 'printed')
    """
    path, _, claim = key.partition(":")
    source, _, statement = path.partition("/")
    return source, statement, claim


def humane(name: str) -> str:
    """A file or attribute name as words.

    >>> humane("proposition_4_1"), humane("step_solve_xi")
    ('Proposition 4.1', 'Step solve xi')
    """
    text = re.sub(r"(?<=\d) (?=\d)", ".", name.replace("_", " ").strip())
    text = " ".join(word.upper() if word in ACRONYMS else word for word in text.split(" "))
    return text[:1].upper() + text[1:]


def slug(text: str) -> str:
    """A name safe in file names, fragments and attributes; one that had to be changed is told
    apart by a digest.

    >>> slug("lemma_1"), slug("../a b/c:d")
    ('lemma_1', 'a-b-c-d-b713b0c6')
    """
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", text).strip("-") or "unnamed"
    if plain == text:
        return plain
    return f"{plain}-{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()[:8]}"


def natural(text: str) -> list[tuple[int, int | str]]:
    """Sort key that puts lemma_2 before lemma_10."""
    return [(0, int(p)) if p.isdigit() else (1, p) for p in re.split(r"(\d+)", text) if p]


def heading(docstring: str) -> str:
    """The first line of a docstring, without a final full stop."""
    lines = docstring.strip().splitlines()
    return lines[0].strip().removesuffix(".") if lines else ""


def paragraphs(docstring: str) -> list[tuple[str, str]]:
    """(label, text) blocks after the first line; the label is "" for running text.

    >>> paragraphs("T.\\n\\nSetting    a kernel k,\\n           n points.\\nClaim      a <= b.")
    [('Setting', 'a kernel k, n points.'), ('Claim', 'a <= b.')]
    """
    blocks: list[tuple[str, list[str]]] = []
    fresh = True
    for raw in docstring.strip().splitlines()[1:]:
        line = raw.strip()
        if not line:
            fresh = True
            continue
        label = LABELLED.match(line) if raw[:1].strip() or fresh else None
        if label:
            blocks.append((label.group(1), [label.group(2)]))
        elif fresh or not blocks:
            blocks.append(("", [line]))
        else:
            blocks[-1][1].append(line)
        fresh = False
    return [(label, " ".join(lines)) for label, lines in blocks]
