// The page: choose a claim and a symbol, move sliders, read what the conditions ask for.
const X = (() => {
  const parse = text => {
    const t = String(text).trim().replace(/,/g, "");
    const found = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d{1,5}))?$/.exec(t);
    if (!found) return null;
    const x = Number(t);
    if (Number.isFinite(x) && (x !== 0 || Number(found[1]) === 0)) return B.of(x);
    return B.mul(B.of(Number(found[1])), B.ipow(B.of(10), Number(found[2] || 0)));
  };
  // The least value of a finite set above a bound, or the greatest below it; no number for none.
  const nextOf = (question, bound) => {
    const met = question.items.filter(item => B.cmp(B.of(item), bound) * (question.least ? 1 : -1) >= 0);
    return B.of(met.length ? (question.least ? met[0] : met[met.length - 1]) : NaN);
  };
  const evaluate = (claim, question, values) => {
    const terms = question.terms.map(term => ({ text: term.text, math: term.math, value: term.f(values) }));
    const known = terms.filter(term => !Number.isNaN(term.value.m));
    if (known.length < terms.length) return { value: B.of(NaN), terms, binding: -1 };
    let best = 0;
    known.forEach((term, i) => {
      const side = B.cmp(term.value, terms[best].value);
      if (side === (question.least ? 1 : -1)) best = i;
    });
    let value = terms[best].value;
    if (question.items) value = nextOf(question, value);
    else if (question.whole) value = question.least ? B.ceil(value) : B.floor(value);
    return { value, terms, binding: best };
  };
  return { parse, evaluate, claims: CLAIMS };
})();

