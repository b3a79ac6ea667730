"""Search for worlds that break bounds, and shrinking of what it finds.

`portfolio` shares a budget among the ways to look, `screening` looks at many worlds in floats,
`pushes` and `growth` carry worlds to larger sizes, `shrink` makes them small. May import what lies
below, `checks` and `settings`; its benchmarks also `engine`, `environment`, `ledger`, `library`,
`report` and `verification`.
"""
