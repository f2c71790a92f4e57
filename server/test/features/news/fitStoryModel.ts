import { pathToFileURL } from 'node:url';
import { areAtOdds } from '../../../src/features/news/understand/cluster.ts';
import { compareFeatures } from '../../../src/features/news/understand/compareHeadlines.ts';
import { signatureOf } from '../../../src/features/news/understand/signature.ts';
import { type StoryFeature, storyFeatures } from '../../../src/features/news/understand/storyModel.ts';
import {
  asItem,
  makeGeneratedTopics,
  pairsOf,
  readFittingTopics,
  readPressTopics,
  type Topic,
} from './headlinePairs.ts';
import { heldOut, tuning } from './wireHeadlines.ts';

/** `node server/test/features/news/fitStoryModel.ts` prints the coefficients of the story model. Held-out headlines are not read. */

interface Row {
  x: number[];
  isSame: boolean;
  weight: number;
}

/** Ridge of the coefficients, the constant aside. */
const RIDGE = 0.3;
const STEPS_MAX = 60;
/** Shares of headlines that the rules were made with, and of the generated ones, which are of few wordings. */
const shares = { own: 0.5, generated: 0.1 };

const wireTopics: Topic[] = [...tuning, ...heldOut].map((events) => ({
  kind: 'wire',
  items: events.flatMap((titles, event) => titles.map((title) => ({ event: String(event), title, atMs: 0 }))),
}));

/** Pairs that the model decides: those at odds, and those without anything in common, never reach it. */
function rowsOf(topics: readonly Topic[], weight: number): Row[] {
  // One list of all topics: what two topics have in common is no story either.
  const items = topics.flatMap(({ items: own }, topic) =>
    own.map((item) => ({ ...item, event: `${topic} ${item.event}` })),
  );
  const known = new Map(items.map((item) => [item, { item: asItem(item), signature: signatureOf(item.title) }]));
  return pairsOf(items).flatMap(([a, b]) => {
    const [own, other] = [known.get(a), known.get(b)];
    if (own === undefined || other === undefined || areAtOdds(own, other)) return [];
    const features = compareFeatures(own.signature, other.signature);
    if (features === undefined) return [];
    return [{ x: [1, ...storyFeatures.map((name) => features[name])], isSame: a.event === b.event, weight }];
  });
}

/** Newton's method for the ridge logistic likelihood; the constant first. */
function fitRows(rows: readonly Row[]): number[] {
  const count = storyFeatures.length + 1;
  let fitted = new Array<number>(count).fill(0);
  for (let step = 0; step < STEPS_MAX; step++) {
    const system = Array.from({ length: count }, (_, i) => [
      ...Array.from({ length: count }, (_j, j) => (i === j ? (i === 0 ? 1e-6 : RIDGE) : 0)),
      i === 0 ? 0 : -RIDGE * (fitted[i] ?? 0),
    ]);
    for (const { x, isSame, weight } of rows) {
      const chance = 1 / (1 + Math.exp(-x.reduce((sum, value, i) => sum + value * (fitted[i] ?? 0), 0)));
      const [residual, spread] = [weight * (Number(isSame) - chance), weight * chance * (1 - chance)];
      for (const [i, own] of x.entries()) {
        const row = system[i];
        if (own === 0 || row === undefined) continue;
        row[count] = (row[count] ?? 0) + residual * own;
        for (const [j, other] of x.entries()) row[j] = (row[j] ?? 0) + spread * own * other;
      }
    }
    const change = solve(system);
    fitted = fitted.map((value, i) => value + (change[i] ?? 0));
    if (Math.max(...change.map(Math.abs)) < 1e-9) break;
  }
  return fitted;
}

/** Gauss-Jordan with pivots. @param system rows of the matrix, the right side last */
function solve(system: number[][]): number[] {
  const count = system.length;
  for (let i = 0; i < count; i++) {
    const pivot = system.slice(i).reduce((best, row, k) => {
      const isLarger = Math.abs(row[i] ?? 0) > Math.abs(system[best]?.[i] ?? 0);
      return isLarger ? i + k : best;
    }, i);
    const [own, other] = [system[pivot] ?? [], system[i] ?? []];
    system[pivot] = other;
    system[i] = own;
    for (const [k, row] of system.entries()) {
      const factor = k === i ? 0 : (row[i] ?? 0) / (own[i] ?? 1);
      if (factor !== 0) system[k] = row.map((value, j) => value - factor * (own[j] ?? 0));
    }
  }
  return system.map((row, i) => (row[count] ?? 0) / (row[i] ?? 1));
}

/** The coefficients by feature, to two decimals, as the model has them. */
export function fitStoryModel(): Record<StoryFeature | 'constant', number> {
  const fitted = fitRows([
    ...rowsOf(readFittingTopics(), 1),
    ...rowsOf(readPressTopics('development'), shares.own),
    ...wireTopics.flatMap((topic) => rowsOf([topic], shares.own)),
    ...makeGeneratedTopics('development', 5).flatMap((topic) => rowsOf([topic], shares.generated)),
  ]);
  const names = ['constant', ...storyFeatures] as const;
  const rounded = names.map((name, i) => [name, Math.round((fitted[i] ?? 0) * 100) / 100] as const);
  return Object.fromEntries(rounded) as Record<StoryFeature | 'constant', number>;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(`${JSON.stringify(fitStoryModel(), null, 2)}\n`);
