import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { isWithin } from '@sextant/workers/src/candles/candleWindow.ts';
import type { FundingHistory, FundingRate } from '../../features/market/port.ts';
import type { CcxtFunding } from './ccxtClient.ts';
import { translateCcxtErrors, type VenueContext } from './context.ts';
import type { Listed } from './universe.ts';
import { UpstreamError } from './upstreamError.ts';

/** No exchange settles more than 4 % at once; a rate above this is a unit error. */
export const fundingRateMax = 0.1;
/** 400 days of hourly fundings at the smallest page size, 100. */
const pagesMax = 100;

const isRate = (rate: unknown): rate is number =>
  typeof rate === 'number' && Number.isFinite(rate) && Math.abs(rate) <= fundingRateMax;

export async function readFunding(context: VenueContext, symbol: string): Promise<FundingRate> {
  const { rules, clock } = context;
  const listed = await context.listed(symbol);
  const client = await context.client();
  const result = await translateCcxtErrors(rules, () => client.fetchFundingRate(listed.ccxtSymbol));
  const nowMs = clock.now();
  const { fundingRate, fundingTimestamp } = result;
  const isNear =
    typeof fundingTimestamp === 'number' &&
    fundingTimestamp > nowMs - HOUR_MS &&
    fundingTimestamp < nowMs + 25 * HOUR_MS;
  if (result.symbol !== listed.ccxtSymbol || !isRate(fundingRate) || !isNear) {
    throw new UpstreamError('unavailable', `${rules.name} sent an invalid funding rate for ${symbol}.`);
  }
  return {
    symbol,
    rate: fundingRate,
    nextFundingAtMs: fundingTimestamp,
    intervalHours: hoursOf(result, listed),
  };
}

/** Funding interval from the response, else from the symbol list, so that every screen shows the same value. */
function hoursOf(result: CcxtFunding, { listing }: Listed): number | null {
  const stated = Number(/^(\d+)h$/.exec(result.interval ?? '')?.[1] ?? NaN);
  return stated > 0 && stated <= 24 ? stated : listing.fundingHours;
}

const tooLong = (exchange: string, symbol: string): string =>
  `${exchange} has more than ${pagesMax} pages of ${symbol} fundings in this span. Request a shorter span.`;

/** Settled fundings page by page with the exchange's own timestamps; never computed from an interval, because intervals change. */
export async function readFundingHistory(
  context: VenueContext,
  request: { symbol: string; sinceMs: number; untilMs: number; onPage?: () => void },
): Promise<FundingHistory> {
  const { rules, dialect } = context;
  const listed = await context.listed(request.symbol);
  const client = await context.client();
  const rates = new Map<number, number>();
  let { sinceMs, untilMs } = request;
  for (let page = 0; sinceMs <= untilMs; page++) {
    // A partial history would pass for a complete one: the missing fundings would count as none.
    if (page === pagesMax) throw new UpstreamError('refused', tooLong(rules.name, request.symbol));
    request.onPage?.();
    const from = dialect.fundingHasStart ? sinceMs : undefined;
    const until = untilMs;
    const rows = await translateCcxtErrors(rules, () =>
      client.fetchFundingRateHistory(listed.ccxtSymbol, from, dialect.fundingPage.size, dialect.fundingParams(until)),
    );
    const stamps = keep(rows, listed.ccxtSymbol, request, rates);
    if (stamps === undefined) {
      throw new UpstreamError('unavailable', `${rules.name} sent invalid fundings for ${request.symbol}.`);
    }
    if (rows.length < dialect.fundingPage.size) break;
    if (dialect.fundingPage.order === 'oldestFirst') sinceMs = Math.max(...stamps) + 1;
    else untilMs = Math.min(...stamps) - 1;
  }
  const sorted = oncePerSettlement([...rates].sort(([a], [b]) => a - b));
  return { time: Float64Array.from(sorted, ([time]) => time), rate: Float64Array.from(sorted, ([, rate]) => rate) };
}

/** Contracts settle at most hourly: two timestamps this close name the same settlement. */
const SETTLEMENT_MS = 5 * 60_000;

function oncePerSettlement(sorted: readonly [time: number, rate: number][]): [number, number][] {
  const retained: [number, number][] = [];
  for (const each of sorted) if (each[0] - (retained.at(-1)?.[0] ?? -Infinity) > SETTLEMENT_MS) retained.push(each);
  return retained;
}

/**
 * Rate of a settlement. OKX sometimes leaves `realizedRate` empty for one; the rate it announced for the same settlement stands beside it.
 */
function settledRate({ fundingRate, info = {} }: CcxtFunding): unknown {
  const { realizedRate, fundingRate: announced } = info;
  const isEmpty = realizedRate === '' && typeof announced === 'string' && announced.trim() !== '';
  return isEmpty ? Number(announced) : fundingRate;
}

/** Stores the usable rates and returns the timestamps of all rows; undefined when a row is not a funding of this symbol. */
function keep(
  rows: readonly CcxtFunding[],
  ccxtSymbol: string,
  { sinceMs, untilMs }: { sinceMs: number; untilMs: number },
  rates: Map<number, number>,
): number[] | undefined {
  const stamps: number[] = [];
  for (const row of rows) {
    const { symbol, timestamp } = row;
    const fundingRate = settledRate(row);
    if (
      symbol !== ccxtSymbol ||
      typeof timestamp !== 'number' ||
      !Number.isSafeInteger(timestamp) ||
      !isRate(fundingRate)
    ) {
      return undefined;
    }
    stamps.push(timestamp);
    if (isWithin(timestamp, { fromMs: sinceMs, untilMs })) rates.set(timestamp, fundingRate);
  }
  return stamps;
}
