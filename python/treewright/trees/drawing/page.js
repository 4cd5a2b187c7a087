// The page of a tree: fold, zoom, pan, search, facts on hover, the path of a row.
// Every page on a document is looked after by itself; nothing is named globally.
const MARGIN = 10, LEAST_AT_FIRST = 0.6;

class TreePage {
  constructor(root) {
    this.root = root;
    this.data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
    this.view = root.querySelector("svg.view");
    this.world = this.view.querySelector(".world");
    this.boxes = [...this.world.querySelectorAll(":scope > g")];
    this.edges = [null, ...this.world.querySelectorAll(":scope > path")];
    this.facts = this.boxes.map((box) => box.querySelector("title").textContent);
    this.hover = root.querySelector(".facts");
    const n = this.boxes.length;
    this.first = new Int32Array(n).fill(NOTHING);
    this.count = new Int32Array(n);
    this.data.parent.forEach((above, i) => {
      if (above < 0) return;
      if (!this.count[above]) this.first[above] = i;
      this.count[above]++;
    });
    this.folded = new Set();
    this.row = new Row(this.data, this.first, this.count);
    this.hits = [];
    this.at = 0;
    this.prepare();
    this.openAtFirst();
    this.listen();
    this.walk();
  }

  prepare() {
    this.view.removeAttribute("viewBox");
    this.boxes.forEach((box, i) => {
      const title = box.querySelector("title");
      box.setAttribute("aria-label", this.facts[i].replace(/\n/g, "; "));
      title.remove();
      box.dataset.box = i;
      if (!this.count[i]) return;
      box.setAttribute("tabindex", "0");
      box.setAttribute("role", "button");
      const sign = document.createElementNS("http://www.w3.org/2000/svg", "text");
      sign.setAttribute("class", "fold");
      const [x, y] = this.data.down
        ? [this.data.width[i] / 2, this.data.height[i] + 11]
        : [this.data.width[i] + 3, this.data.height[i] / 2 + 3.5];
      sign.setAttribute("x", x);
      sign.setAttribute("y", y);
      if (this.data.down) sign.setAttribute("text-anchor", "middle");
      box.append(sign);
    });
  }

  // Open as many boxes as can be read at once; the children of the root in any case.
  openAtFirst() {
    for (const most of [1, 0.75, 0.5, 0.25, 0]) {
      this.folded.clear();
      this.foldAtFirst(this.data.open * most);
      this.place();
      if (this.fitting() >= LEAST_AT_FIRST) break;
    }
    this.fit(LEAST_AT_FIRST);
  }

  foldAtFirst(most) {
    let shown = 1;
    for (let i = 0; i < this.boxes.length; i++) {
      if (!this.count[i]) continue;
      const isOn = i === 0 || this.data.on.includes(i);
      if (this.isShown(i) && (isOn || shown + this.count[i] <= most)) shown += this.count[i];
      else this.folded.add(i);
    }
  }

  isShown(i) {
    for (let above = this.data.parent[i]; above >= 0; above = this.data.parent[above])
      if (this.folded.has(above)) return false;
    return true;
  }

  hiddenBelow(i) {
    let found = 0;
    const waiting = [i];
    while (waiting.length) {
      const at = waiting.pop();
      for (let c = this.first[at]; c < this.first[at] + this.count[at]; c++) {
        found += this.data.more[c] || 1;
        waiting.push(c);
      }
    }
    return found;
  }

