import type { Instrument } from './instruments.ts';

export type VenueId = 'binance' | 'bybit' | 'okx';
export const venueIds: readonly VenueId[] = ['binance', 'bybit', 'okx'];

/** How one venue lists one instrument: steps as powers of ten, so that a price is a whole number of ticks. */
export interface Listing {
  venue: VenueId;
  instrument: Instrument;
  id: string;
  /** Decimals of the tick: tickSize is 10^-priceDecimals. */
  priceDecimals: number;
  /** Decimals of the quantity step in listed units; OKX counts lots of contracts instead. */
  quantityDecimals: number;
  /** Base units per contract; 1 except on OKX. */
  contractValue: number;
  /** Part of the main venue's turnover that trades here. */
  turnoverShare: number;
  /** State in the list of markets; trading when absent. */
  state?: 'trading' | 'halted' | 'ended' | undefined;
  /** Tick and step as the list says them when they were changed; of the decimals when absent. */
  tick?: string | undefined;
  step?: string | undefined;
}

const shares: Record<VenueId, number> = { binance: 1, bybit: 0.46, okx: 0.38 };

const magnitude = (price: number): number => Math.floor(Math.log10(price) + 1e-9);

export function listingOf(venue: VenueId, instrument: Instrument): Listing | undefined {
  const id = instrument.ids[venue];
  if (id === undefined) return undefined;
  const m = magnitude(instrument.anchorPrice * instrument.unit[venue]);
  return {
    venue,
    instrument,
    id,
    priceDecimals: Math.max(0, (m >= 3 ? 5 : 4) - m),
    quantityDecimals: Math.min(3, Math.max(0, m - 1)),
    // Contracts worth some hundred USDT, as OKX does: 0.01 BTC, 1 SOL, 1000 DOGE.
    contractValue: venue === 'okx' ? 10 ** (2 - m) : 1,
    turnoverShare: shares[venue],
  };
}
