import { readFileSync } from 'node:fs';
import { coinNames } from '../../../src/features/news/understand/coinNames.ts';
import { createStories, STORY_WINDOW_MS } from '../../../src/features/news/understand/cluster.ts';
import { createTagger } from '../../../src/features/news/understand/symbols.ts';
import { type Half, generateFamilies } from './generatedEvents.ts';

/** A headline with its event. */
export interface Labelled {
  event: string;
  title: string;
  atMs: number;
}

export interface Topic {
  kind: string;
  items: Labelled[];
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const tag = createTagger([...Object.keys(coinNames), 'WAVES', 'MOVE'].map((base) => ({ base, symbol: `${base}USDT` })));
export const asItem = ({ title, atMs }: Labelled) => ({ title, symbols: tag(title), atMs });

/** Half of the topics of pressHeadlines.txt. */
export const readPressTopics = (half: Half): Topic[] =>
  readTopics('pressHeadlines.txt').filter((_topic, at) => (at % 2 === 0) === (half === 'development'));

/** Headlines that the story model is fitted on. */
export const readFittingTopics = (): Topic[] => readTopics('fittingHeadlines.txt');

/** Topics of a file; reports of one event come ten minutes apart. */
function readTopics(file: string): Topic[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const topics: Topic[] = [];
  let [event, atMs] = [0, 0];
  for (const line of text.split('\n')) {
    const own = topics.at(-1);
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('==')) topics.push({ kind: line.slice(2).split('|')[0]?.trim() ?? '', items: [] });
    else if (line.startsWith('*')) {
      event++;
      atMs = Number(/(\d+)h/.exec(line)?.[1] ?? 0) * HOUR_MS;
    } else {
      own?.items.push({ event: String(event), title: line, atMs });
      atMs += 10 * MINUTE_MS;
    }
  }
  return topics;
}

export const makeGeneratedTopics = (half: Half, seed: number): Topic[] =>
  generateFamilies(half, seed).map(({ kind, items }) => ({
    kind,
    items: items.map(({ event, title, atMinute }) => ({ event: String(event), title, atMs: atMinute * MINUTE_MS })),
  }));

export interface Measured {
  pairCount: number;
  sameCount: number;
  precision: number;
  recall: number;
  wrong: string[];
}

interface Judged {
  a: Labelled;
  b: Labelled;
  isSame: boolean;
  isFound: boolean;
}

function summarise(judged: readonly Judged[]): Measured {
  const countOf = (keep: (pair: Judged) => boolean): number => judged.filter(keep).length;
  const both = countOf(({ isFound, isSame }) => isFound && isSame);
  const sameCount = countOf(({ isSame }) => isSame);
  return {
    pairCount: judged.length,
    sameCount,
    precision: both / countOf(({ isFound }) => isFound),
    recall: both / sameCount,
    wrong: judged
      .filter(({ isFound, isSame }) => isFound !== isSame)
      .map(({ a, b, isFound }) => `${isFound ? 'joined' : 'parted'}: ${a.title} // ${b.title}`),
  };
}

export const pairsOf = <T extends Labelled>(items: readonly T[]): [T, T][] =>
  items.flatMap((a, i) =>
    items
      .slice(i + 1)
      .filter((b) => Math.abs(a.atMs - b.atMs) <= STORY_WINDOW_MS)
      .map((b): [T, T] => [a, b]),
  );

/** Each pair of a topic within the window alone: whether the second joins the first. */
export function measurePairs(topics: readonly Topic[]): Measured {
  return summarise(
    topics.flatMap(({ items }) =>
      pairsOf(items).map(([a, b]) => {
        const stories = createStories<string>();
        const [first, second] = a.atMs <= b.atMs ? [a, b] : [b, a];
        stories.add('first', asItem(first));
        return { a, b, isSame: a.event === b.event, isFound: stories.find(asItem(second)) === 'first' };
      }),
    ),
  );
}

/** All headlines of some topics as one feed in the order of their times; pairs are in one story or not. */
export function measureStream(topics: readonly Topic[]): Measured & { stories: Labelled[][] } {
  const items = topics
    .flatMap((topic, at) => topic.items.map((item) => ({ ...item, event: `${at} ${item.event}` })))
    .toSorted((a, b) => a.atMs - b.atMs);
  const stories = createStories<number>();
  const keys = items.map((item, at) => {
    const compared = asItem(item);
    const key = stories.find(compared) ?? at;
    stories.add(key, compared);
    return key;
  });
  const keyOf = new Map(items.map((item, at) => [item, keys[at]]));
  const judged = pairsOf(items).map(([a, b]) => ({
    a,
    b,
    isSame: a.event === b.event,
    isFound: keyOf.get(a) === keyOf.get(b),
  }));
  const groups = Map.groupBy(items, (item) => keyOf.get(item));
  return { ...summarise(judged), stories: [...groups.values()] };
}
