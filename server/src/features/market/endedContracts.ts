import type { ExchangeId, FuturesSymbol, Market } from './port.ts';

/**
 * A contract has ended when it is missing from this many lists in a row over at least this time. A list may omit one by mistake, so one
 * list is not sufficient.
 */
const ABSENT = { lists: 3, ms: 25_000 };
/** A list with fewer symbols than this share of the longest one is incomplete, and its missing symbols are ignored. */
const COMPLETE_FRACTION = 0.9;

/** Detects ended contracts from the lists of one exchange. An explicit end counts at once, a missing contract does not. */
export class EndedContracts {
  readonly #absent = new Map<string, { firstMs: number; count: number }>();
  #lastMs = 0;
  #longest = 0;

  /** The symbols among `wanted` whose contracts have ended. @param quiet symbols without a price: all others still trade */
  find(
    list: readonly FuturesSymbol[],
    readAtMs: number,
    wanted: readonly string[],
    quiet: ReadonlySet<string>,
  ): string[] {
    const listed = new Map(list.map((each) => [each.symbol, each]));
    this.#longest = Math.max(this.#longest, list.length);
    const isNew = readAtMs > this.#lastMs && list.length >= COMPLETE_FRACTION * this.#longest;
    if (isNew) this.#lastMs = readAtMs;
    for (const symbol of this.#absent.keys()) if (!wanted.includes(symbol)) this.#absent.delete(symbol);
    return wanted.filter((symbol) => {
      const listing = listed.get(symbol);
      if (listing?.hasEnded === true) return true;
      if (listing !== undefined || !quiet.has(symbol)) {
        this.#absent.delete(symbol);
        return false;
      }
      const seen = this.#absent.get(symbol) ?? { firstMs: readAtMs, count: 0 };
      if (isNew) this.#absent.set(symbol, { ...seen, count: seen.count + 1 });
      return seen.count + Number(isNew) >= ABSENT.lists && readAtMs - seen.firstMs >= ABSENT.ms;
    });
  }
}

/**
 * Finds ended contracts by the lists of the exchanges; a symbol that is missing from a list but has a price still trades.
 * @param listAgeMs maximum age of a list
 * @returns function that runs one round for an exchange; an exchange that cannot be read has ended nothing
 */
export function createEndedFinder(
  market: Pick<Market, 'symbols' | 'prices'>,
  listAgeMs: number,
): (exchange: ExchangeId, symbols: readonly string[]) => Promise<string[]> {
  const byExchange = new Map<ExchangeId, EndedContracts>();
  return async (exchange, symbols) => {
    const list = await market.symbols({ exchange, maxAgeMs: listAgeMs });
    if (!list.ok) return [];
    const listed = new Set(list.value.value.map(({ symbol }) => symbol));
    const missing = symbols.filter((symbol) => !listed.has(symbol));
    const response = missing.length === 0 ? undefined : await market.prices({ exchange, symbols: missing });
    // Without prices a missing symbol may still trade; what the list itself says has ended has.
    if (response?.ok === false)
      return list.value.value.flatMap(({ symbol, hasEnded }) =>
        hasEnded === true && symbols.includes(symbol) ? [symbol] : [],
      );
    const priced = new Set(response?.value.value.map(({ symbol }) => symbol));
    const quiet = new Set(missing.filter((symbol) => !priced.has(symbol)));
    const known = byExchange.get(exchange) ?? new EndedContracts();
    byExchange.set(exchange, known);
    return known.find(list.value.value, list.value.fetchedAtMs, symbols, quiet);
  };
}
