import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import type { ExchangeId, FuturesSymbol } from '../market/port.ts';

/**
 * Matches contracts of different exchanges by coin. Cheap coins are listed by the thousand (1000PEPE, SHIB1000, 1MBABYDOGE), so prices
 * and sizes are compared per coin. Ambiguous names are doubtful and not compared.
 */

export const EXCHANGES: readonly ExchangeId[] = venueIds;

/** Maximum price difference to the other exchanges; beyond it the contract is of another coin with the same name. */
export const PRICE_DIFFERENCE_MAX = 0.1;

export interface Coin {
  coin: string;
  /** Coins per listed unit. */
  multiplier: number;
}

const QUOTE = 'USDT';

/** `1000PEPEUSDT` is PEPE by the thousand, `1INCHUSDT` is 1INCH. Undefined when only a number is left. */
export function coinOf(symbol: string): Coin | undefined {
  const base = symbol.endsWith(QUOTE) ? symbol.slice(0, -QUOTE.length) : symbol;
  const [, digits, rest] = /^(10{3,}|1M)(.*)$/u.exec(base) ?? [];
  if (digits !== undefined && rest !== undefined) {
    if (rest === '' || /^\d/.test(rest)) return undefined;
    return { coin: rest, multiplier: digits === '1M' ? 1_000_000 : Number(digits) };
  }
  const [, name] = /^(.*\D)1000$/u.exec(base) ?? [];
  return name === undefined ? { coin: base, multiplier: 1 } : { coin: name, multiplier: 1000 };
}

export interface Contract {
  exchange: ExchangeId;
  listing: FuturesSymbol;
  multiplier: number;
}

export type Contracts = Partial<Record<ExchangeId, Contract>>;

export interface ContractTable {
  /** By the coin's name, e.g. `PEPE`. */
  byCoin: Map<string, Contracts>;
  /** Coins that an exchange lists twice, or whose name is ambiguous. */
  doubtful: Map<string, Set<ExchangeId>>;
}

/** Contracts of all exchanges by coin. A coin that one exchange lists in two sizes is doubtful there. */
export function tableOf(lists: Partial<Record<ExchangeId, readonly FuturesSymbol[]>>): ContractTable {
  const byCoin = new Map<string, Contracts>();
  const doubtful = new Map<string, Set<ExchangeId>>();
  for (const exchange of EXCHANGES) {
    for (const listing of lists[exchange] ?? []) {
      const result = coinOf(listing.symbol);
      const coin = result?.coin ?? listing.symbol;
      const contracts = byCoin.get(coin) ?? {};
      if (result === undefined || contracts[exchange] !== undefined) {
        doubtful.set(coin, (doubtful.get(coin) ?? new Set<ExchangeId>()).add(exchange));
        continue;
      }
      contracts[exchange] = { exchange, listing, multiplier: result.multiplier };
      byCoin.set(coin, contracts);
    }
  }
  for (const [coin, exchanges] of doubtful) for (const exchange of exchanges) delete byCoin.get(coin)?.[exchange];
  return { byCoin, doubtful };
}

/** Step in coins that both contracts accept: the least common multiple of both steps. */
export function commonStep(a: Contract, b: Contract): number {
  const [one, other] = [stepOf(a), stepOf(b)];
  const scale = 10 ** Math.max(decimalsOf(one), decimalsOf(other));
  const [x, y] = [Math.round(one * scale), Math.round(other * scale)];
  return x === 0 || y === 0 ? Math.max(one, other) : ((x / divisorOf(x, y)) * y) / scale;
}

const stepOf = ({ listing, multiplier }: Contract): number => Number((listing.stepSize * multiplier).toPrecision(12));
/** Decimals of a step, also in the notation `1e-7`. */
function decimalsOf(step: number): number {
  const [digits = '', exponent = '0'] = step.toString().split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
}
const divisorOf = (a: number, b: number): number => (b === 0 ? a : divisorOf(b, a % b));

/** The larger minimum notional of both, USDT. */
export const leastNotional = (a: Contract, b: Contract): number =>
  Math.max(a.listing.minNotional ?? 0, b.listing.minNotional ?? 0);

/** Exchanges whose price belongs to another coin: too far from the median. With two, both are doubtful. */
export function findPriceOutliers(prices: Partial<Record<ExchangeId, number>>): ExchangeId[] {
  const known = EXCHANGES.flatMap((exchange) => {
    const price = prices[exchange];
    return price === undefined ? [] : [{ exchange, price }];
  });
  const isNear = (a: number, b: number): boolean => Math.max(a, b) / Math.min(a, b) - 1 <= PRICE_DIFFERENCE_MAX;
  return known
    .filter(({ exchange, price }) => !known.some((other) => other.exchange !== exchange && isNear(price, other.price)))
    .filter(() => known.length > 1)
    .map(({ exchange }) => exchange);
}