  // Put the shown boxes side by side, level by level, and the lines between them.
  place() {
    const { down, width, height, answer, rise, gaps, parent } = this.data;
    const shown = [], own = new Map(), first = [], count = [], level = [];
    const waiting = [0];
    for (let k = 0; k < waiting.length; k++) {
      const i = waiting[k];
      own.set(i, k);
      shown.push(i);
      level.push(k ? level[own.get(parent[i])] + 1 : 0);
      const open = this.count[i] && !this.folded.has(i);
      first.push(open ? waiting.length : NOTHING);
      count.push(open ? this.count[i] : 0);
      if (open) for (let c = 0; c < this.count[i]; c++) waiting.push(this.first[i] + c);
    }
    const tall = (i) => Math.max(height[i], 2 * rise[i]);
    const across = shown.map((i) => (down ? Math.max(width[i], answer[i]) : tall(i)));
    const middles = sideBySide(first, count, across, gaps.beside);
    const answers = [], thick = [];
    shown.forEach((i, k) => {
      const before = down ? rise[i] : answer[i] + (answer[i] ? 8 : 0);
      answers[level[k]] = Math.max(answers[level[k]] || 0, before);
      thick[level[k]] = Math.max(thick[level[k]] || 0, down ? height[i] : width[i]);
    });
    const starts = [];
    let end = 0;
    answers.forEach((before, k) => {
      starts.push(end + before);
      end += before + thick[k] + gaps.below;
    });
    this.boxes.forEach((box, i) => {
      box.style.display = own.has(i) ? "" : "none";
      if (this.edges[i]) this.edges[i].style.display = own.has(i) ? "" : "none";
    });
    this.x = new Float64Array(width.length);
    this.y = new Float64Array(width.length);
    shown.forEach((i, k) => {
      this.x[i] = down ? middles[k] - width[i] / 2 : starts[level[k]];
      this.y[i] = down ? starts[level[k]] : middles[k] - height[i] / 2;
      this.boxes[i].setAttribute("transform", `translate(${this.x[i].toFixed(1)} ${this.y[i].toFixed(1)})`);
      const above = parent[i];
      if (above < 0) return;
      const bend = starts[level[k]] - answers[level[k]];
      this.edges[i].setAttribute("d", this.line(above, i, bend - gaps.below, bend));
    });
    this.right = Math.max(...shown.map((i) => this.x[i] + Math.max(width[i], down ? (width[i] + answer[i]) / 2 : 0)));
    this.bottom = Math.max(...shown.map((i) => this.y[i] + height[i]));
    this.boxes.forEach((box, i) => {
      if (!this.count[i]) return;
      const isFolded = this.folded.has(i);
      box.setAttribute("aria-expanded", String(!isFolded));
      box.querySelector(".fold").textContent = isFolded ? `+${this.hiddenBelow(i).toLocaleString("en")}` : "";
    });
  }

  line(above, i, turn, end) {
    const { down, width, height, rise, gaps } = this.data;
    const p = (...values) => values.map((value) => value.toFixed(1)).join(" ");
    if (down) {
      const start = this.x[above] + width[above] / 2, to = this.x[i] + width[i] / 2, middle = (turn + end) / 2;
      const last = this.y[i] - rise[i];
      return `M${p(start, this.y[above] + height[above])}L${p(start, turn)}C${p(start, middle, to, middle, to, end)}L${p(to, last)}`;
    }
    const start = this.y[above] + height[above] / 2, to = this.y[i] + height[i] / 2, middle = (turn + end) / 2;
    return `M${p(this.x[above] + width[above], start)}L${p(turn, start)}C${p(middle, start, middle, to, end, to)}L${p(this.x[i], to)}`;
  }

  // Zoom and pan.

  show() {
    this.world.setAttribute("transform", `translate(${this.left} ${this.top}) scale(${this.scale})`);
  }

  size() {
    const box = this.view.getBoundingClientRect();
    return [box.width || 800, box.height || 500];
  }

  fitting() {
    const [width, height] = this.size();
    return Math.min((width - 2 * MARGIN) / this.right, (height - 2 * MARGIN) / this.bottom);
  }

  // Show all that is unfolded; where that were too small to read, the root at its end.
  fit(least = 0.02) {
    const [width, height] = this.size(), { down } = this.data;
    const fitting = this.fitting();
    this.scale = Math.min(1, Math.max(fitting, least));
    const isCut = fitting < this.scale;
    this.left = Math.max(MARGIN, (width - this.right * this.scale) / 2);
    this.top = down ? MARGIN : Math.max(MARGIN, (height - this.bottom * this.scale) / 2);
    if (isCut && down) this.left = width / 2 - (this.x[0] + this.data.width[0] / 2) * this.scale;
    if (isCut && !down) this.top = height / 2 - (this.y[0] + this.data.height[0] / 2) * this.scale;
    this.show();
  }

