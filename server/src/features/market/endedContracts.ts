import type { FuturesSymbol } from './port.ts';

/**
 * A contract that is missing from so many lists in a row, over at least so long, has ended. A list may leave one out by mistake, so
 * one list decides nothing.
 */
const ABSENT = { lists: 3, ms: 25_000 };
/** A list with fewer symbols than this share of the longest one is incomplete: it says nothing about those it leaves out. */
const COMPLETE_FRACTION = 0.9;

/** Whether contracts have ended, from the lists of one exchange. An exchange that says so is believed at once, a missing one is not. */
export class EndedContracts {
  readonly #absent = new Map<string, { firstMs: number; count: number }>();
  #lastMs = 0;
  #longest = 0;

  /** The symbols among `wanted` whose contracts have ended. @param quiet those without a price: the others trade, whatever a list says */
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
