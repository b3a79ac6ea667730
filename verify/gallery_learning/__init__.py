"""A gallery: statements on learning that people use, exactly as printed."""

from boundcheck import Source

GRETTON = Source("Gretton et al.", 2012, "A kernel two-sample test")
CAPONNETTO = Source(
    "Caponnetto, De Vito", 2007, "Optimal rates for the regularized least-squares algorithm"
)
ZINKEVICH = Source(
    "Zinkevich", 2003, "Online convex programming and generalized infinitesimal gradient ascent"
)
HAZAN = Source(
    "Hazan, Agarwal, Kale", 2007, "Logarithmic regret algorithms for online convex optimization"
)
