import { deserialize, serialize } from 'node:v8';
import { intervalMs, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { candlesOf } from '@sextant/workers/src/candleColumns.ts';
import type { Candles } from '@sextant/workers/src/protocol.ts';
import { joinKnown, type SearchMinutes, type SettleState, wholeOpens } from '@sextant/workers/src/settleSearch.ts';
import type { MinuteMarket } from '../loadRun.ts';

export type SettledMinutes = Omit<SearchMinutes, 'fineCandles'>;

/** The minutes of a search on the server between two of its steps. */
export interface KeptMinutes extends SettleState {
  market: MinuteMarket;
  /** Opens of the candles whose minutes are loaded next. */
  wanted: number[];
  /** The minutes of every set, final once no set asks for more; null until then. The walk-forward then loads minutes of its own. */
  settled: SettledMinutes | null;
}

export const noMinutesYet = (market: MinuteMarket): KeptMinutes => ({
  market,
  known: new Map(),
  rounds: 0,
  problem: null,
  wanted: [],
  settled: null,
});

interface Packed extends Omit<KeptMinutes, 'known'> {
  opens: number[];
  absent: number[];
  /** Minutes of `opens`, one candle after the other. */
  fine: Candles | undefined;
}

/** Most candles of 5m have five minutes each: as one table they take a third of what single ones take. */
export function packMinutes({ known, ...rest }: KeptMinutes): Buffer {
  const absent = [...known.keys()].filter((openMs) => known.get(openMs) === null);
  return serialize({ ...rest, opens: wholeOpens(known), absent, fine: joinKnown(known) } satisfies Packed);
}

export function unpackMinutes(bytes: Uint8Array): KeptMinutes {
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
