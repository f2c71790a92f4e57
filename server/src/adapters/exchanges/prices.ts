import type { PriceQuote } from '../../features/market/port.ts';
import type { VenueContext } from './context.ts';
import { quoteOf } from './dialect.ts';
import type { Listed } from './universe.ts';
import { UpstreamError } from './upstreamError.ts';

/** Every quote the exchange has of a symbol we list. @throws UpstreamError when not one can be used */
export async function readPrices(
  { rules, dialect, transport, clock }: VenueContext,
  universe: ReadonlyMap<string, Listed>,
): Promise<PriceQuote[]> {
  const symbols = new Map([...universe.values()].map(({ id, listing }) => [id, listing.symbol]));
  const nowMs = clock.now();
  const quotes: PriceQuote[] = [];
  for (const raw of await dialect.quotes(transport)) {
    const symbol = symbols.get(raw.id);
    const quote = symbol === undefined ? undefined : quoteOf(raw, symbol, nowMs);
    if (quote !== undefined) quotes.push(quote);
  }
  if (quotes.length === 0) throw new UpstreamError('unavailable', `${rules.name} sent no usable price.`);
  return quotes;
}
