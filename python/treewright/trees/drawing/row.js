// The path of a row: what each box asks of it, and where it goes on.
const STOP = -1, SHARE = -2, HIDDEN = -3, UNSEEN = "unseen";
const NUMBER = /^[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?$/i;
// One comma before three digits parts thousands in one country and decimals in another.
const UNCLEAR = /^[-+]?[1-9]\d{0,2},\d{3}$/;

class Row {
  // `first` and `count` are the children of each box; `written` has a text for each column.
  constructor(data, first, count) {
    Object.assign(this, { data, first, count, written: new Map() });
  }

  has(c) {
    return this.written.has(c);
  }

  // The boxes on the path as far as it is known, the columns that it asks for, and where it ends.
  followed() {
    const path = new Set(), asked = [], ends = [], waiting = [0];
    while (waiting.length) {
      const i = waiting.pop();
      path.add(i);
      const step = this.data.steps[i];
      if (step === null) { ends.push(i); continue; }
      const columns = step.p === undefined ? [step.c] : this.data.planes[step.p].terms.map((term) => term[0]);
      columns.forEach((c) => asked.includes(c) || asked.push(c));
      if (columns.some((c) => !this.has(c))) { ends.push(i); continue; }
      const target = this.target(step);
      const below = [...Array(this.count[i]).keys()].map((k) => this.first[i] + k);
      if (target === SHARE) waiting.push(...below.filter((c) => !this.data.more[c] && this.data.weighs[c]));
      else if (target === STOP) ends.push(i);
      else if (target === HIDDEN) { waiting.push(below[below.length - 1]); }
      else waiting.push(target);
    }
    return { path, asked, ends };
  }

  target(step) {
    if (step.p !== undefined) {
      const plane = this.data.planes[step.p];
      let sum = 0;
      for (const [c, level, weight, missing, unseen] of plane.terms) {
        const value = this.value(c);
        const own = level === null ? value : value === null ? null : value === UNSEEN ? UNSEEN : Number(value === level);
        const part = own === null ? missing : own === UNSEEN ? unseen : own;
        if (part === null) return step.m;
        sum += weight * part;
      }
      return step.b[sum <= plane.offset ? 0 : 1];
    }
    const value = this.value(step.c);
    if (value === null) return step.m;
    if (value === UNSEEN) return step.u;
    if (step.t !== undefined) return step.b[value <= step.t ? 0 : 1];
    for (const [codes, target] of step.g) if (codes.includes(value)) return target;
    return step.d;
  }

  // A number, the position of a level, null for a missing value, UNSEEN for one that is no level.
  value(c) {
    const text = this.written.get(c).trim(), column = this.data.columns[c];
    if (column.levels && column.levels.includes(text)) return column.levels.indexOf(text);
    if (text === "" || text === "?") return null;
    if (column.levels === null) {
      const moment = column.since && /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(`${text.replace(" ", "T")}${text.includes(":") ? "Z" : ""}`) : NaN;
      const number = Number.isNaN(moment) ? this.number(text) : ((moment - Date.parse(column.since)) * 1000) / column.unit;
      return Number.isNaN(number) ? null : number;
    }
    return UNSEEN;
  }

  number(text) {
    if (UNCLEAR.test(text)) return NaN;
    return Number(NUMBER.test(text) ? text.replace(",", ".") : text);
  }

  // Why a text counts as missing though something is written; nothing if it does not.
  doubt(c) {
    const text = this.written.get(c).trim();
    if (this.data.columns[c].levels !== null || text === "?" || text === "" || this.value(c) !== null) return "";
    if (!UNCLEAR.test(text)) return "no number: counts as missing";
    const [before, after] = text.split(",");
    return `${before}${after} or ${before}.${after}? counts as missing`;
  }
}
