import type { TicketRequest } from '../../state/ticket.ts';

const sides: Record<string, TicketRequest['side']> = { buy: 'LONG', long: 'LONG', sell: 'SHORT', short: 'SHORT' };
const QUOTE = 'USDT';
const MATCHES_MAX = 5;

/** `500`, `1.5k` or `0.02`; a decimal comma is read as a point. */
const amount = String.raw`(\d+(?:[.,]\d+)?)(k)?`;
/** `buy btc`, `sell eth 500`, `short sol 20k at 151.5`, `buy btc 0.01 btc @ 60000`. */
const sentence = new RegExp(
  String.raw`^\s*(buy|sell|long|short)\s+([\p{L}\p{N}]+)(?:\s+${amount}(?:\s*(usdt|\$|[\p{L}\p{N}]+))?)?(?:\s+(?:at|@)\s*${amount})?\s*$`,
  'iu',
);

function readAmount(digits: string, thousands: string | undefined): number {
  return Number(digits.replace(',', '.')) * (thousands === undefined ? 1 : 1000);
}

/** The traded symbols that a word names: the symbol itself, its coin, then those that start with it. */
function symbolsOf(word: string, symbols: readonly string[]): string[] {
  const name = word.toUpperCase();
  const exact = symbols.filter((symbol) => symbol === name || symbol === `${name}${QUOTE}`);
  const others = symbols.filter((symbol) => symbol.startsWith(name) && !exact.includes(symbol));
  return [...exact, ...others].slice(0, MATCHES_MAX);
}

/**
 * An order as typed in words. The amount is USDT, leverage included, unless the coin follows it; `at` makes a limit order.
 * @returns one request for each symbol the word may mean, the best first; none when the text is no order
 */
export function parseOrder(text: string, symbols: readonly string[]): TicketRequest[] {
  const [, word = '', name = '', size, sizeK, unit, price, priceK] = sentence.exec(text) ?? [];
  const side = sides[word.toLowerCase()];
  if (side === undefined) return [];
  return symbolsOf(name, symbols).flatMap((symbol) => {
    const request: TicketRequest = { symbol, side };
    if (size !== undefined) {
      const isUsdt = unit === undefined || /^(usdt|\$)$/i.test(unit);
      if (!isUsdt && `${unit.toUpperCase()}${QUOTE}` !== symbol) return [];
      request[isUsdt ? 'notional' : 'quantity'] = readAmount(size, sizeK);
    }
    if (price !== undefined) {
      request.type = 'limit';
      request.price = readAmount(price, priceK);
    }
    return [request];
  });
}

/** One line for the palette: `Buy BTCUSDT 500 USDT at 60000`. */
export function orderLine({ symbol, side, notional, quantity, price }: TicketRequest): string {
  const base = symbol.endsWith(QUOTE) ? symbol.slice(0, -QUOTE.length) : symbol;
  const size = notional !== undefined ? ` ${notional} ${QUOTE}` : quantity !== undefined ? ` ${quantity} ${base}` : '';
  return `${side === 'LONG' ? 'Buy' : 'Sell'} ${symbol}${size}${price === undefined ? '' : ` at ${price}`}`;
}
