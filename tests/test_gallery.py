"""The gallery holds what people use, as printed: formulas compared with the text of the works."""

import pytest

from boundcheck.library import load_library, shipped_root

PRINTED = {
    "gallery_learning/rahimi_recht:printed": "gap < epsilon 1 - 2*exp(-D*epsilon**2/4)",
    "gallery_concentration/tropp_bernstein:printed": "k], k)), a)*t/3 + operator_norm(",
    "gallery_concentration/tropp_hoeffding:printed": "d*exp(-t**2/(8*operator_norm",
    "gallery_concentration/tropp_rademacher:printed": "d*exp(-t**2/(2*operator_norm",
    "gallery_concentration/tropp_chernoff:printed": "s - (s + 1)*log(s + 1)",
    "gallery_concentration/freedman:printed": "e)*t/3 + 2*v))",
    "gallery_concentration/hoeffding_azuma:printed": "exp(-2*t**2/total(c[i]**2, i))",
    "gallery_concentration/tropp_azuma:printed": "exp(-t**2/(8*operator_norm(total(A[i]**2, i))))",
    "gallery_concentration/ville:printed": "<= 1/t",
    "gallery_concentration/mcdiarmid:printed": "2*exp(-2*t**2/squares)",
    "gallery_concentration/azuma:printed": "exp(-t**2/(2*total(c[i]**2, i)))",
    "gallery_concentration/massart_finite_class:printed":
        "sqrt(2)*greatest(norm(row(A, k)), k)*sqrt(log(N))/n",
    "gallery_concentration/maurer_pontil:printed": "7*log(2/delta)/(3*n - 3)",
    "gallery_concentration/dkw:printed": "2*exp(-2*epsilon**2*n)",
    "gallery_learning/zinkevich:printed": "sqrt(T)*greatest(norm(",
    "gallery_learning/hazan:printed": "**2*(log(T) + 1)/(2*H)",
    "gallery_learning/online_newton:printed": "d*(5*D*G + 5/alpha)*log(T)",
    "gallery_concentration/hsu_kakade_zhang:printed": "exp(-t)",
    "gallery_learning/gretton_mmd:printed": "2*sqrt(B/m) + 2*sqrt(B/n)",
    "gallery_learning/caponnetto_de_vito:printed": "2*H/n + 2*s/sqrt(n)",
    "gallery_concentration/johnson_lindenstrauss:printed": "failures < 1",
    "gallery_learning/drori_teboulle:printed": "L*seen[0, 0]/(4*N + 2)",
    "gallery_learning/hedge:printed": "T*eta/8 + log(K)/eta",
}  # fmt: skip


@pytest.fixture(scope="module")
def library():
    return load_library(shipped_root(), ["gallery_learning", "gallery_concentration", "classical"])


@pytest.mark.parametrize("key", PRINTED)
def test_the_formula_is_the_printed_one(library, key):
    claim = library[key]
    level = getattr(claim.statement, "level", "")
    assert PRINTED[key] in f"{claim.statement.relation} {level}"
    assert claim.source.source.year > 1800 and claim.source.where
