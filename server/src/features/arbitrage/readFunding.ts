import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { ExchangeId } from '../market/port.ts';
import { type FundingDifferencesResponse, type FundingDifference, SETTLEMENTS } from './contract.ts';
import { forecastOf } from './fundingForecast.ts';
import { type Episode, meanOf } from './persistence.ts';
import { EXCHANGES } from './sameContract.ts';
import { directionIndex, MINUTES_PER_ROW, percentOfStored } from './sampler/spreadRows.ts';
import type { CoinQuote } from './spreads.ts';
import { takerFeesOf } from './takerFees.ts';

export const FUNDING_ROWS_MAX = 50;
/** Sampled minutes within a day that a standard deviation needs. */
const RISK_MINUTES_MIN = 120;

export interface Settled {
  atMs: number;
  rate: number;
}
type Row = FundingDifference;

type LegNow = Omit<Row['legs']['long'], 'forecast'>;

interface Leg {
  exchange: ExchangeId;
  wire: LegNow;
}

const legOf = (quote: CoinQuote): Leg[] => {
  const { exchange, fundingRate, nextFundingAtMs, fundingIntervalHours } = quote;
  // Without the interval a rate cannot be converted to a day, and no interval is assumed.
  if (fundingRate === null || nextFundingAtMs === null || fundingIntervalHours === null) return [];
  const intervalHours = fundingIntervalHours;
  const wire = {
    ratePct: fundingRate * 100,
    intervalHours,
    perDayPct: (fundingRate * 100 * 24) / intervalHours,
    nextFundingAtMs,
  };
  return [{ exchange, wire }];
};

export interface Difference extends Pick<Row, 'symbol' | 'long' | 'short' | 'differencePerDayPct'> {
  legs: { long: LegNow; short: LegNow };
  feesPct: number;
  breakEvenHours: number | null;
}

/** The widest rate difference of each coin, normalised to a day: long on the side that pays less. Largest first. */
export function differencesOf(quotes: ReadonlyMap<string, Partial<Record<ExchangeId, CoinQuote>>>): Difference[] {
  const fees = takerFeesOf();
  const rows = [...quotes].flatMap(([coin, result]): Difference[] => {
    const legs = EXCHANGES.flatMap((exchange) => (result[exchange] === undefined ? [] : legOf(result[exchange])));
    legs.sort((a, b) => a.wire.perDayPct - b.wire.perDayPct);
    const [long, short] = [legs[0], legs.at(-1)];
    if (long === undefined || short === undefined || long.exchange === short.exchange) return [];
    const differencePerDayPct = short.wire.perDayPct - long.wire.perDayPct;
    const feesPct = 2 * (fees[long.exchange] + fees[short.exchange]) * 100;
    return [
      {
        symbol: `${coin}USDT`,
        long: long.exchange,
        short: short.exchange,
        differencePerDayPct,
        legs: { long: long.wire, short: short.wire },
        feesPct,
        breakEvenHours: differencePerDayPct > 0 ? (feesPct / differencePerDayPct) * 24 : null,
      },
    ];
  });
  return rows.sort((a, b) => b.differencePerDayPct - a.differencePerDayPct);
}

/** Settlements of a contract, oldest first. */
export interface SettledLeg {
  settled: readonly Settled[];
  /** The last full hour whose settlement the history would have, epoch ms. */
  untilMs: number;
}

/** Exchanges publish a settlement within minutes: what was read later than this after it has it. */
export const PUBLISHED_MS = HOUR_MS / 4;

/** @param readAtMs when the history was last read */
export const legOfHistory = (settled: readonly Settled[], readAtMs: number): SettledLeg => ({
  settled,
  untilMs: Math.max(
    Math.floor((readAtMs - PUBLISHED_MS) / HOUR_MS) * HOUR_MS,
    hourOf(settled.at(-1)?.atMs ?? -Infinity),
  ),
});

const hourOf = (atMs: number): number => Math.round(atMs / HOUR_MS) * HOUR_MS;
const unread: SettledLeg = { settled: [], untilMs: -Infinity };

/**
 * Received by the pair at each settlement of either exchange, as one payment where both settle in the same hour. The last ones that both
 * histories reach, oldest first.
 */
export function settlementsOf(
  { settled: long, untilMs: longUntilMs }: SettledLeg,
  { settled: short, untilMs: shortUntilMs }: SettledLeg,
): Row['settlements'] {
  const received = new Map<number, number>();
  const add = (settled: readonly Settled[], sign: number): void => {
    for (const { atMs, rate } of settled) {
      const hour = hourOf(atMs);
      received.set(hour, (received.get(hour) ?? 0) + sign * rate * 100);
    }
  };
  add(long, -1);
  add(short, 1);
  // Only one leg is known before the shorter history starts, and after the older one was read: one payment alone is no difference.
  const untilMs = Math.min(longUntilMs, shortUntilMs);
  const fromMs = Math.max(long[0]?.atMs ?? Infinity, short[0]?.atMs ?? Infinity) - HOUR_MS / 2;
  return [...received]
    .filter(([atMs]) => atMs >= fromMs && atMs <= untilMs)
    .sort(([a], [b]) => a - b)
    .slice(-SETTLEMENTS)
    .map(([atMs, differencePct]) => ({ atMs, differencePct }));
}

