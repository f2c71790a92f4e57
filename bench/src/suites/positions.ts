import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { type BookPosition, CLOSE_GUARDS } from '@sextant/workers/src/positions/bookTypes.ts';
import { PositionBook } from '@sextant/workers/src/positions/positionBook.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';

const POSITIONS = 10_000;
const SYMBOLS = 120;
/** A round is one price, or one closed candle, of every symbol. */
const ROUND_MS_MAX = 20;
const start = 1_767_225_600_000;
/** Moves that touch no level, one after the other, so that no branch is learned by heart. */
const MOVES = Array.from({ length: 64 }, (_, i) => 1 + 0.003 * Math.sin(i * 1.7));

const entryOf = (symbol: number): number => 10 + symbol * 7.5;

function position(i: number): BookPosition {
  const entry = entryOf(i % SYMBOLS);
  const isLong = i % 3 !== 0;
  const side = isLong ? 1 : -1;
  const stopFraction = 0.02 + 0.0001 * (i % 50);
  return {
    id: String(i),
    side: isLong ? 'LONG' : 'SHORT',
    entryTimeMs: start,
    entryPrice: entry,
    quantity: 1 + (i % 9),
    leverage: 10,
    stopPrice: entry * (1 - side * stopFraction),
    targetPrice: entry * (1 + side * 0.04),
    liquidationPrice: entry * (1 - side * 0.095),
    bestPrice: entry,
    isArmed: true,
    tickSize: 0.0001,
    takerFeeFraction: venueFees.binance.takerFeeFraction,
    trailing: i % 2 === 0 ? { mode: 'percent', callbackFraction: 0.01, stepFraction: 0.0025 } : { mode: 'off' },
    atr: null,
  };
}

export async function preparePositions(): Promise<PreparedSuite> {
  const { module } = await loadModule();
  const filled = (): PositionBook => {
    const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
    for (let i = 0; i < POSITIONS; i++) book.add(`binance S${i % SYMBOLS}`, position(i));
    return book;
  };
  const [ticked, stepped] = [filled(), filled()];
  let [ticks, candles] = [0, 0];
  const prices = (): number => roundOfPrices(ticked, (ticks += 1));
  const bars = (): number => roundOfCandles(stepped, (candles += 1));
  return {
    cases: [
      roundCase('round-prices', prices, () => check(ticked, prices)),
      roundCase('round-candles', bars, () => [...check(stepped, bars), ...closesAll(filled())]),
    ],
    notes: [
      `A round: one price (or one closed 1m candle) of each of ${SYMBOLS} symbols against ${POSITIONS} open positions, on one core, nothing closing.`,
      `Half of the positions trail. Goal: at most ${ROUND_MS_MAX} ms; the suite fails when the fastest of 20 rounds needs more.`,
    ],
  };
}

const roundCase = (name: string, operation: () => number, verify: () => string[]): BenchCase => ({
  name,
  unit: 'ms',
  toFigure: (operationNs) => operationNs / 1e6,
  operation,
  rivals: [],
  verify,
});

function roundOfPrices(book: PositionBook, round: number): number {
  const atMs = start + MINUTE_MS + round * 1000;
  let events = 0;
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const price = entryOf(symbol) * (MOVES[(round + symbol) % MOVES.length] as number);
    events += book.tick(`binance S${symbol}`, { price, mark: price, atMs }).length;
  }
  return events;
}

function roundOfCandles(book: PositionBook, round: number): number {
  let events = 0;
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const open = entryOf(symbol) * (MOVES[(round + symbol) % MOVES.length] as number);
    const bar = { timeMs: start + round * MINUTE_MS, spanMs: MINUTE_MS, open, close: open, volume: 1 };
    events += book.candle(`binance S${symbol}`, { ...bar, high: open * 1.001, low: open * 0.999 }).length;
  }
  return events;
}

/** Everything is open still, and a round is as quick as it has to be. */
function check(book: PositionBook, round: () => number): string[] {
  let fastestMs = Infinity;
  for (let i = 0; i < 20; i++) {
    const startedAt = performance.now();
    round();
    fastestMs = Math.min(fastestMs, performance.now() - startedAt);
  }
  const failures =
    book.size === POSITIONS ? [] : [`${POSITIONS - book.size} positions were closed by prices that touch nothing`];
  if (fastestMs > ROUND_MS_MAX) failures.push(`the fastest of 20 rounds took ${fastestMs.toFixed(1)} ms`);
  return failures;
}

/** A candle that reaches both ends closes every position, each once. */
function closesAll(book: PositionBook): string[] {
  let closed = 0;
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const open = entryOf(symbol);
    const bar = { timeMs: start, spanMs: MINUTE_MS, open, close: open, volume: 1, high: open * 1.5, low: open * 0.5 };
    closed += book.candle(`binance S${symbol}`, bar).filter(({ kind }) => kind === 'closed').length;
  }
  return closed === POSITIONS && book.size === 0 ? [] : [`${closed} of ${POSITIONS} positions were closed`];
}
