// Where the boxes stand when some are folded. It has NOTHING for no node.
const NOTHING = -1;

// Middles of nodes along their level, as in layout.py: Buchheim, Jünger and Leipert.
function sideBySide(first, count, size, gap) {
  const n = size.length;
  const prelim = new Float64Array(n), mod = new Float64Array(n);
  const change = new Float64Array(n), shift = new Float64Array(n);
  const thread = new Int32Array(n).fill(NOTHING), parent = new Int32Array(n).fill(NOTHING);
  const ancestor = Int32Array.from(size, (_, i) => i);
  for (let i = 0; i < n; i++)
    for (let c = first[i]; c < first[i] + count[i]; c++) parent[c] = i;
  const left = (i) => (count[i] ? first[i] : thread[i]);
  const right = (i) => (count[i] ? first[i] + count[i] - 1 : thread[i]);

  function apportion(node, chosen, start) {
    let innerRight = node, outerRight = node, innerLeft = node - 1, outerLeft = start;
    let sumIR = mod[node], sumOR = mod[node], sumIL = mod[innerLeft], sumOL = mod[outerLeft];
    let a = right(innerLeft), b = left(innerRight);
    while (a !== NOTHING && b !== NOTHING) {
      innerLeft = a; innerRight = b;
      outerLeft = left(outerLeft); outerRight = right(outerRight);
      ancestor[outerRight] = node;
      const push = prelim[a] + sumIL - (prelim[b] + sumIR) + size[a] / 2 + gap + size[b] / 2;
      if (push > 0) {
        const own = parent[ancestor[a]] === parent[node] ? ancestor[a] : chosen;
        const part = push / (node - own);
        change[node] -= part; shift[node] += push; change[own] += part;
        prelim[node] += push; mod[node] += push;
        sumIR += push; sumOR += push;
      }
      sumIL += mod[innerLeft]; sumIR += mod[innerRight];
      sumOL += mod[outerLeft]; sumOR += mod[outerRight];
      a = right(innerLeft); b = left(innerRight);
    }
    if (a !== NOTHING && right(outerRight) === NOTHING) {
      thread[outerRight] = a; mod[outerRight] += sumIL - sumOR;
    }
    if (b !== NOTHING && left(outerLeft) === NOTHING) {
      thread[outerLeft] = b; mod[outerLeft] += sumIR - sumOL;
      return node;
    }
    return chosen;
  }

  for (let node = n - 1; node >= 0; node--) {
    if (!count[node]) continue;
    const start = first[node], end = start + count[node] - 1;
    let chosen = start;
    for (let child = start + 1; child <= end; child++) {
      const beside = prelim[child - 1] + size[child - 1] / 2 + gap + size[child] / 2;
      mod[child] = count[child] ? beside - prelim[child] : 0;
      prelim[child] = beside;
      chosen = apportion(child, chosen, start);
    }
    let moved = 0, changed = 0;
    for (let child = end; child >= start; child--) {
      prelim[child] += moved; mod[child] += moved;
      changed += change[child]; moved += shift[child] + changed;
    }
    prelim[node] = (prelim[start] + prelim[end]) / 2;
  }
  const pushed = new Float64Array(n);
  let least = Infinity;
  for (let i = 0; i < n; i++) {
    if (parent[i] !== NOTHING) {
      prelim[i] += pushed[parent[i]];
      pushed[i] = pushed[parent[i]] + mod[i];
    }
    least = Math.min(least, prelim[i] - size[i] / 2);
  }
  return prelim.map((x) => x - least);
}