  zoom(factor, x, y) {
    const scale = Math.min(8, Math.max(0.02, this.scale * factor));
    this.left = x - ((x - this.left) * scale) / this.scale;
    this.top = y - ((y - this.top) * scale) / this.scale;
    this.scale = scale;
    this.show();
  }

  centre(i) {
    const [width, height] = this.size();
    this.scale = Math.max(this.scale, 0.6);
    this.left = width / 2 - (this.x[i] + this.data.width[i] / 2) * this.scale;
    this.top = height / 2 - (this.y[i] + this.data.height[i] / 2) * this.scale;
    this.show();
  }

  // Fold.

  toggle(i) {
    const before = [this.x[i], this.y[i]];
    if (!this.folded.delete(i)) this.folded.add(i);
    this.place();
    this.left += (before[0] - this.x[i]) * this.scale;
    this.top += (before[1] - this.y[i]) * this.scale;
    this.show();
  }

  foldAll(isFolded) {
    this.folded.clear();
    if (isFolded) this.boxes.forEach((_, i) => this.count[i] && this.folded.add(i));
    this.place();
    this.fit();
  }

  unfoldTo(i) {
    for (let above = this.data.parent[i]; above >= 0; above = this.data.parent[above]) this.folded.delete(above);
  }

  // Search.

  search(text, step) {
    const wanted = text.trim().toLowerCase();
    const isSame = wanted === this.wanted;
    this.wanted = wanted;
    this.boxes.forEach((box) => box.classList.remove("hit", "here"));
    this.hits = wanted ? this.data.words.flatMap((words, i) => (words.toLowerCase().includes(wanted) ? [i] : [])) : [];
    const said = this.root.querySelector(".found");
    if (!this.hits.length) {
      said.textContent = wanted ? "nothing found" : "";
      return;
    }
    this.at = isSame ? (this.at + step + this.hits.length) % this.hits.length : 0;
    this.hits.forEach((i) => this.unfoldTo(i));
    this.place();
    this.hits.forEach((i) => this.boxes[i].classList.add("hit"));
    this.boxes[this.hits[this.at]].classList.add("here");
    this.centre(this.hits[this.at]);
    said.textContent = `${this.at + 1} of ${this.hits.length}`;
  }

  // The path of a row: a feature is asked for when the path comes to it.

  walk() {
    const panel = this.root.querySelector(".row");
    if (!this.data.steps) return;
    const { path, asked, ends } = this.row.followed();
    this.ask(panel, asked);
    const isBegun = asked.some((c) => this.row.has(c));
    const marked = isBegun ? path : new Set(this.data.on);
    marked.forEach((i) => this.unfoldTo(i));
    this.place();
    this.show();
    this.boxes.forEach((box, i) => {
      box.classList.toggle("on", marked.has(i));
      if (this.edges[i]) this.edges[i].classList.toggle("on", marked.has(i));
    });
    const done = isBegun && asked.every((c) => this.row.has(c));
    panel.querySelector(".ends").textContent = done ? ends.map((i) => this.facts[i].split("\n").slice(1).join("; ")).join(" | ") : "";
  }

  ask(panel, asked) {
    const fields = panel.querySelector(".fields");
    for (const label of [...fields.children]) if (!asked.includes(Number(label.dataset.column))) label.remove();
    asked.forEach((c) => {
      if (fields.querySelector(`[data-column="${c}"]`)) return;
      const column = this.data.columns[c], label = document.createElement("label");
      label.dataset.column = c;
      const name = document.createElement("span");
      name.textContent = column.name;
      const said = document.createElement("em");
      const input = document.createElement("input");
      input.type = "text";
      input.placeholder = column.levels ? column.levels.slice(0, 3).join(", ") + ", …" : "number, or ?";
      if (this.row.has(c)) input.value = this.row.written.get(c);
      input.addEventListener("change", () => {
        this.row.written.set(c, input.value);
        said.textContent = this.row.doubt(c);
        input.classList.toggle("wrong", said.textContent !== "");
        this.walk();
      });
      label.append(name, input, said);
      fields.append(label);
    });
  }

