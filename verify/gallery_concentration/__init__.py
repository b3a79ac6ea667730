"""A gallery: concentration inequalities that people use, exactly as printed."""

from boundcheck import Source

AT_ZERO = "t > 0: the print has t = 0 too, where the bound is at least one"

AZUMA = Source("Azuma", 1967, "Weighted sums of certain dependent random variables")
MASSART = Source("Massart", 2000, "Some applications of concentration inequalities to statistics")
MASSART_DKW = Source(
    "Massart", 1990, "The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality"
)
MAURER_PONTIL = Source(
    "Maurer, Pontil", 2009, "Empirical Bernstein bounds and sample variance penalization"
)
HSU = Source(
    "Hsu, Kakade, Zhang",
    2012,
    "A tail inequality for quadratic forms of subgaussian random vectors",
)
MCDIARMID = Source("McDiarmid", 1989, "On the method of bounded differences")
TROPP = Source("Tropp", 2012, "User-friendly tail bounds for sums of random matrices")
TROPP_FREEDMAN = Source("Tropp", 2011, "Freedman's inequality for matrix martingales")
CESA_BIANCHI_LUGOSI = Source("Cesa-Bianchi, Lugosi", 2006, "Prediction, Learning, and Games")
VILLE = Source("Ville", 1939, "Étude critique de la notion de collectif")
GORDON = Source(
    "Gordon", 1941, "Values of Mills' ratio of area to bounding ordinate of the normal integral"
)
SKLEARN = Source(
    "scikit-learn", 2024, "User guide and reference", "1.5",
    "https://scikit-learn.org/stable/modules/random_projection.html",
)
