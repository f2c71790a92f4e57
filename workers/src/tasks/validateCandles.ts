import { isCandleTime } from '../candles/candleTime.ts';
import { candleFields } from '../candles/candleColumns.ts';
import { TASK_CANDLES_MAX } from '../core/limits.ts';
import type { Candles, MarkPrices } from '../protocol/backtest.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';
import { ok } from '../core/result.ts';

/**
 * The only validation before the engine: kernels trust their columns. Reports the column, the row and the value.
 * @param field how the caller names these candles
 */
export function validateCandles(candles: Candles, countMin = 1, field = 'candles'): TaskResult<null> {
  const count = candles.time.length;
  for (const name of candleFields) {
    if (candles[name].length !== count) {
      return bad(
        `${field}.${name}`,
        `has ${candles[name].length} values, time has ${count}: all columns need one length`,
      );
    }
  }
  if (count < countMin) return fail('too_short', `${field}: ${count} candles, needs at least ${countMin}`, field);
  if (count > TASK_CANDLES_MAX) return bad(field, `${count} candles, at most ${TASK_CANDLES_MAX} are taken`);
  const i = firstImplausible(candles);
  if (i === undefined) return ok(null);
  const { name, text } = problemOf(candles, i);
  return bad(`${field}.${name}[${i}]`, text);
}

/** No market quotes beyond these, and within them no sum or square of a thousand candles overflows or underflows. */
const PRICE_MIN = 1e-12;
const PRICE_MAX = 1e15;
const VOLUME_MAX = 1e18;

/** One pass without allocation: a million candles are checked before each run. NaN fails every comparison. */
function firstImplausible({ time, open, high, low, close, volume }: Candles): number | undefined {
  let before = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < time.length; i++) {
    const at = time[i] ?? Number.NaN;
    const top = high[i] ?? Number.NaN;
    const bottom = low[i] ?? Number.NaN;
    const size = volume[i] ?? Number.NaN;
    const isInOrder = at > before && isCandleTime(at);
    const isSound = bottom >= PRICE_MIN && top <= PRICE_MAX && size >= 0 && size <= VOLUME_MAX;
    if (!isInOrder || !isSound || !isWithin(open[i], bottom, top) || !isWithin(close[i], bottom, top)) return i;
    before = at;
  }
  return undefined;
}

const isWithin = (price: number | undefined, bottom: number, top: number): boolean =>
  price !== undefined && price >= bottom && price <= top;

interface Problem {
  name: string;
  text: string;
}

/** Describes the problem of an implausible row. */
function problemOf(candles: Candles, i: number): Problem {
  for (const name of candleFields) {
    const text = sizeProblem(name, candles[name][i] ?? Number.NaN);
    if (text !== undefined) return { name, text };
  }
  const [time, open, high, low, close, volume] = candleFields.map((name) => candles[name][i] ?? Number.NaN) as Row;
  if (volume < 0) return { name: 'volume', text: `is ${volume}, must not be negative` };
  if (high < low) return { name: 'high', text: `is ${high}, below the low ${low}` };
  if (high < Math.max(open, close)) return { name: 'high', text: `is ${high}, below open ${open} or close ${close}` };
  if (low > Math.min(open, close)) return { name: 'low', text: `is ${low}, above open ${open} or close ${close}` };
  const before = candles.time[i - 1] ?? Number.NaN;
  return { name: 'time', text: `is ${time}, not after ${before}: candles go from oldest to newest without repeats` };
}

/** Problem of a single number, apart from its neighbours. */
function sizeProblem(name: string, value: number): string | undefined {
  if (!Number.isFinite(value)) return `is ${value}, must be a finite number`;
  if (name === 'time') return timeProblem(value);
  const most = name === 'volume' ? VOLUME_MAX : PRICE_MAX;
  if (value > most) return `is ${value}, above ${most}`;
  if (name === 'volume') return undefined;
  if (value <= 0) return `is ${value}, a price must be above 0`;
  return value < PRICE_MIN ? `is ${value}, below ${PRICE_MIN}` : undefined;
}

function timeProblem(value: number): string | undefined {
  if (isCandleTime(value)) return undefined;
  return Number.isInteger(value)
    ? `is ${value}, must be epoch milliseconds of the years 1 to 9999`
    : `is ${value}, must be whole milliseconds`;
}

type Row = [number, number, number, number, number, number];

function bad(field: string, text: string): TaskResult<never> {
  return fail('bad_input', `${field} ${text}`, field);
}

/** `time` whole and strictly increasing, the others finite, plausible and as long: funding histories and mark prices. */
export function validateColumns(
  columns: Record<string, Float64Array | undefined>,
  count: number,
  field: string,
): TaskResult<null> {
  for (const [name, column] of Object.entries(columns)) {
    if (column === undefined) continue;
    if (column.length !== count) return bad(`${field}.${name}`, `has ${column.length} values, needs ${count}`);
    const wrong = column.findIndex((value) => columnProblem(name, value) !== undefined);
    const text = wrong < 0 ? undefined : columnProblem(name, column[wrong] ?? Number.NaN);
    if (text !== undefined) return bad(`${field}.${name}[${wrong}]`, text);
  }
  const time = columns['time'];
  const unsorted = time?.findIndex((value, i) => i > 0 && value <= (time[i - 1] ?? Number.NaN)) ?? -1;
  return unsorted < 0 ? ok(null) : bad(`${field}.time[${unsorted}]`, 'is not after the one before');
}

/** Three prices above 0 for each of `count` candles, the open between the low and the high. */
export function validateMarkPrices(prices: MarkPrices, count: number, field = 'markPrices'): TaskResult<null> {
  const columns = validateColumns({ open: prices.open, high: prices.high, low: prices.low }, count, field);
  if (!columns.ok) return columns;
  const { open, high, low } = prices;
  for (let i = 0; i < count; i++) {
    const [at, top, bottom] = [open[i] ?? Number.NaN, high[i] ?? Number.NaN, low[i] ?? Number.NaN];
    if (top < at) return bad(`${field}.high[${i}]`, `is ${top}, below the open ${at}`);
    if (bottom > at) return bad(`${field}.low[${i}]`, `is ${bottom}, above the open ${at}`);
  }
  return ok(null);
}

/** A rate is a fraction of the position: no exchange's cap comes near the whole of it. Other columns are prices. */
function columnProblem(name: string, value: number): string | undefined {
  if (name !== 'rate') return sizeProblem(name, value);
  if (Math.abs(value) <= 1) return undefined;
  return Number.isFinite(value) ? `is ${value}, a rate must be from -1 to 1` : `is ${value}, must be a finite number`;
}
