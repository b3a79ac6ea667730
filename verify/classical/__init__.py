"""Classical inequalities: true ones at their sharp constant and famous false ones.

They calibrate the machinery (every verdict here is known) and serve as examples.
"""

from boundcheck import Source

CALIBRATION = True

MARKOV = Source("Markov", 1884, "On certain applications of algebraic continued fractions")
CHEBYSHEV = Source("Chebyshev", 1867, "Des valeurs moyennes")
CANTELLI = Source("Cantelli", 1928, "Sui confini della probabilita")
POPOVICIU = Source("Popoviciu", 1935, "Sur les equations algebriques ayant toutes racines reelles")
BHATIA_DAVIS = Source("Bhatia, Davis", 2000, "A better bound on the variance")
HOEFFDING = Source(
    "Hoeffding", 1963, "Probability inequalities for sums of bounded random variables"
)
BERNSTEIN = Source("Bernstein", 1924, "On a modification of Chebyshev's inequality")
KANTOROVICH = Source("Kantorovich", 1948, "Functional analysis and applied mathematics")
BOETTCHER_WENZEL = Source("Boettcher, Wenzel", 2008, "The Frobenius norm and the commutator")
WEYL = Source("Weyl", 1912, "Das asymptotische Verteilungsgesetz der Eigenwerte")
LOEWNER = Source("Loewner", 1934, "Ueber monotone Matrixfunktionen")
VAN_HEMMEN_ANDO = Source("van Hemmen, Ando", 1980, "An inequality for trace ideals")
GOLDEN_THOMPSON = Source(
    "Golden; Thompson", 1965, "Inequality with applications in statistical mechanics"
)
LIEB_THIRRING = Source("Lieb, Thirring", 1976, "Inequalities for the moments of the eigenvalues")
KHINTCHINE = Source("Khintchine", 1923, "Ueber dyadische Brueche")
NESBITT = Source("Nesbitt", 1903, "Problem 15114")
MOTZKIN = Source("Motzkin", 1967, "The arithmetic-geometric inequality")
HADAMARD = Source("Hadamard", 1893, "Resolution d'une question relative aux determinants")
CAUCHY = Source("Cauchy; Schwarz", 1821, "Cours d'analyse")
JENSEN = Source(
    "Jensen", 1906, "Sur les fonctions convexes et les inegalites entre les valeurs moyennes"
)
PINSKER = Source("Pinsker", 1960, "Information and information stability")
PALEY_ZYGMUND = Source("Paley, Zygmund", 1932, "On some series of functions")
GRUSS = Source("Gruess", 1935, "Ueber das Maximum des absoluten Betrages")
SAMUELSON = Source("Samuelson", 1968, "How deviant can you be?")
SCHUR = Source("Schur", 1911, "Bemerkungen zur Theorie der beschraenkten Bilinearformen")
MINKOWSKI = Source("Minkowski", 1910, "Geometrie der Zahlen")
FOLKLORE = Source("Folklore", 1900, "Statements that circulate without an author")
