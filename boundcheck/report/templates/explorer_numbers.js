// Numbers m * 2^e with a double m of size 1 to 2 and a whole e: no overflow, no underflow.
const B = (() => {
  const LN2 = 0.6931471805599453, HI = 0.6931471803691238, LO = 1.9082149292705877e-10;
  const nan = { m: NaN, e: 0 }, zero = { m: 0, e: 0 };
  const norm = (m, e) => {
    if (m === 0) return zero;
    if (!Number.isFinite(m) || !Number.isFinite(e)) return nan;
    const k = Math.floor(Math.log2(Math.abs(m)));
    return { m: m / 2 ** k, e: e + k };
  };
  const n = (m, e) => ({ m, e });
  // Doubles below 2^-1022 lose digits in 2^k; they are scaled up first.
  const of = x => Math.abs(x) < 1e-290 ? norm(x * 2 ** 600, -600) : norm(x, 0);
  const num = a => a.e > 1023 ? Math.sign(a.m) * Infinity : a.e < -1060 ? 0 : a.m * 2 ** a.e;
  const neg = a => ({ m: -a.m, e: a.e });
  const add = (a, b) => {
    if (a.m === 0) return b;
    if (b.m === 0) return a;
    if (a.e < b.e) [a, b] = [b, a];
    const d = a.e - b.e;
    return d > 1000 ? a : norm(a.m + b.m * 2 ** -d, a.e);
  };
  const sub = (a, b) => add(a, neg(b));
  const mul = (a, b) => norm(a.m * b.m, a.e + b.e);
  const inv = a => a.m === 0 ? nan : norm(1 / a.m, -a.e);
  const cmp = (a, b) => { const d = sub(a, b); return Number.isNaN(d.m) ? NaN : Math.sign(d.m); };
  const pick = side => (a, b) => {
    const c = cmp(a, b);
    return Number.isNaN(c) ? nan : c === side ? a : b;
  };
  const ipow = (a, k) => {
    if (k < 0) return inv(ipow(a, -k));
    let result = { m: 1, e: 0 }, square = a;
    for (; k > 0; k = Math.floor(k / 2)) {
      if (k % 2) result = mul(result, square);
      square = mul(square, square);
    }
    return result;
  };
  const sqrt = a => {
    if (a.m === 0) return zero;
    const odd = ((a.e % 2) + 2) % 2;
    return a.m > 0 ? norm(Math.sqrt(a.m * 2 ** odd), (a.e - odd) / 2) : nan;
  };
  const log = a => {
    if (!(a.m > 0)) return nan;
    return Math.abs(a.e) <= 1 ? of(Math.log(num(a))) : of(Math.log(a.m) + a.e * LN2);
  };
  const exp = a => {
    const x = num(a);
    if (Number.isNaN(x) || x > 1e15) return nan;
    if (x < -1e15) return zero;
    const k = Math.round(x / LN2);
    return norm(Math.exp((x - k * HI) - k * LO), k);
  };
  const pow = (a, b) => {
    const y = num(b);
    if (a.m === 0) return y > 0 ? zero : y === 0 ? { m: 1, e: 0 } : nan;
    if (Number.isInteger(y) && Math.abs(y) <= 64) return ipow(a, y);
    if (!(a.m > 0)) return nan;
    // 2^(y (e + log2 m)): the whole part of y e is split off before anything is rounded away.
    const whole = Math.round(y * a.e);
    const rest = (y * a.e - whole) + y * Math.log2(a.m);
    const k = Math.round(rest);
    return norm(2 ** (rest - k), whole + k);
  };
  const abs = a => ({ m: Math.abs(a.m), e: a.e });
  const floor = a => a.e > 52 ? a : of(Math.floor(num(a)));
  const ceil = a => a.e > 52 ? a : of(Math.ceil(num(a)));
  const log10 = a => a.m > 0 ? Math.log10(a.m) + a.e * Math.LOG10E * LN2 : NaN;
  const text = a => {
    if (Number.isNaN(a.m)) return "no value";
    const x = num(a);
    if (a.m === 0 || (Math.abs(x) >= 1e-4 && Math.abs(x) < 1e15)) {
      return Number.isInteger(x) ? x.toLocaleString("en-US") : String(Number(x.toPrecision(10)));
    }
    const size = log10(abs(a));
    let whole = Math.floor(size), lead = (10 ** (size - whole)).toPrecision(8);
    if (Number(lead) >= 10) { whole += 1; lead = (Number(lead) / 10).toPrecision(8); }
    return (a.m < 0 ? "-" : "") + lead + "e" + whole;
  };
  return { n, of, num, add, sub, mul, inv, cmp, max: pick(1), min: pick(-1), ipow, sqrt, log, exp,
    pow, abs, floor, ceil, log10, text, neg };
})();
