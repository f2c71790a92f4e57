/** What the letters typed are worth where they were found; higher is better. */
const STEP = { letter: 1, adjacent: 4, wordStart: 6, textStart: 8 } as const;

/**
 * How well `text` answers what was typed: its letters must all be there, in order. Letters side by side, at the start of a word
 * and at the start of the text count more; of two equal ones the shorter text wins.
 * @returns null when a letter is missing; 0 for nothing typed
 */
export function fuzzyScore(typed: string, text: string): number | null {
  const wanted = typed.toLowerCase().replace(/\s+/g, '');
  const within = text.toLowerCase();
  if (wanted === '') return 0;
  // The whole of it at once, wherever it stands, beats letters picked from several words.
  const whole = placeOf(within, typed.trim().toLowerCase());
  let score = whole === 0 ? 40 : whole > 0 ? 20 : 0;
  let at = whole >= 0 ? whole - 1 : -1;
  for (const letter of wanted) {
    const found = within.indexOf(letter, at + 1);
    if (found < 0) return null;
    score += STEP.letter + (found === at + 1 && at >= 0 ? STEP.adjacent : 0);
    score += found === 0 ? STEP.textStart : isWordStart(within, found) ? STEP.wordStart : 0;
    at = found;
  }
  return score - within.length / 100;
}

const isWordStart = (text: string, at: number): boolean => at === 0 || !/[a-z0-9]/.test(text[at - 1] ?? '');

/** Where `part` begins a word, else where it is at all; -1 when it is not. */
function placeOf(text: string, part: string): number {
  const first = text.indexOf(part);
  for (let at = first; at >= 0; at = text.indexOf(part, at + 1)) if (isWordStart(text, at)) return at;
  return first;
}

/** The items that match, best first; equal ones stay in their order. */
export function fuzzyFilter<Item>(typed: string, items: readonly Item[], textOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, score: fuzzyScore(typed, textOf(item)) }))
    .filter((each): each is { item: Item; score: number } => each.score !== null)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
