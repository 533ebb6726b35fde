// Unpacks the script of Plotly, which the page carries as LZMA (raw, lc = 3, lp = 0, pb = 2) in base 85,
// and runs it. Browsers unpack gzip by themselves; LZMA is a quarter smaller. After Igor Pavlov's LZMA
// specification, whose names the variables have.
"use strict";
function bytesOf85(text) {
  const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
  const values = new Uint8Array(128);
  for (let i = 0; i < 85; i++) values[letters.charCodeAt(i)] = i;
  const bytes = new Uint8Array(text.length / 5 * 4);
  for (let from = 0, to = 0; from < text.length; to += 4) {
    let word = 0;
    for (const end = from + 5; from < end; from++) word = word * 85 + values[text.charCodeAt(from)];
    bytes[to] = word >>> 24; bytes[to + 1] = word >>> 16; bytes[to + 2] = word >>> 8; bytes[to + 3] = word;
  }
  return bytes;
}

function unpackedLzma(packed, size) {
  const fresh = count => new Uint16Array(count).fill(1024);
  const lengths = () => ({choice: fresh(2), low: fresh(128), mid: fresh(128), high: fresh(256)});
  const out = new Uint8Array(size), literals = fresh(0x300 << 3), isMatch = fresh(192), isRep = fresh(12);
  const isRepG0 = fresh(12), isRepG1 = fresh(12), isRepG2 = fresh(12), isRep0Long = fresh(192);
  const slots = fresh(256), places = fresh(128), align = fresh(16);
  const matchLengths = lengths(), repLengths = lengths();
  let to = 0, state = 0, rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0;
  let at = 5, range = 0xffffffff, code = 0;
  for (let i = 1; i < 5; i++) code = (code << 8 | packed[i]) >>> 0;

  function normalize() {
    if (range >= 0x1000000) return;
    range = range << 8 >>> 0;
    code = (code << 8 | packed[at++]) >>> 0;
  }
  function bit(probs, index) {
    const bound = (range >>> 11) * probs[index];
    const is = code < bound ? 0 : 1;
    if (is) { range -= bound; code -= bound; probs[index] -= probs[index] >> 5; }
    else { range = bound; probs[index] += 2048 - probs[index] >> 5; }
    normalize();
    return is;
  }
  function direct(count) {
    let result = 0;
    for (; count > 0; count--) {
      range >>>= 1;
      const is = code >= range ? 1 : 0;
      if (is) code -= range;
      result = result * 2 + is;
      normalize();
    }
    return result;
  }
  function tree(probs, from, bits) {
    let m = 1;
    for (let i = 0; i < bits; i++) m = m << 1 | bit(probs, from + m);
    return m - (1 << bits);
  }
  function reverse(probs, from, bits) {
    let m = 1, symbol = 0;
    for (let i = 0; i < bits; i++) {
      const is = bit(probs, from + m);
      m = m << 1 | is;
      symbol |= is << i;
    }
    return symbol;
  }
  function length(coder, posState) {
    if (!bit(coder.choice, 0)) return 2 + tree(coder.low, posState << 3, 3);
    if (!bit(coder.choice, 1)) return 10 + tree(coder.mid, posState << 3, 3);
    return 18 + tree(coder.high, 0, 8);
  }
  function literal() {
    const from = 0x300 * ((to ? out[to - 1] : 0) >> 5);
    let symbol = 1;
    if (state >= 7) {
      let match = out[to - rep0 - 1];
      while (symbol < 0x100) {
        const wanted = match >> 7 & 1;
        match <<= 1;
        const is = bit(literals, from + (1 + wanted << 8) + symbol);
        symbol = symbol << 1 | is;
        if (is !== wanted) break;
      }
    }
    while (symbol < 0x100) symbol = symbol << 1 | bit(literals, from + symbol);
    out[to++] = symbol & 0xff;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  }
  function distance(count) {
    const slot = tree(slots, Math.min(count - 2, 3) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1, base = (2 | slot & 1) << bits;
    if (slot < 14) return base + reverse(places, base - slot, bits);
    return base + direct(bits - 4) * 16 + reverse(align, 0, 4);
  }

  while (to < size) {
    const posState = to & 3;
    if (!bit(isMatch, (state << 4) + posState)) { literal(); continue; }
    let count;
    if (!bit(isRep, state)) {
      rep3 = rep2; rep2 = rep1; rep1 = rep0;
      count = length(matchLengths, posState);
      rep0 = distance(count);
      state = state < 7 ? 7 : 10;
    } else if (!bit(isRepG0, state)) {
      const isLong = bit(isRep0Long, (state << 4) + posState);
      count = isLong ? length(repLengths, posState) : 1;
      state = isLong ? state < 7 ? 8 : 11 : state < 7 ? 9 : 11;
    } else {
      let found = rep1;
      if (bit(isRepG1, state)) {
        found = rep2;
        if (bit(isRepG2, state)) { found = rep3; rep3 = rep2; }
        rep2 = rep1;
      }
      rep1 = rep0; rep0 = found;
      count = length(repLengths, posState);
      state = state < 7 ? 8 : 11;
    }
    for (; count > 0; count--, to++) out[to] = out[to - rep0 - 1];
  }
  return out;
}

if (typeof document !== "undefined") {
  const place = document.getElementById("plotly"), script = document.createElement("script");
  script.textContent = new TextDecoder().decode(
      unpackedLzma(bytesOf85(place.textContent), Number(place.dataset.size)));
  document.head.append(script);
}
