/* The order of what the offline search finds: sections by their heading, then guides, then the API reference.
 *
 * Sphinx gives a page the score of its best single word, so for "oblique tree" each page with "tree" in a heading is as
 * good as the page about oblique trees, and a method that eight classes have fills the first screen. Here every word of
 * the query counts: 10 where it stands in a heading of the page, 5 more where it stands in the title.
 *
 * Sphinx also finds nothing where no page has all words, as for "monotone constraints in CHAID" or "train_test_split".
 * Then the pages with the most of them are shown, those with rare words first, and a line says so.
 *
 * A link leads to the section whose heading, with the title of the page, has all words, not to the top of the page.
 */
var REFERENCE = /^(api\/|parameters$|command-line$)/;

var rarity = new Map(); // of a page that lacks words of the query: how rare are those that it has

var Scorer = {
  score: ([page, name, anchor, description, score, file, kind]) => {
    const later = REFERENCE.test(page) ? 1 : 0; // of two equally good pages the guide is first
    if (kind === "title") return score + 10 - later;
    if (kind === "object") {
      const whole = score >= Scorer.objNameMatch + Scorer.objPrio[1];
      const member = /^Python (method|attribute|property)/.test(description);
      return whole && !member ? score : 4; // a class or function by its whole name; else below every text
    }
    if (kind !== "text") return score;

    const query = new URLSearchParams(window.location.search).get("q") || "";
    const words = [...Search._parseQuery(query)[1]];
    const { docnames, titles, titleterms } = Search._index;
    const number = docnames.indexOf(page);
    const inHeading = (word) =>
      Object.hasOwn(titleterms, word) && [titleterms[word]].flat().includes(number);
    const stemmer = new Stemmer();
    const title = splitQuery(titles[number].toLowerCase()).map((word) => stemmer.stemWord(word));
    const inTitle = (word) => title.includes(word);
    const points = words.map((word) => (inHeading(word) ? 10 : 0) + (inTitle(word) ? 5 : 0));
    const mean = points.reduce((sum, one) => sum + one, 0) / Math.max(words.length, 1);
    return Math.min(score, Scorer.term) + mean + (rarity.get(page) ?? 0) - later;
  },

  // Sphinx's own values, from which `score` starts.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

/* Return the pages that have the most of the words, whose stems `search` looks for. */
function withMostWords(search, words, excluded) {
  const stemmer = new Stemmer();
  const parts = [...words].flatMap((word) => word.split("_").map((part) => stemmer.stemWord(part)));
  const pages = new Map();
  for (const part of new Set(parts.filter((part) => part.length > 2))) {
    const found = search(new Set([part]), excluded);
    const rare = Math.log(Search._index.docnames.length / found.length);
    for (const row of found) {
      const page = pages.get(row[0]) ?? { row, words: 0, rare: 0 };
      pages.set(row[0], { row, words: page.words + 1, rare: page.rare + rare });
    }
  }
  const most = Math.max(...[...pages.values()].map((page) => page.words));
  const best = [...pages].filter(([, page]) => page.words === most);
  rarity = new Map(best.map(([name, page]) => [name, 3 * page.rare]));
  if (best.length)
    Search.status?.insertAdjacentHTML("afterend", "<p>No page has all of these words; these pages have the most.</p>");
  return best.map(([, page]) => page.row);
}

/* Let a row of the results lead to the first section of its page whose heading adds the words that the title lacks. */
function toSection(row, words) {
  const { alltitles, docnames, titles } = Search._index;
  const stemmer = new Stemmer();
  const stems = (text) => splitQuery(text.toLowerCase()).map((word) => stemmer.stemWord(word));
  const number = docnames.indexOf(row[0]);
  const title = stems(titles[number]);
  const missing = [...words].filter((word) => !title.includes(word));
  if (!missing.length) return row;
  for (const [heading, places] of Object.entries(alltitles)) {
    const [, anchor] = places.find(([page, anchor]) => page === number && anchor) ?? [];
    const has = anchor ? stems(heading) : [];
    if (missing.every((word) => has.includes(word)))
      return [row[0], `${titles[number]} > ${heading}`, `#${anchor}`, ...row.slice(3)];
  }
  return row;
}

// Sphinx puts this file behind its own search, before the index is read.
const withAllWords = Search.performTermsSearch;
Search.performTermsSearch = (words, excluded) => {
  const all = withAllWords(words, excluded);
  const found = all.length ? all : withMostWords(withAllWords, words, excluded);
  return found.map((row) => toSection(row, words));
};