  // What people do.

  listen() {
    const on = (selector, kind, act) => this.root.querySelector(selector).addEventListener(kind, act);
    const middle = () => this.size().map((length) => length / 2);
    on(".in", "click", () => this.zoom(1.25, ...middle()));
    on(".out", "click", () => this.zoom(0.8, ...middle()));
    on(".fit", "click", () => this.fit());
    on(".close", "click", () => this.foldAll(true));
    on(".open", "click", () => this.foldAll(false));
    on(".search", "input", (event) => this.search(event.target.value, 0));
    on(".search", "keydown", (event) => {
      if (event.key === "Enter") this.search(event.target.value, event.shiftKey ? -1 : 1);
    });
    const forget = this.root.querySelector(".forget");
    if (forget) forget.addEventListener("click", () => {
      this.row.written.clear();
      this.root.querySelector(".fields").replaceChildren();
      this.walk();
    });
    this.view.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = this.view.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    window.addEventListener("beforeprint", () => this.onPaper());
    window.addEventListener("afterprint", () => {
      this.view.removeAttribute("viewBox");
      this.show();
    });
    this.drag();
    this.view.addEventListener("keydown", (event) => {
      const i = this.boxOf(event.target);
      if (i !== null && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); this.toggle(i); }
      const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
      if (moves[event.key]) {
        event.preventDefault();
        this.left += moves[event.key][0];
        this.top += moves[event.key][1];
        this.show();
      }
      if (event.key === "+") this.zoom(1.25, ...middle());
      if (event.key === "-") this.zoom(0.8, ...middle());
      if (event.key === "0") this.fit();
    });
    const tell = (event) => this.tell(event);
    this.view.addEventListener("pointermove", tell);
    this.view.addEventListener("focusin", tell);
    this.view.addEventListener("pointerleave", () => { this.hover.hidden = true; });
  }

  // A page of paper has all that is unfolded.
  onPaper() {
    const size = `${this.right + 2 * MARGIN} ${this.bottom + 2 * MARGIN}`;
    this.view.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${size}`);
    this.world.removeAttribute("transform");
  }

  boxOf(target) {
    const box = target.closest ? target.closest("[data-box]") : null;
    return box ? Number(box.dataset.box) : null;
  }

  drag() {
    let from = null, moved = 0;
    this.view.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      moved = 0;
    });
    this.view.addEventListener("pointermove", (event) => {
      if (!from || !event.buttons) return;
      const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
      moved += Math.abs(x) + Math.abs(y);
      from = [event.clientX, event.clientY];
      this.left += x;
      this.top += y;
      this.show();
    });
    this.view.addEventListener("click", (event) => {
      const i = this.boxOf(event.target);
      if (i !== null && this.count[i] && moved < 5) this.toggle(i);
    });
  }

  tell(event) {
    const i = this.boxOf(event.target);
    this.hover.hidden = i === null;
    if (i === null) return;
    this.hover.textContent = this.facts[i];
    const frame = this.view.getBoundingClientRect();
    const at = event.clientX === undefined ? this.boxes[i].getBoundingClientRect() : { left: event.clientX, bottom: event.clientY };
    this.hover.style.left = `${Math.min(at.left - frame.left + 14, frame.width - 260)}px`;
    this.hover.style.top = `${Math.min(at.bottom - frame.top + 14, frame.height - 40)}px`;
  }
}

document.querySelectorAll(".treewright-page:not([data-ready])").forEach((root) => {
  root.dataset.ready = "";
  new TreePage(root);
});