if (typeof document !== "undefined") (() => {
  const at = id => document.getElementById(id);
  const [claimBox, askBox, form, answer, terms, plot, axisBox] =
    ["claim", "symbol", "sliders", "answer", "terms", "plot", "axis"].map(at);
  const STEPS = 1000;
  let claim, question, values = [], texts = [];

  const position = (s, x) => s.log
    ? STEPS * (Math.log(x) - Math.log(s.low)) / (Math.log(s.high) - Math.log(s.low))
    : STEPS * (x - s.low) / (s.high - s.low);
  const reading = (s, p) => {
    let x = s.log ? s.low * (s.high / s.low) ** (p / STEPS) : s.low + (s.high - s.low) * p / STEPS;
    if (s.items) return s.items.reduce((a, b) => Math.abs(b - x) < Math.abs(a - x) ? b : a);
    if (s.whole) return Math.round(x);
    return Number(x.toPrecision(4));
  };
  const option = (box, value, text) => {
    const item = document.createElement("option");
    item.value = value; item.textContent = text; box.append(item);
  };
  const element = (tag, text, parent) => {
    const item = document.createElement(tag);
    if (text !== undefined) item.textContent = text;
    if (parent) parent.append(item);
    return item;
  };

  const chooseClaim = key => {
    claim = X.claims.find(item => item.key === key) || X.claims[OPEN[0]];
    claimBox.value = claim.key;
    at("place").textContent = claim.place;
    at("said").replaceChildren();
    claim.said.forEach(part => {
      const row = element("li", undefined, at("said"));
      const link = element("a", part.key, row);
      link.href = part.page;
      element("span", ": ", row);
      element("span", part.verdict, row).className = part.fails ? "fails" : "";
      if (part.fails) element("span", "; what it asks for does not make it true", row);
    });
    askBox.replaceChildren();
    claim.questions.forEach((q, i) => option(askBox, i, q.symbol + (q.least ? " at least" : " at most")));
    values = claim.sliders.map(s => X.parse(s.value));
    texts = claim.sliders.map(s => s.value);
    chooseQuestion(X.claims[OPEN[0]] === claim ? OPEN[1] : 0);
  };
  const chooseQuestion = index => {
    question = claim.questions[index] || claim.questions[0];
    askBox.value = claim.questions.indexOf(question);
    form.replaceChildren(); axisBox.replaceChildren();
    claim.sliders.forEach((s, i) => {
      if (!question.uses.includes(i)) return;
      option(axisBox, i, s.name);
      const row = element("div", undefined, form);
      row.className = "row";
      const label = element("label", undefined, row);
      label.htmlFor = "s" + i;
      label.innerHTML = s.math;  // made and escaped with the page, as all MathML here
      if (s.measured) element("span", " (measured)", label);
      const range = element("input", undefined, row);
      Object.assign(range, { type: "range", id: "s" + i, min: 0, max: STEPS, step: 1 });
      const box = element("input", undefined, row);
      Object.assign(box, { type: "text", id: "t" + i, value: texts[i], inputMode: "decimal" });
      box.setAttribute("aria-label", s.name + " as a number");
      range.value = position(s, B.num(values[i]));
      range.setAttribute("aria-valuetext", texts[i]);
      range.addEventListener("input", () => {
        texts[i] = String(reading(s, Number(range.value)));
        box.value = texts[i]; set(i, box, range);
      });
      box.addEventListener("input", () => {
        texts[i] = box.value;
        if (set(i, box, range)) range.value = position(s, B.num(values[i]));
      });
    });
    refresh();
  };
  const allowed = (s, value) => {
    if (s.items) return s.items.some(item => Math.abs(B.num(value) - item) <= 1e-12 * Math.abs(item));
    const low = s.least === null ? 1 : B.cmp(value, B.of(s.least));
    const high = s.most === null ? -1 : B.cmp(value, B.of(s.most));
    return low >= (s.openLow ? 1 : 0) && high <= (s.openHigh ? -1 : 0)
      && (!s.whole || value.e > 52 || Number.isInteger(B.num(value)));
  };
  const set = (i, box, range) => {
    const s = claim.sliders[i], value = X.parse(texts[i]);
    const fine = value !== null && allowed(s, value);
    box.setAttribute("aria-invalid", String(!fine));
    at("trouble").textContent = fine ? "" : `${s.name} = ${texts[i]} is outside ${s.range}`;
    if (!fine) return false;
    values[i] = value;
    range.setAttribute("aria-valuetext", texts[i]);
    refresh();
    return true;
  };

  const refresh = () => {
    const found = X.evaluate(claim, question, values);
    const word = question.least ? "at least" : "at most";
    const none = question.items && found.binding >= 0 && Number.isNaN(found.value.m);
    const told = none ? `none of ${question.range}` : `${word} ${B.text(found.value)}`;
    answer.innerHTML = question.math;
    element("span", ` ${told}`, answer);
    answer.setAttribute("aria-label", `${question.symbol} ${told}`);
    terms.replaceChildren();
    found.terms.forEach((term, i) => {
      const row = element("li", undefined, terms);
      const shown = element("span", undefined, row);
      shown.innerHTML = term.math; shown.title = term.text;
      element("span", " = " + B.text(term.value) + (i === found.binding ? " (binding)" : ""), row);
      if (i === found.binding) row.className = "binding";
    });
    draw(found);
    const hash = new URLSearchParams({
      key: claim.key, symbol: question.symbol, end: question.least ? "least" : "greatest",
    });
    question.uses.forEach(i => hash.set(claim.sliders[i].name, texts[i]));
    history.replaceState(null, "", "#" + hash);
  };

  const draw = found => {
    const NS = "http://www.w3.org/2000/svg", W = 640, H = 300, L = 70, R = 15, T = 12, D = 42;
    plot.replaceChildren();
    const index = Number(axisBox.value);
    if (axisBox.value === "") return;
    const s = claim.sliders[index], points = [];
    const along = p => s.log ? s.low * (s.high / s.low) ** (p / 100) : s.low + (s.high - s.low) * p / 100;
    for (const number of s.items || Array.from({ length: 101 }, (_, p) => along(p))) {
      const x = B.of(number);
      const y = B.log10(X.evaluate(claim, question, values.map((v, i) => i === index ? x : v)).value);
      if (Number.isFinite(y)) points.push([position(s, B.num(x)) / STEPS, y]);
    }
    const here = [position(s, B.num(values[index])) / STEPS, B.log10(found.value)];
    const all = [...points.map(q => q[1]), here[1]].filter(Number.isFinite);
    if (!all.length) return;
    let low = Math.min(...all), high = Math.max(...all);
    if (high - low < 1) { low -= 0.5; high += 0.5; }
    const px = u => L + u * (W - L - R), py = y => H - D - (y - low) / (high - low) * (H - D - T);
    const shape = (tag, attributes, text) => {
      const item = document.createElementNS(NS, tag);
      Object.entries(attributes).forEach(([k, v]) => item.setAttribute(k, v));
      if (text !== undefined) item.textContent = text;
      plot.append(item);
    };
    shape("rect", { x: L, y: T, width: W - L - R, height: H - D - T, class: "frame" });
    const stride = Math.max(1, Math.ceil((high - low) / 6));
    for (let y = Math.ceil(low); y <= high; y += stride) {
      shape("line", { x1: L, x2: W - R, y1: py(y), y2: py(y), class: "grid" });
      shape("text", { x: L - 8, y: py(y) + 4, "text-anchor": "end" }, "1e" + y);
    }
    for (let u = 0; u <= 4; u++) {
      const shown = Number(reading(s, u * STEPS / 4)).toPrecision(2);
      const anchor = u === 4 ? "end" : "middle";
      shape("text", { x: px(u / 4), y: H - D + 18, "text-anchor": anchor }, Number(shown).toString());
    }
    shape("text", { x: (L + W - R) / 2, y: H - 6, "text-anchor": "middle" }, s.name);
    if (s.items) points.forEach(([u, y]) => shape("circle", { cx: px(u), cy: py(y), r: 3, class: "mark" }));
    const path = (s.items ? [] : points).map(([u, y], i) => (i ? "L" : "M") + px(u).toFixed(1) + " " + py(y).toFixed(1));
    shape("path", { d: path.join(""), class: "curve" });
    if (Number.isFinite(here[1]) && here[0] >= 0 && here[0] <= 1) {
      shape("circle", { cx: px(here[0]), cy: py(here[1]), r: 5, class: "mark" });
    }
    plot.setAttribute("aria-label", `${question.symbol} needed against ${s.name}`);
  };

  X.claims.forEach(item => option(claimBox, item.key, item.key));
  claimBox.addEventListener("change", () => chooseClaim(claimBox.value));
  askBox.addEventListener("change", () => chooseQuestion(Number(askBox.value)));
  axisBox.addEventListener("change", refresh);
  at("reset").addEventListener("click", () => chooseClaim(claim.key));
  const restore = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    chooseClaim(asked.get("key"));
    claim.sliders.forEach((s, i) => {
      const value = asked.has(s.name) ? X.parse(asked.get(s.name)) : null;
      if (value !== null && allowed(s, value)) { values[i] = value; texts[i] = asked.get(s.name); }
    });
    if (asked.has("symbol")) {
      chooseQuestion(claim.questions.findIndex(q => q.symbol === asked.get("symbol")
        && (!asked.has("end") || q.least === (asked.get("end") === "least"))));
    } else chooseQuestion(claim.questions.indexOf(question));
  };
  if (X.claims.length) {
    restore();
    addEventListener("hashchange", restore);
  }
})();
if (typeof module !== "undefined") module.exports = { B, X };
