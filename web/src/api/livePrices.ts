import type { QueryClient } from '@tanstack/react-query';
import { proxy } from 'valtio';

/** One symbol of the price batch. */
export interface LivePrice {
  symbol: string;
  price: number;
}

export interface Prices<Price extends LivePrice = LivePrice> {
  exchange: string;
  /** Epoch ms of this browser at which the exchange had last confirmed the prices. */
  confirmedAtMs: number;
  prices: Price[];
}

/** Whether events arrive, and which prices are looked at: the stream asks the server for those. */
export const liveState = proxy<{ isLive: boolean; wanted: { symbols: string[] } }>({
  isLive: false,
  wanted: { symbols: [] },
});
const wantedBy = new Map<string, number>();

/** Wants prices of these symbols until the returned function is called. Several may want the same one. */
export function wantPrices(symbols: readonly string[]): () => void {
  const add = (count: number): void => {
    for (const symbol of symbols) {
      const left = (wantedBy.get(symbol) ?? 0) + count;
      if (left > 0) wantedBy.set(symbol, left);
      else wantedBy.delete(symbol);
    }
    liveState.wanted.symbols = [...wantedBy.keys()];
  };
  add(1);
  return () => add(-1);
}

/** Newer prices over older ones, in the order of the older list; symbols it does not have are left out. */
export function mergePrices<Price extends LivePrice>(before: Prices<Price>, batch: Prices<Price>): Prices<Price> {
  const changed = new Map(batch.prices.map((price) => [price.symbol, price]));
  return { ...batch, prices: before.prices.map((price) => changed.get(price.symbol) ?? price) };
}

/** Puts a batch of the stream into every list of prices on screen. */
export function takePrices(client: QueryClient, key: readonly string[], data: Record<string, unknown>): void {
  const {
    exchange,
    data_age_ms: ageMs,
    prices,
  } = data as { exchange: string; data_age_ms: number; prices: LivePrice[] };
  const batch = { exchange, confirmedAtMs: Date.now() - ageMs, prices };
  client.setQueriesData<Prices>({ queryKey: key }, (before) =>
    before === undefined ? undefined : mergePrices(before, batch),
  );
}
