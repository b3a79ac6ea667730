"""LaTeX inequalities as statement files: `tokens`, the `grammar` with its `letters`, `sums`
and `operands`, what each letter is (`roles`, `ranges`, `symmetric`), functions of matrices
(`arrays`), the Python of each part (`writing`), and the file (`template`).

SymPy's parser of LaTeX reads plain arithmetic; it knows no norms, probabilities, expectations or
maxima over sets, sorts what it reads, and lets matrices commute. What is printed matters here, so
formulas are read by a grammar of this field, which tests hold against SymPy's where both can read.
Nothing of the text is executed before every word of it has been recognised.

May import `boundary` and `errors`.
"""
