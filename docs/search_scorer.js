/* The order of what the offline search finds: sections by their heading, then guides, then the API reference.
 *
 * Sphinx gives a page the score of its best single word, so for "oblique tree" each page with "tree" in a heading is as
 * good as the page about oblique trees, and a method that eight classes have fills the first screen. Here every word of
 * the query counts: 10 where it stands in a heading of the page, 5 more where it stands in the title.
 */
var REFERENCE = /^(api\/|parameters$|command-line$)/;

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
    return Math.min(score, Scorer.term) + mean - later;
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
