import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { describe, expect, it } from 'vitest';
import { resolveSignal, type SignalLevels } from '../../src/signals/outcome.ts';

const minute = 60_000;
const startMs = Date.UTC(2026, 0, 5, 10);
/** Rows of open, high, low, close from `startMs` on; null is a candle that is missing. */
function candles(rows: ([number, number, number, number] | null)[]): Candles {
  const retained = rows.flatMap((row, i) => (row === null ? [] : [{ time: startMs + i * minute, row }]));
  const column = (k: number) => Float64Array.from(retained, ({ row }) => row[k] ?? 0);
  const time = Float64Array.from(retained, (each) => each.time);
  return { time, open: column(0), high: column(1), low: column(2), close: column(3), volume: column(4) };
}
const long: SignalLevels = {
  direction: 'LONG',
  stopLoss: 98,
  takeProfit: 104,
  issuedAtMs: startMs,
  horizonMinutes: 2,
};
const short: SignalLevels = { ...long, direction: 'SHORT', stopLoss: 102, takeProfit: 96 };
const quiet: [number, number, number, number] = [100, 101, 99, 100];
const of = (signal: SignalLevels, rows: ([number, number, number, number] | null)[]) =>
  resolveSignal(signal, candles(rows), minute);

describe('the outcome of a signal', () => {
  it('enters at the open after its candle and pays both fees', () => {
    // Entry 100, target 104: 4 % gross. Fees 0.05 % of 100 and of 104.
    const result = of(long, [quiet, [100, 105, 100, 104]]);
    expect(result).toMatchObject({ outcome: 'TP', entryPrice: 100, exitPrice: 104, exitAtMs: startMs + minute });
    expect(result!.grossFraction).toBeCloseTo(0.04, 12);
    expect(result!.feesFraction).toBeCloseTo(0.0005 * 2.04, 12);
    expect(result!.netFraction).toBeCloseTo(0.04 - 0.00102, 12);
  });

  it.each<[string, SignalLevels, ([number, number, number, number] | null)[], string, number, boolean]>([
    ['a long is stopped by a touch', long, [[100, 100, 98, 99]], 'SL', 97.9804, false],
    ['a short is stopped by a touch', short, [[100, 102, 100, 101]], 'SL', 102.0204, false],
    ['a short is taken by a touch', short, [[100, 100, 96, 97]], 'TP', 96, false],
    ['both in one candle is the stop, and says so', long, [[100, 105, 97, 100]], 'SL', 97.9804, true],
    ['a gap beyond the stop is filled at the open', long, [quiet, [97, 99, 96, 98]], 'SL', 96.9806, false],
    ['a gap beyond the target is filled at the open', long, [quiet, [106, 107, 105, 106]], 'TP', 106, false],
    ['the wick of the first candle counts', short, [[100, 101, 95, 100]], 'TP', 96, false],
    [
      'three horizons without a touch are the end',
      long,
      [quiet, quiet, quiet, quiet, quiet, [100, 101, 99, 100.5]],
      'TIME',
      100.5,
      false,
    ],
  ])('%s', (_, signal, rows, outcome, exitPrice, isAmbiguous) => {
    expect(of(signal, rows)).toMatchObject({
      outcome,
      isAmbiguous,
      exitPrice: expect.closeTo(exitPrice, 9) as number,
    });
  });

  it('is not known while no level was touched and time is left: open is not lost', () => {
    expect(of(long, [quiet, quiet, quiet])).toBeNull();
    expect(of(long, [])).toBeNull();
  });

  it('is not known behind a gap, which could hide the deciding candle', () => {
    expect(of(long, [quiet, null, [100, 105, 100, 104]])).toBeNull();
    expect(of(long, [null, [100, 105, 100, 104]])).toBeNull();
  });

  it('enters at the first candle that opens after the signal was created: the running candle was known already', () => {
    const inCandle = { ...long, issuedAtMs: startMs + 1 };
    // The running candle touches the stop, the next one the target.
    expect(
      of(inCandle, [
        [100, 100, 90, 101],
        [101, 105, 100, 104],
      ]),
    ).toMatchObject({
      outcome: 'TP',
      entryPrice: 101,
      exitAtMs: startMs + minute,
    });
  });

  it('ignores candles before the signal', () => {
    const later = { ...long, issuedAtMs: startMs + minute };
    expect(of(later, [[100, 110, 90, 100], quiet])).toBeNull();
  });
});
