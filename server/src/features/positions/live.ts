import { SERVER_PRICE_AGE_MS_MAX } from '@sextant/workers/src/core/limits.ts';
import { type FillMarket, pricedFill } from '@sextant/workers/src/positions/marketFill.ts';
import { closeFigures, openFigures } from '@sextant/workers/src/positions/openFigures.ts';
import type { ExchangeId, FuturesSymbol, Market, PriceQuote } from '../market/port.ts';
import type { PositionWire } from './contract.ts';

/** Maximum age of the price at which a position is opened, manually or automatically. Stated in docs/signals.md. */
export const OPENING_PRICE_AGE_MS_MAX = 5000;

/** The last price of each symbol that has one at most `maxAgeMs` old: streamed, otherwise fetched from the exchange. */
export async function freshPrices(
  market: Pick<Market, 'readQuote' | 'prices'>,
  wanted: readonly { exchange: ExchangeId; symbol: string }[],
  nowMs: number,
  maxAgeMs = SERVER_PRICE_AGE_MS_MAX,
): Promise<Map<string, PriceQuote>> {
  const matches = new Map<string, PriceQuote>();
  const missing: { exchange: ExchangeId; symbol: string }[] = [];
  for (const { exchange, symbol } of wanted) {
    const quote = market.readQuote({ exchange, symbol, maxAgeMs });
    if (quote !== null) matches.set(priceKey(exchange, symbol), quote);
    else missing.push({ exchange, symbol });
  }
  await Promise.all(
    [...Map.groupBy(missing, ({ exchange }) => exchange)].map(async ([exchange, wanted]) => {
      const response = await market.prices({ exchange, symbols: wanted.map(({ symbol }) => symbol) });
      if (!response.ok || nowMs - response.value.fetchedAtMs > maxAgeMs) return;
      for (const quote of response.value.value) matches.set(priceKey(exchange, quote.symbol), quote);
    }),
  );
  return matches;
}

/** The market order that opens a position now. A request without a direction opens nothing, so its price has no costs. */
export const openingFill = (
  { direction }: { direction: 'LONG' | 'SHORT' | 'NEUTRAL' },
  market: Pick<FuturesSymbol, 'tickSize'> | undefined,
  quote: PriceQuote,
): { price: number; market: FillMarket | null } =>
  direction === 'NEUTRAL' ? { price: quote.last, market: null } : pricedFill(direction, quote, market?.tickSize ?? 0);

/** Map key of an exchange and a symbol. */
export const priceKey = (exchange: string, symbol: string): string => `${exchange} ${symbol}`;

export interface LiveFigures {
  price: number;
  at: string;
  pnl: number;
  roi_pct: number;
  net_pnl: number;
  return_on_margin_pct: number;
}

/** Gross at the last price; net as if a market order closed it now, as `closePart` would: half the spread, slippage and exit fee. */
export function liveFigures(position: PositionWire, quote: PriceQuote): LiveFigures {
  const { entry_price: entryPrice, taker_fee_fraction: takerFeeFraction, side, qty, fees, funding } = position;
  const { entry_value: entryValue, realised_pnl: realised, leverage, tick_size: tickSize } = position;
  const terms = { side, entryPrice, qty, leverage, fees, funding, takerFeeFraction, realised, entryValue, tickSize };
  const { pnl, roiPct } = openFigures(terms, quote.last);
  const { netIfClosed, returnOnMarginPct } = closeFigures(terms, quote);
  return {
    price: quote.last,
    at: new Date(quote.atMs).toISOString(),
    pnl,
    roi_pct: roiPct,
    net_pnl: netIfClosed,
    return_on_margin_pct: returnOnMarginPct,
  };
}
