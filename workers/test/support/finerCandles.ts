import type { Candles } from '../../src/protocol/backtest.ts';
import type { Random } from './randomRuns.ts';

const PARTS = 3;

/** The finer candles of some of the candles: three of each, the extremes in the first or in the last. */
export function partsOf(random: Random, candles: Candles): Candles {
  const rows = [...candles.time.keys()].filter(() => random() < 0.9);
  const column = (of: (i: number, part: number, isHighFirst: boolean) => number): Float64Array =>
    Float64Array.from({ length: PARTS * rows.length }, (_, k) => {
      const i = rows[Math.floor(k / PARTS)] ?? 0;
      return of(i, k % PARTS, i % 2 === 0);
    });
  const at = (name: keyof Candles, i: number): number => candles[name][i] ?? Number.NaN;
  const stepMs = (candles.time[1] ?? 0) - (candles.time[0] ?? 0);
  const middle = (i: number): number => Math.max(at('open', i), at('close', i));
  return {
    time: column((i, part) => at('time', i) + (part * stepMs) / PARTS),
    open: column((i, part) => (part === 0 ? at('open', i) : middle(i))),
    high: column((i, part, isHighFirst) => (part === (isHighFirst ? 0 : 2) ? at('high', i) : middle(i))),
    low: column((i, part, isHighFirst) =>
      part === (isHighFirst ? 2 : 0) ? at('low', i) : Math.min(at('open', i), at('close', i)),
    ),
    close: column((i, part) => (part === PARTS - 1 ? at('close', i) : middle(i))),
    volume: column((i) => at('volume', i) / PARTS),
  };
}
