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
RAHIMI = Source("Rahimi, Recht", 2007, "Random features for large-scale kernel machines")
DRORI_TEBOULLE = Source(
    "Drori, Teboulle", 2014, "Performance of first-order methods for smooth convex minimization"
)
CESA_BIANCHI_LUGOSI = Source("Cesa-Bianchi, Lugosi", 2006, "Prediction, learning, and games")
SAUER = Source("Sauer", 1972, "On the density of families of sets")
BARTLETT_MENDELSON = Source("Bartlett, Mendelson", 2002, "Rademacher and Gaussian complexities")
