"""The command line. Exit 0 done, 1 an expectation failed, 2 wrong use (one line on stderr)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from boundcheck.boundary.messages import one_line
from boundcheck.commands import at, diagnose, errata, replay
from boundcheck.exits import finish
from boundcheck.explore.commands import register
from boundcheck.options import BudgetName, ClusterAddress, Jobs, LimitOptions, Root, Seed, Selectors

app = typer.Typer(
    name="boundcheck",
    help="Theorems of learning theory, checked exactly as printed.\n\n"
    "Start with `boundcheck list`, then `boundcheck verify wu2021/proposition_4_1`.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main(arguments: list[str] | None = None) -> None:
    """Entry point: every error becomes one line and an exit code."""
    finish(app, list(sys.argv[1:] if arguments is None else arguments), alone=arguments is None)


def _library(root: str | None, *selectors: str, limits: Any = None) -> Any:
    from boundcheck.library import load_library

    return load_library(root, selectors, limits)


@app.command("list")
def list_claims(
    selectors: Selectors = None,
    with_audit: Annotated[
        bool, typer.Option("--audited", help="Only claims that `audit` takes, and what it asks.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
    root: Root = None,
) -> None:
    """Keys with their statement forms.

    Example: boundcheck list "yashima2021/lemma_*"
    Example: boundcheck list wang2019 --audited
    """
    from boundcheck.catalogue import catalogue

    found = catalogue(root, selectors or [])
    broken = found.broken_among(selectors or [])
    rows = [{"key": key, **vars(found[key])} for key in found.select(selectors or [])]
    if with_audit:
        rows = _audited(rows, root)
    if as_json:
        print(json.dumps({"claims": rows, "broken": broken}, indent=1))
        return
    width = max((len(row["key"]) for row in rows), default=0)
    for row in rows:
        asked = "".join(f"  --set {name}=NUMBER" for name in row.get("set", ()))
        print(f"{row['key']:{width}}  {row['form']:15}  {row['where']}{asked}")
    for statement, why in broken.items():
        print(one_line(f"{statement}: cannot be used: {why}"), file=sys.stderr)


def _audited(rows: list[dict[str, Any]], root: str | None) -> list[dict[str, Any]]:
    """Rows of the claims with an audit, each with the names that --set has to give."""
    from boundcheck.audit.having import audited

    keys = [row["key"] for row in rows]
    found = audited(_library(root, *keys), keys) if keys else {}
    return [{**row, "set": found[row["key"]]} for row in rows if row["key"] in found]


@app.command()
def show(
    key: Annotated[str, typer.Argument(help="Key of one claim.")],
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Values to test.")
    ] = None,
    root: Root = None,
) -> None:
    """Statement, hypotheses, where printed, last verdict.

    Example: boundcheck show wang2019/theorem_1:printed --set n=10000
    """
    from boundcheck.describe import describe_claim
    from boundcheck.explore.grammar import assignments

    library = _library(root, key)
    print(describe_claim(library, library.one(key), assignments(settings)))


@app.command()
def verify(
    selectors: Selectors = None,
    budget: BudgetName = "quick",
    seed: Seed = 0,
    jobs: Jobs = None,
    cluster: ClusterAddress = None,
    limit: LimitOptions = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write results; - for stdout.")
    ] = None,
    memory: Annotated[
        Path | None,
        typer.Option(
            "--memory", metavar="DIR", help="Go on from the worlds of earlier runs kept here."
        ),
    ] = None,
    no_hints: Annotated[
        bool,
        typer.Option("--no-hints", help="Search from the printed domains alone."),
    ] = False,
    root: Root = None,
) -> None:
    """Check claims and print a verdict for each.

    With --memory the searches begin at the best worlds that earlier runs left in DIR, and leave
    theirs there: run it again, with another seed, to search on. Without it a run depends on its
    seed alone. With --no-hints families, rules and ranges of the statement files are ignored.

    Example: boundcheck verify wu2021 --budget standard --json results.json
    Example: boundcheck verify wu2021 --seed 2 --memory .worlds
    """
    from boundcheck.boundary.writing import require_writable, writable_folder, write_whole
    from boundcheck.environment import settle_environment
    from boundcheck.errors import InvalidArgument
    from boundcheck.runner import executor, run
    from boundcheck.supervision import limits_for
    from boundcheck.terminal import (
        broken_lines,
        progress,
        say_faults,
        verdict_line,
        verdicts_over,
    )
    from boundcheck.verification import require_options

    settle_environment()
    require_options(budget, seed, jobs)
    limits = limits_for(budget, limit or ())
    library = _library(root, *(selectors or []), limits=limits)
    keys = library.select(selectors or [])
    if json_file is not None and str(json_file) != "-":
        require_writable(json_file)
    if memory is not None:
        writable_folder(memory, "--memory")
    to_stdout = json_file is not None and str(json_file) == "-"
    broken = library.broken_among(selectors or [])
    if memory is not None and cluster is not None:
        raise InvalidArgument(
            f"--memory {memory} is a folder of this machine; leave it out with --cluster"
        )
    working = executor(library, budget, jobs=jobs, cluster=cluster, limits=limits)
    # On a terminal the bar has the screen; elsewhere each verdict is printed when it is known.
    at_once = not (to_stdout or sys.stderr.isatty())
    with working as execute, progress() as stages:
        document = run(
            library, keys, budget=budget, seed=seed, memory=memory,
            progress=verdicts_over(keys) if at_once else stages("verified", len(keys)),
            execute=execute, diagnosed=None if json_file is None else stages, hints=not no_hints,
        )  # fmt: skip
    if to_stdout:
        print(json.dumps(document, indent=1))
    else:
        verdicts = [] if at_once else map(verdict_line, document["claims"])
        for line in (*verdicts, *broken_lines(broken)):
            print(line)
        if json_file is not None:
            write_whole(json_file, json.dumps(document, indent=1) + "\n")
    raise typer.Exit(say_faults(document, broken))


app.command()(at)
app.command()(diagnose)
app.command()(errata)
app.command()(replay)


@app.command()
def report(
    selectors: Selectors = None,
    budget: BudgetName = "quick",
    seed: Seed = 0,
    jobs: Jobs = None,
    cluster: ClusterAddress = None,
    limit: LimitOptions = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Report folder.")] = Path(
        "reports"
    ),
    root: Root = None,
) -> None:
    """Verify what is stale and write the HTML report.

    Writes index.html, report.md, report.json, a page per source, and witnesses/.

    Example: boundcheck report --out reports
    """
    from boundcheck.boundary.writing import finish_writing, writable_folder
    from boundcheck.environment import settle_environment
    from boundcheck.ledger import Ledger
    from boundcheck.library import command_path, find_root, root_option
    from boundcheck.report import write_report
    from boundcheck.report.stamp import Stamp
    from boundcheck.runner import executor, run
    from boundcheck.supervision import limits_for
    from boundcheck.terminal import progress, say_faults, summary, told_of_earlier
    from boundcheck.verification import require_options

    settle_environment()
    require_options(budget, seed, jobs)
    limits = limits_for(budget, limit or ())
    finish_writing(out)
    stamp = Stamp(out, find_root(root), [budget, seed, *(selectors or [])])
    if stands := stamp.found():
        print(f"{stands}\nreport: {out / 'index.html'} stands as it is; nothing has changed")
        return
    library = _library(root, limits=limits)
    keys = library.select(selectors or [])
    writable_folder(out)
    ledger = Ledger(out / ".boundcheck" / "ledger.sqlite", library.root, library.claims)
    working = executor(library, budget, jobs=jobs, cluster=cluster, limits=limits)
    try:
        with working as execute, progress() as stages:
            document = run(
                library, keys, budget=budget, seed=seed, ledger=ledger, execute=execute,
                progress=stages("verified", len(keys)), diagnosed=stages,
                witnesses=out / "witnesses",
            )  # fmt: skip
    finally:
        ledger.close()
    written = write_report(document, library, out)
    print(summary(document))
    if ledger.taken:
        replayed = f"boundcheck replay {command_path(out)}{root_option(library.root)}"
        print(told_of_earlier(ledger.taken, len(keys), replayed))
    print(f"report: {out / 'index.html'}")
    status = say_faults(document, library.broken_among(selectors or []))
    if not status and not library.broken:
        stamp.put(written, summary(document))
    raise typer.Exit(status)


@app.command()
def audit(
    key: Annotated[str, typer.Argument(help="Key of a claim; list --audited tells which.")],
    data: Annotated[
        str,
        typer.Option(
            "--data", metavar="FILE",
            help="CSV, TSV or LIBSVM, also gzipped; or diabetes, linnerud.",
        ),
    ],
    target: Annotated[
        str | None, typer.Option("--target", help="Column to predict; in LIBSVM the first number.")
    ] = None,
    kernel: Annotated[str, typer.Option("--kernel", help="rbf or laplace.")] = "rbf",
    features: Annotated[int, typer.Option("--features", help="Random features s.")] = 100,
    lambda_: Annotated[float, typer.Option("--lambda", help="Regularisation, positive.")] = 0.01,
    delta: Annotated[float, typer.Option("--delta", help="Failure probability.")] = 0.1,
    repeats: Annotated[
        int, typer.Option("--repeats", help="Independent feature draws, at least 2.")
    ] = 20,
    rows: Annotated[
        int | None, typer.Option("--rows", help="At most so many rows for training, and for test.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=NUMBER", help="What the data do not supply."),
    ] = None,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable.")] = False,
    root: Root = None,
) -> None:
    """Hypotheses and both sides of a bound on your own data.

    Symbols of the claim stand for kernels, features, labels and weights of subsamples of the data;
    numbers that these do not supply are given with --set.

    Example: boundcheck audit wang2019/theorem_1:printed --data diabetes --features 50
    """
    from boundcheck.audit import AuditRequest, run_audit
    from boundcheck.audit.request import numbers_of

    library = _library(root, key)
    request = AuditRequest(
        key=library.one(key), data=data, target=target, kernel=kernel, features=features,
        lambda_=lambda_, delta=delta, repeats=repeats, rows=rows, seed=seed,
        values=numbers_of(settings),
    )  # fmt: skip
    found = run_audit(request, library)
    print(json.dumps(found.as_json(), indent=1) if as_json else found)


@app.command()
def figures(
    source: Annotated[
        str | None,
        typer.Argument(help="A source with experiments, e.g. yashima2021; none for all of them."),
    ] = None,
    runs: Annotated[int, typer.Option("--runs", help="Independent repetitions.")] = 100,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="Steps per run; default the source's.")
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option("--data", metavar="FILE[:TARGET]", help="Data files, where the source has."),
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Report folder.")] = Path(
        "reports"
    ),
    root: Root = None,
) -> None:
    """Redraw the figures of a source, or of all, with intervals.

    Writes SVG files with captions and tables of their numbers to DIR/figures, and what the theorems
    would need for the experiments to be covered; the next `boundcheck report` shows them.

    Example: boundcheck figures yashima2021 --runs 10 --iterations 2000
    """
    from boundcheck.errors import InvalidArgument
    from boundcheck.figures import having, reproduce
    from boundcheck.library import Library, find_root

    library = Library(find_root(root))
    if source is None and (data or iterations is not None):
        raise InvalidArgument("--data and --iterations are those of one source; name it")
    for name in [source] if source is not None else having(library, "_figures"):
        for path in reproduce(
            library, name, out / "figures", runs=runs, iterations=iterations,
            data=tuple(data or ()), seed=seed, jobs=jobs,
        ):  # fmt: skip
            print(f"wrote {path}", flush=True)


@app.command()
def benchmark(
    source: Annotated[str, typer.Argument(help="A source with a benchmark, e.g. yashima2021.")],
    share: Annotated[
        float, typer.Option("--share", help="Part of the full task that is timed, in (0, 1].")
    ] = 0.1,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Report folder.")] = Path(
        "reports"
    ),
    root: Root = None,
) -> None:
    """Time a source's computation against the direct way.

    The table is kept in DIR/benchmarks.

    Example: boundcheck benchmark yashima2021 --share 0.05
    """
    from boundcheck.figures import compare_speed
    from boundcheck.library import Library, find_root

    for line in compare_speed(Library(find_root(root)), source, share, out):
        print(line)


@app.command()
def new(
    statement: Annotated[
        str, typer.Argument(metavar="SOURCE/STATEMENT", help="E.g. mypaper/theorem_1.")
    ],
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            help="scalar, matrix, probability, online, regression, optimisation or asymptotic.",
        ),
    ] = "scalar",
    latex: Annotated[
        str, typer.Option("--latex", metavar="FORMULA", help=(
            "An inequality to start from; the length of vectors and square matrices is said after "
            "a comma: ', x \\in \\mathbb{R}^n'."))
    ] = "",
    root: Annotated[
        str | None,
        typer.Option("--root", metavar="DIR", help="Library to write to; default ./verify."),
    ] = None,
) -> None:
    """A skeleton of a statement file of your own, ready to run.

    Example: boundcheck new mypaper/theorem_1 --kind matrix --root my_library
    Example: boundcheck new mypaper/lemma_2 --latex "\\sqrt{a b} \\leq \\frac{a+b}{2}"
    """
    from boundcheck.formulas.template import assumed
    from boundcheck.skeleton import write_skeleton

    folder = Path(root) if root else Path("verify")
    for path in write_skeleton(statement, folder, kind, latex):
        print(f"wrote {path}")
    if latex and (more := assumed(latex)):
        print(f"assumed, as the formula does not say it: {more}")
    print(f"next: boundcheck verify {statement} --root {root or 'verify'}")


register(app)


@app.callback(invoke_without_command=True)
def _version(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from boundcheck import __version__

        print(f"boundcheck {__version__}")
        raise typer.Exit()
    if context.invoked_subcommand is None:
        print(context.get_help())


if __name__ == "__main__":
    main()
