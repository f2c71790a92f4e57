import { mapLimited } from '../../platform/mapLimited.ts';
import type { Outcome, Rejection } from '../../platform/errors.ts';
import type { ExchangeId, FundingRate, LiveQuote, Market, PositioningInterval } from '../market/port.ts';
import type { PositioningRowWire } from './contract.ts';

export interface PositioningDeps {
  market: Market;
}

interface Caller {
  exchange: ExchangeId;
  userId: string;
  signal: AbortSignal;
}

/** Symbols read at once: the share of a user has few more slots. */
const AT_ONCE = 3;
const RATIO_INTERVAL: PositioningInterval = '5m';
/** A streamed rate of this age is that of the exchange. */
const FUNDING_AGE_MS = 60_000;

const instant = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

/** The streamed funding; null when it is not streamed, or incomplete. */
function streamedFunding(quote: LiveQuote | null): Pick<FundingRate, 'rate' | 'nextFundingAtMs'> | null {
  if (quote === null || quote.fundingRate === null || quote.nextFundingAtMs === null) return null;
  return { rate: quote.fundingRate, nextFundingAtMs: quote.nextFundingAtMs };
}

/** Values of the outcomes that have one; the errors are collected. */
class Failures {
  readonly rejections: Rejection[] = [];

  take<T>(outcome: Outcome<{ value: T }>): T | undefined {
    if (outcome.ok) return outcome.value.value;
    this.rejections.push(outcome.error);
    return undefined;
  }

  /** Each message once. */
  texts(): string[] {
    return [...new Set(this.rejections.map(({ message }) => message))];
  }
}

/** Open interest, long/short ratio and next funding of symbols. What an exchange does not provide is null, with the reason. */
export async function readPositioningRows(
  { market }: PositioningDeps,
  symbols: readonly string[],
  caller: Caller,
): Promise<{ rows: PositioningRowWire[]; failures: string[]; firstError: Rejection | undefined }> {
  const { exchange } = caller;
  const failures = new Failures();
  const prices = failures.take(await market.prices({ ...caller, symbols })) ?? [];
  const lastOf = new Map(prices.map(({ symbol, last }) => [symbol, last]));
  const rows = await mapLimited(symbols, AT_ONCE, async (symbol): Promise<PositioningRowWire> => {
    const interest = failures.take(await market.openInterest({ ...caller, symbol }));
    const ratios = failures.take(await market.longShortSeries({ ...caller, symbol, interval: RATIO_INTERVAL }));
    const funding =
      streamedFunding(market.readQuote({ exchange, symbol, maxAgeMs: FUNDING_AGE_MS })) ??
      failures.take(await market.funding({ ...caller, symbol }));
    const last = lastOf.get(symbol);
    return {
      symbol,
      open_interest: interest?.quantity ?? null,
      open_interest_usdt: interest === undefined || last === undefined ? null : interest.quantity * last,
      open_interest_at: instant(interest?.atMs),
      long_short_ratio: ratios?.ratio.at(-1) ?? null,
      long_short_at: instant(ratios?.time.at(-1)),
      funding_rate: funding?.rate ?? null,
      next_funding_at: instant(funding?.nextFundingAtMs),
    };
  });
  const isEmpty = rows.every((row) => row.open_interest === null && row.long_short_ratio === null);
  return { rows, failures: failures.texts(), firstError: isEmpty ? failures.rejections[0] : undefined };
}

/** Both series of a symbol; an error when neither came. */
export async function readPositioningSeries(
  { market }: PositioningDeps,
  request: { symbol: string; interval: PositioningInterval },
  caller: Caller,
) {
  const failures = new Failures();
  const openInterest = failures.take(await market.openInterestSeries({ ...caller, ...request }));
  const longShort = failures.take(await market.longShortSeries({ ...caller, ...request }));
  const isEmpty = openInterest === undefined && longShort === undefined;
  return {
    open_interest: openInterest ?? null,
    long_short: longShort ?? null,
    failures: failures.texts(),
    firstError: isEmpty ? failures.rejections[0] : undefined,
  };
}