/** Mean of the settlements over the time they span, normalised to a day, with its 95 % interval. */
export function settledPerDay(
  settlements: Row['settlements'],
): Pick<Row, 'settledPerDayPct' | 'settledLowPct' | 'settledHighPct'> {
  const [first, last] = [settlements[0], settlements.at(-1)];
  const none = { settledPerDayPct: null, settledLowPct: null, settledHighPct: null };
  if (first === undefined || last === undefined || settlements.length < 3) return none;
  const perDay = (24 * HOUR_MS * (settlements.length - 1)) / (last.atMs - first.atMs);
  // Each settlement is a separate group.
  const episodes = settlements.map(
    ({ atMs, differencePct }) => ({ symbol: '', startedAtMs: atMs, netPct: differencePct }) as Episode,
  );
  const { mean, low, high } = meanOf(episodes, ({ netPct }) => netPct);
  const scaled = (value: number | null): number | null => (value === null ? null : value * perDay);
  return { settledPerDayPct: scaled(mean), settledLowPct: scaled(low), settledHighPct: scaled(high) };
}

/** Current differences with past settlements and the price drift between both exchanges. */
export async function readFunding(
  tx: SystemTx,
  market: MarketMode,
  differences: readonly Difference[],
  nowMs: number,
): Promise<z.input<typeof FundingDifferencesResponse>> {
  const shown = differences.slice(0, FUNDING_ROWS_MAX);
  const symbols = shown.map(({ symbol }) => symbol);
  if (symbols.length === 0) return { rows: [], asOfMs: nowMs, symbols: 0 };
  const fundings = await tx
    .selectFrom('arbitrage_fundings')
    .select(['symbol', 'exchange', 'times', 'rates', 'read_at'])
    .where('market', '=', market)
    .where('symbol', 'in', symbols)
    .execute();
  // Only rates of stored settlements are compared.
  const firstMs = Math.min(nowMs, ...fundings.flatMap(({ times }) => times[0]?.getTime() ?? nowMs));
  const announced = await tx
    .selectFrom('arbitrage_announced')
    .select(['symbol', 'exchange', 'settles_at', 'rate'])
    .where('market', '=', market)
    .where('symbol', 'in', symbols)
    .where('settles_at', '>=', new Date(firstMs - HOUR_MS))
    .execute();
  const spreads = await tx
    .selectFrom('arbitrage_spreads')
    .select(['symbol', 'minutes'])
    .where('market', '=', market)
    .where('symbol', 'in', symbols)
    .where('at', '>=', new Date(nowMs - 24 * HOUR_MS))
    .execute();
  const settled = new Map(
    fundings.map(({ symbol, exchange, times, rates, read_at: readAt }) => [
      `${symbol} ${exchange}`,
      legOfHistory(
        times.map((at, i): Settled => ({ atMs: at.getTime(), rate: rates[i] ?? 0 })),
        readAt.getTime(),
      ),
    ]),
  );
  const announcedOf = Map.groupBy(announced, ({ symbol, exchange }) => `${symbol} ${exchange}`);
  const minutes = Map.groupBy(spreads, ({ symbol }) => symbol);
  const rows = shown.map((row): Row => {
    const settlements = settlementsOf(
      settled.get(`${row.symbol} ${row.long}`) ?? unread,
      settled.get(`${row.symbol} ${row.short}`) ?? unread,
    );
    const index = directionIndex({ buy: row.long, sell: row.short }) * MINUTES_PER_ROW;
    const sampled = (minutes.get(row.symbol) ?? []).flatMap(({ minutes: stored }) =>
      stored.slice(index, index + MINUTES_PER_ROW).flatMap((value) => percentOfStored(value) ?? []),
    );
    const withForecast = (leg: LegNow, exchange: ExchangeId): Row['legs']['long'] => {
      const key = `${row.symbol} ${exchange}`;
      const rates = (announcedOf.get(key) ?? []).map(({ settles_at: at, rate }) => ({ atMs: at.getTime(), rate }));
      return { ...leg, forecast: forecastOf(rates, (settled.get(key) ?? unread).settled) };
    };
    const legs = { long: withForecast(row.legs.long, row.long), short: withForecast(row.legs.short, row.short) };
    return { ...row, legs, settlements, ...settledPerDay(settlements), priceRiskPct: deviationOf(sampled) };
  });
  return { rows, asOfMs: nowMs, symbols: differences.length };
}

function deviationOf(values: readonly number[]): number | null {
  if (values.length < RISK_MINUTES_MIN) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
