"""The boundary: every value from outside is read, and every file written, through these modules.

`numbers` reads options, `files` bytes of limited size, `documents` JSON of a declared shape,
`messages` turns what went wrong into one line of plain text, `writing` puts files in place whole,
a set of them together, and removes what dead processes left.

May import `errors` and `exits`; knows nothing of what is read and written.
"""
