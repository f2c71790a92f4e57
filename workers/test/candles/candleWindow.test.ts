import { expect, it } from 'vitest';
import { candleWindow, fundingWithin } from '../../src/candles/candleWindow.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import type { BacktestResult } from '../../src/protocol/backtest.ts';
import { runTask, startEngine } from '../../src/tasks/index.ts';
import { backtestFromWire, BacktestRequestWire } from '../../src/protocol/wire/backtest.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

const HOUR = 3_600_000;
/** Candles of the hours 10, 11 and 12: the window ends with the close at hour 13. */
const time = [10, 11, 12].map((hour) => hour * HOUR);
const stamps = (...hours: number[]) => ({
  time: Float64Array.from(hours, (hour) => hour * HOUR),
  rate: Float64Array.from(hours, (hour) => hour / 1e4),
});

it('a window is from the first open to before the end of the last candle', () => {
  const within = fundingWithin(stamps(9, 10, 12.99, 13), candleWindow(time, HOUR));
  expect([...within.rate]).toEqual([10 / 1e4, 12.99 / 1e4]);
});

it('a stamp some milliseconds after the end is out, one some milliseconds after the first open is in', () => {
  const late = { time: Float64Array.of(10 * HOUR + 3, 13 * HOUR + 3), rate: Float64Array.of(1, 2) };
  expect([...fundingWithin(late, candleWindow(time, HOUR)).rate]).toEqual([1]);
});

it('the mark prices go with their stamps', () => {
  const funding = { ...stamps(9, 11, 13), mark: Float64Array.of(90, 110, 130) };
  expect([...(fundingWithin(funding, candleWindow(time, HOUR)).mark ?? [])]).toEqual([110]);
});

it('a history without a stamp in the window is an empty one, not an unknown one', () => {
  const within = fundingWithin(stamps(1, 2, 20), candleWindow(time, HOUR));
  expect([within.time.length, within.rate.length]).toEqual([0, 0]);
});

it('a gap before the last candle does not lengthen it when its length is known; no candles have no window', () => {
  const gap = [10, 12].map((hour) => hour * HOUR);
  expect(candleWindow(gap, HOUR).untilMs).toBe(13 * HOUR);
  expect(candleWindow(gap).untilMs).toBe(14 * HOUR);
  expect([...fundingWithin(stamps(0), candleWindow([])).time]).toEqual([]);
});

it('fundings outside the candles change none of the four hashes, those inside do', async () => {
  const engine = startEngine(await loadModule());
  const candles = randomCandles(seededRandom(12), 300);
  const first = candles.time[0] ?? 0;
  const last = candles.time.at(-1) ?? 0;
  const end = last + (last - (candles.time.at(-2) ?? 0));
  const hashesWith = (...at: number[]) => {
    const funding = {
      time: Float64Array.from(at),
      rate: Float64Array.from(at, (time) => (time === first ? 1e-4 : 2e-4)),
    };
    const wire = {
      candles: Object.fromEntries(
        Object.entries<Float64Array>({ ...candles }).map(([name, it]) => [name, Array.from(it)]),
      ),
    };
    const input = backtestFromWire(BacktestRequestWire.parse(wire));
    const run = runTask(engine, { name: 'backtest', input: { ...input, costs: { ...input.costs, funding } } });
    if (!run.ok) throw new Error(run.error.message);
    return (run.value as BacktestResult).hashes;
  };
  expect(hashesWith(first - 1, first, end, end + 3)).toEqual(hashesWith(first));
  expect(hashesWith(first, end - 1).data).not.toBe(hashesWith(first).data);
});
