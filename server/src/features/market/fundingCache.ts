import { fundingWithin } from '@sextant/workers/src/candleWindow.ts';
import { ok } from '@sextant/workers/src/result.ts';
import type { Outcome } from '../../platform/errors.ts';
import type { Caller } from './fetchShare.ts';
import type { ExchangeId, FundingHistory, Venue } from './port.ts';
import { createFlights } from './shared.ts';

interface KeptHistory {
  history: FundingHistory;
  sinceMs: number;
  fetchedAtMs: number;
}

export interface FundingSpan {
  exchange: ExchangeId;
  symbol: string;
  sinceMs: number;
  untilMs: number;
}

const entriesMax = 300;
/** A new funding comes every hour at most; a minute of delay is nothing to a history. */
const freshMs = 60_000;

/** Settled fundings do not change: what was fetched is kept, and only a longer or later span is asked for again. */
export function createFundingCache(venues: Record<ExchangeId, Venue>, now: () => number) {
  const kept = new Map<string, KeptHistory>();
  const flights = createFlights<Outcome<KeptHistory>>();

  async function load(key: string, { exchange, symbol, sinceMs }: FundingSpan): Promise<Outcome<KeptHistory>> {
    const fetchedAtMs = now();
    const from = Math.min(sinceMs, kept.get(key)?.sinceMs ?? Infinity);
    const fetched = await venues[exchange].fundingHistory({ symbol, sinceMs: from, untilMs: fetchedAtMs });
    if (!fetched.ok) return fetched;
    const entry = { history: fetched.value, sinceMs: from, fetchedAtMs };
    kept.delete(key);
    kept.set(key, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= entriesMax) break;
      kept.delete(oldest);
    }
    return ok(entry);
  }

  return async (span: FundingSpan, caller: Caller): Promise<Outcome<KeptHistory>> => {
    const key = `${span.exchange} ${span.symbol}`;
    const found = kept.get(key);
    const isEnough =
      found !== undefined &&
      found.sinceMs <= span.sinceMs &&
      (span.untilMs <= found.fetchedAtMs || now() - found.fetchedAtMs < freshMs);
    const loaded = isEnough
      ? ok(found)
      : await caller.inPlace(async () => {
          // Each who asks pays: a flight that several share must not fail for all because one has used up its share.
          const charged = caller.charge(1);
          return charged.ok ? flights(`${key} ${span.sinceMs}`, () => load(key, span)) : charged;
        });
    if (!loaded.ok) return loaded;
    const window = { fromMs: span.sinceMs, untilMs: span.untilMs };
    return ok({ ...loaded.value, history: fundingWithin(loaded.value.history, window) });
  };
}
