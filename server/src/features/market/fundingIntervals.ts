import { DAY_MS, HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { ExchangeId, FundingIntervalSource, FuturesSymbol, Market } from './port.ts';
import { inBackground } from '../../platform/readPriority.ts';

/** Contracts settle at least once a day. */
const HOURS_MAX = 24;
/** Interval of settlement look-ups: for contracts without a known interval, and for those with the exchange's implied default. */
const LOOKUP_MS = { unknown: 30 * 60_000, usual: 4 * HOUR_MS };
/** Contains two settlements of any interval. */
const LOOKUP_SPAN_MS = 3 * DAY_MS;

/** Hours between the last two settlements, or null when it is not a whole number of hours. */
export function hoursBetweenStamps(time: ArrayLike<number>): number | null {
  const [last, before] = [time[time.length - 1], time[time.length - 2]];
  if (last === undefined || before === undefined) return null;
  const hours = Math.round((last - before) / HOUR_MS);
  return hours >= 1 && hours <= HOURS_MAX ? hours : null;
}

type Listed = Pick<FuturesSymbol, 'symbol' | 'fundingHours' | 'isFundingUsual'>;

/**
 * The funding interval of each contract, from the first available source: the exchange's value for the contract; its last settlements;
 * the default of an exchange that lists only contracts with other intervals. Otherwise unknown.
 */
export class FundingIntervals {
  readonly #fromStamps = new Map<string, number>();
  readonly #lookedUpAtMs = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Learns from settled fundings. @param time oldest first */
  learn(exchange: ExchangeId, symbol: string, time: Float64Array): void {
    const hours = hoursBetweenStamps(time);
    // Old histories do not show the current interval.
    if (hours === null || (time.at(-1) ?? 0) < this.#now() - 2 * HOURS_MAX * HOUR_MS) return;
    this.#fromStamps.set(`${exchange} ${symbol}`, hours);
  }

  hoursOf(exchange: ExchangeId, listed: Listed): number | null {
    return this.#stampsOf(exchange, listed) ?? listed.fundingHours;
  }

  /** Source of the interval that `hoursOf` returns, when it is known. */
  sourceOf(exchange: ExchangeId, listed: Listed): FundingIntervalSource {
    return this.#stampsOf(exchange, listed) === undefined ? 'exchange' : 'stamps';
  }

  /** Hours between the last settlements, where the exchange states none for the contract. */
  #stampsOf(exchange: ExchangeId, { symbol, fundingHours, isFundingUsual }: Listed): number | undefined {
    if (fundingHours !== null && isFundingUsual !== true) return undefined;
    return this.#fromStamps.get(`${exchange} ${symbol}`);
  }

  /** The listing with its interval; the same object when nothing changes. */
  complete(exchange: ExchangeId, listing: FuturesSymbol): FuturesSymbol {
    const fundingHours = this.hoursOf(exchange, listing);
    return fundingHours === listing.fundingHours ? listing : { ...listing, fundingHours };
  }

  /** Whether a look-up of settlements is due; true once per period. */
  isLookupDue(exchange: ExchangeId, listing: Listed): boolean {
    if (listing.fundingHours !== null && listing.isFundingUsual !== true) return false;
    const everyMs = this.hoursOf(exchange, listing) === null ? LOOKUP_MS.unknown : LOOKUP_MS.usual;
    const key = `${exchange} ${listing.symbol}`;
    if (this.#now() - (this.#lookedUpAtMs.get(key) ?? -Infinity) < everyMs) return false;
    this.#lookedUpAtMs.set(key, this.#now());
    return true;
  }
}

type Funded = Pick<Market, 'symbols' | 'tops' | 'funding' | 'fundingHistory'>;

/** Adds one consistent interval per contract to the lists, quotes and fundings of a market. */
export function withFundingIntervals<M extends Funded>(market: M, now: () => number): M {
  const intervals = new FundingIntervals(now);
  let lookups: Promise<unknown> = Promise.resolve();

  const fundingHistory: Market['fundingHistory'] = async (request) => {
    const outcome = await market.fundingHistory(request);
    if (outcome.ok) intervals.learn(outcome.value.exchange, request.symbol, outcome.value.value.time);
    return outcome;
  };
  const lookUp = (exchange: ExchangeId, symbol: string, userId?: string) => {
    const untilMs = now() + 1;
    const span = { sinceMs: untilMs - LOOKUP_SPAN_MS, untilMs };
    return fundingHistory({ exchange, symbol, ...span, ...withoutUndefined({ userId }) });
  };

  /** Looks up, sequentially, intervals missing in the quotes of these symbols. */
  async function lookUpBeside(exchange: ExchangeId, symbols: ReadonlySet<string>): Promise<void> {
    const list = await market.symbols({ exchange });
    if (!list.ok) return;
    for (const listing of list.value.value) {
      if (!symbols.has(listing.symbol) || !intervals.isLookupDue(exchange, listing)) continue;
      lookups = lookups.then(() => inBackground(() => lookUp(exchange, listing.symbol)));
    }
  }

  return {
    ...market,
    fundingHistory,
    async symbols(request) {
      const outcome = await market.symbols(request);
      if (!outcome.ok) return outcome;
      const { exchange, value } = outcome.value;
      return ok({ ...outcome.value, value: value.map((listing) => intervals.complete(exchange, listing)) });
    },
    async tops(request) {
      const outcome = await market.tops(request);
      if (!outcome.ok) return outcome;
      const silent = outcome.value.filter((top) => top.fundingRate !== null && top.fundingIntervalHours === null);
      const { exchange = 'binance' } = request;
      if (silent.length > 0) void lookUpBeside(exchange, new Set(silent.map(({ symbol }) => symbol)));
      return outcome;
    },
    async funding(request) {
      const outcome = await market.funding(request);
      if (!outcome.ok) return outcome;
      const { exchange, value: rate } = outcome.value;
      const { symbol } = rate;
      const list = await market.symbols({ exchange });
      const listing = list.ok ? list.value.value.find((each) => each.symbol === symbol) : undefined;
      const listed = { symbol, ...listing, fundingHours: rate.intervalHours ?? listing?.fundingHours ?? null };
      if (intervals.isLookupDue(exchange, listed)) await lookUp(exchange, symbol, request.userId);
      const [intervalHours, intervalSource] = [
        intervals.hoursOf(exchange, listed),
        intervals.sourceOf(exchange, listed),
      ];
      return ok({ ...outcome.value, value: { ...rate, intervalHours, intervalSource } });
    },
  };
}
