import { AlertBook, type AlertChange, type BookAlert } from '@sextant/workers/src/alerts/alertBook.ts';
import { comparisons } from '@sextant/workers/src/alerts/conditions.ts';
import { type Evidence, recompute } from '@sextant/workers/src/alerts/recompute.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';
import { deliveryNote, measureDelivery } from './alertDelivery.ts';

const ALERTS = 100_000;
const SYMBOLS = 300;
const RECEIPTS = 10_000;
/** A round is one tick of every symbol. */
const ROUND_MS_MAX = 20;
const start = 1_767_225_600_000;
/** Moves that touch a few levels each, one after the other, so that no branch is learned by heart. */
const MOVES = Array.from({ length: 64 }, (_, i) => 1 + 0.003 * Math.sin(i * 1.7));

const priceOf = (symbol: number): number => 10 + symbol * 7.5;
const keyOf = (symbol: number): string => `price binance S${symbol}`;

/** Levels of 0.3 % to 50 % around the price; each alert fires each time. */
function alertOf(i: number): BookAlert {
  const symbol = i % SYMBOLS;
  const isAbove = i % 2 === 0;
  const distance = 0.001 + 0.5 * (((i * 7919) % 9973) / 9973);
  const when = comparisons[i % 3] ?? 'cross';
  return {
    id: String(i),
    key: keyOf(symbol),
    when,
    level: priceOf(symbol) * (isAbove ? 1 + distance : 1 - distance),
    side: isAbove ? 'below' : 'above',
    sinceMs: start,
    repeats: true,
    pauseMs: 0,
    lastFiredMs: null,
    expiresMs: null,
  };
}

const filled = (): AlertBook => {
  const book = new AlertBook();
  for (let i = 0; i < ALERTS; i++) book.add(alertOf(i));
  return book;
};

function round(book: AlertBook, nth: number): AlertChange[] {
  const changes: AlertChange[] = [];
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const price = priceOf(symbol) * (MOVES[(nth + symbol) % MOVES.length] as number);
    changes.push(...book.value(keyOf(symbol), price, start + nth * 1000));
  }
  return changes;
}

/** Evidence of a firing, as the watch stores it. */
const evidenceOf = ({ sideBefore, value, before, observation }: AlertChange): Evidence => ({
  side_before: sideBefore,
  value,
  before,
  observation,
  basis: null,
});

export function prepareAlerts(): PreparedSuite {
  const quiet = filled();
  let nth = 0;
  const operation = (): number => round(quiet, (nth += 1)).length;
  const cases: BenchCase[] = [
    {
      name: 'round-ticks',
      unit: 'ms',
      toFigure: (operationNs) => operationNs / 1e6,
      operation,
      rivals: [],
      verify: () => [...checkSpeed(operation), ...checkReceipts()],
    },
    {
      name: 'round-all-fire',
      unit: 'ms',
      toFigure: (operationNs) => operationNs / 1e6 / 2,
      operation: bounce(),
      rivals: [],
      verify: checkBounce,
    },
  ];
  return {
    cases,
    measured: [{ name: 'delivery', measure: measureDelivery }],
    notes: [
      deliveryNote,
      `A round: one tick of each of ${SYMBOLS} symbols against ${ALERTS} alerts, on one core. Goal: at most ${ROUND_MS_MAX} ms; the suite fails when the fastest of 20 rounds needs more.`,
      `round-all-fire: every tick reaches every level of its side, ${ALERTS / 2} decisions a round. No goal: no market does that.`,
      `${RECEIPTS} firings are decided again from their receipts: all must agree.`,
    ],
  };
}

/** Prices far up and far down: each reaches half of the levels. */
function bounce(): () => number {
  const book = filled();
  let atMs = start;
  return () => {
    let count = 0;
    for (const factor of [2, 0.25]) {
      atMs += 1000;
      for (let symbol = 0; symbol < SYMBOLS; symbol++)
        count += book.value(keyOf(symbol), priceOf(symbol) * factor, atMs).length;
    }
    return count;
  };
}

function checkBounce(): string[] {
  const book = filled();
  for (let symbol = 0; symbol < SYMBOLS; symbol++) book.value(keyOf(symbol), priceOf(symbol) * 2, start + 1);
  const sides = round(book, 2);
  return book.size === ALERTS && sides.length > 0 ? [] : ['alerts that fire each time were lost'];
}

function checkSpeed(operation: () => number): string[] {
  let fastestMs = Infinity;
  for (let i = 0; i < 20; i++) {
    const startedAt = performance.now();
    operation();
    fastestMs = Math.min(fastestMs, performance.now() - startedAt);
  }
  return fastestMs > ROUND_MS_MAX ? [`the fastest of 20 rounds took ${fastestMs.toFixed(1)} ms`] : [];
}

/** Every stored firing is decided again from its evidence. */
function checkReceipts(): string[] {
  const book = filled();
  let [decided, different] = [0, 0];
  for (let nth = 0; decided < RECEIPTS && nth < 2000; nth++) {
    const wide = nth % 2 === 0 ? 1.6 : 0.6;
    for (let symbol = 0; symbol < SYMBOLS && decided < RECEIPTS; symbol++) {
      for (const change of book.value(keyOf(symbol), priceOf(symbol) * wide, start + nth * 1000)) {
        if (!change.fires || decided >= RECEIPTS) continue;
        decided += 1;
        const { when, level } = alertOf(Number(change.id));
        const condition = { kind: 'price', exchange: 'binance', symbol: 'S', when, level } as const;
        const stored = JSON.parse(JSON.stringify(evidenceOf(change))) as Evidence;
        const again = recompute(condition, stored);
        if (!again.fires || again.value !== change.value) different += 1;
      }
    }
  }
  const failures = different === 0 ? [] : [`${different} of ${decided} receipts differ when recomputed`];
  return decided === RECEIPTS ? failures : [...failures, `only ${decided} receipts were decided again`];
}
