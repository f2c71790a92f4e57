import { deserialize, serialize } from 'node:v8';
import { intervalMs, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import {
  joinKnown,
  type SearchMinutes,
  type SettleState,
  wholeOpens,
} from '@sextant/workers/src/tasks/optimize/settleSearch.ts';
import type { MinuteMarket } from '../loadRun.ts';

export type SettledMinutes = Omit<SearchMinutes, 'fineCandles'>;

/** Minutes of a search on the server, stored between two of its steps. */
export interface StoredMinutes extends SettleState {
  market: MinuteMarket;
  /** Open times of the candles whose minutes are loaded next. */
  wanted: number[];
  /** The minutes of every set, final once no set needs more; null until then. The walk-forward loads separate minutes. */
  settled: SettledMinutes | null;
}

export const noMinutesYet = (market: MinuteMarket): StoredMinutes => ({
  market,
  known: new Map(),
  rounds: 0,
  problem: null,
  wanted: [],
  settled: null,
});

interface Packed extends Omit<StoredMinutes, 'known'> {
  opens: number[];
  absent: number[];
  /** Minutes of `opens`, one candle after the other. */
  fine: Candles | undefined;
}

/** Most candles of 5m have five minutes each: one table takes a third of the size of single ones. */
export function packMinutes({ known, ...rest }: StoredMinutes): Buffer {
  const absent = [...known.keys()].filter((openMs) => known.get(openMs) === null);
  return serialize({ ...rest, opens: wholeOpens(known), absent, fine: joinKnown(known) } satisfies Packed);
}

export function unpackMinutes(bytes: Uint8Array): StoredMinutes {
  const { opens, absent, fine, ...rest } = deserialize(bytes) as Packed;
  const each = intervalMs[rest.market.interval] / MINUTE_MS;
  const known = new Map<number, Candles | null>(absent.map((openMs) => [openMs, null]));
  opens.forEach((openMs, i) => {
    if (fine !== undefined)
      known.set(
        openMs,
        candlesOf((name) => fine[name].subarray(i * each, (i + 1) * each)),
      );
  });
  return { ...rest, known };
}
