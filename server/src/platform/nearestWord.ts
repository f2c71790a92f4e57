/**
 * Number of insertions, deletions, replacements and swaps of neighbours between `a` and `b`; `limit + 1` when it exceeds `limit`.
 * Optimal string alignment.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  return Math.min(above[b.length] ?? limit + 1, limit + 1);
}

/** Typing errors tolerated in a word of this length. */
const errorsMax = (word: string): number => (word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0);

/** The word that was probably meant; undefined when none is near. Ties: the first in alphabetical order. */
export function nearestWord(typed: string, words: Iterable<string>): string | undefined {
  const limit = errorsMax(typed);
  let best: { word: string; distance: number } | undefined;
  for (const word of words) {
    // A mistyped first letter is rare, and without this rule short words match unrelated ones.
    if (word[0] !== typed[0]) continue;
    const distance = editDistance(typed, word, limit);
    if (distance > limit) continue;
    if (best === undefined || distance < best.distance || (distance === best.distance && word < best.word))
      best = { word, distance };
  }
  return best?.word;
}
