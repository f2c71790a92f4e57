import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { doContradict, scoreOf } from './compareHeadlines.ts';
import { type Signature, signatureOf, strongRoots } from './signature.ts';

/** What is compared of an item. */
export interface Compared {
  title: string;
  symbols: readonly string[];
  /** Published; first seen where no time is stated. Feeds read late or all at once keep their order. */
  atMs: number;
}

/** Reports of one event come within this time of the first. */
export const STORY_WINDOW_MS = 36 * HOUR_MS;
/** Reports of a price move appear within this time; a later one is about another move. */
const MOVE_WINDOW_MS = 4 * HOUR_MS;
const isMove = ({ roots, figures }: Signature): boolean =>
  figures.length > 0 && ['rise', 'fall', 'cross'].some((root) => roots.has(root));

/** Each settlement is an event of its own, with the same words and often the same rate. */
const isFunding = ({ title }: Compared): boolean => /\bfunding\b.*%/i.test(title);

export interface Stories<K> {
  /** Story of an item; undefined when it starts one. */
  find: (item: Compared) => K | undefined;
  add: (key: K, item: Compared) => void;
}

/**
 * Near-duplicates by their titles: words reduced to roots and to one word for what headlines say in many, names and figures weighing more.
 * Two titles are one story when a fitted model takes them for one, they were first seen within 36 hours (4 for the move of a price), and do
 * not contradict each other: percentages, amounts or counts of which none is the same, other names, opposite directions, or symbols of which none is the same.
 * An item joins the story with the most similar report, unless another report of that story contradicts it.
 */
export function createStories<K>(): Stories<K> {
  const known: Report<K>[] = [];
  const byRoot = new Map<string, number[]>();
  const byStory = new Map<K, Report<K>[]>();
  return {
    find(item) {
      const own = { item, signature: signatureOf(item.title) };
      const candidates = new Set(strongRoots(own.signature).flatMap((root) => byRoot.get(root) ?? []));
      const matches: { key: K; score: number }[] = [];
      for (const index of candidates) {
        const other = known[index];
        if (other === undefined) continue;
        const score = scoreOf(own.signature, other.signature);
        if (score !== undefined && !areAtOdds(own, other)) matches.push({ key: other.key, score });
      }
      matches.sort((a, b) => b.score - a.score);
      return matches.find(({ key }) => !(byStory.get(key) ?? []).some((other) => areAtOdds(own, other)))?.key;
    },
    add(key, item) {
      const report = { key, item, signature: signatureOf(item.title) };
      const index = known.push(report) - 1;
      byStory.set(key, [...(byStory.get(key) ?? []), report]);
      for (const root of strongRoots(report.signature)) byRoot.set(root, [...(byRoot.get(root) ?? []), index]);
    },
  };
}

interface Report<K> {
  key: K;
  item: Compared;
  signature: Signature;
}

/** What no two reports of one event have: it also keeps an item out of a story that another report would let it into. */
export function areAtOdds(a: Omit<Report<unknown>, 'key'>, b: Omit<Report<unknown>, 'key'>): boolean {
  const apartMs = Math.abs(a.item.atMs - b.item.atMs);
  const isShort = (isMove(a.signature) && isMove(b.signature)) || (isFunding(a.item) && isFunding(b.item));
  if (apartMs > (isShort ? MOVE_WINDOW_MS : STORY_WINDOW_MS)) return true;
  if (a.item.symbols.length > 0 && b.item.symbols.length > 0) {
    const theirs = new Set(b.item.symbols);
    if (!a.item.symbols.some((symbol) => theirs.has(symbol))) return true;
  }
  return doContradict(a.signature, b.signature);
}
