import { HOUR_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type Db, type UserTx, withSystem } from '../../../platform/db/scope.ts';
import { readAnnounced } from '../../arbitrage/readAnnounced.ts';
import type { PositionRow } from '../positionRow.ts';
import type { ExchangeId } from '../../market/port.ts';
import type { MarketMode } from '../../../config.ts';
import type { FundingForecast } from './contract.ts';

/** A funding that a position paid. Rates are fractions that longs pay. */
interface PaidFunding {
  atMs: number;
  rate: number;
  /** Quantity x mark price, USDT; negative for a short. */
  notional: number;
}

/** A settlement may be stamped beside its full hour. */
const STAMP_MS = 5 * MINUTE_MS;
const hourOf = (atMs: number): number => Math.round(atMs / HOUR_MS);

/** Funding paid minus funding at the announced rates, over the announced settlements; null without any. */
export function forecastError(
  paid: readonly PaidFunding[],
  announced: readonly { atMs: number; rate: number }[],
): z.input<typeof FundingForecast> {
  const byHour = new Map(announced.map(({ atMs, rate }) => [hourOf(atMs), rate]));
  const errors = paid.flatMap(({ atMs, rate, notional }) => {
    const before = byHour.get(hourOf(atMs));
    return before === undefined ? [] : [{ rate: rate - before, notional }];
  });
  if (errors.length === 0) return null;
  return {
    count: errors.length,
    error: errors.reduce((sum, { rate, notional }) => sum + rate * notional, 0),
    mean_error_pct: (errors.reduce((sum, { rate }) => sum + rate, 0) / errors.length) * 100,
  };
}

/** Fundings that a compared position paid: its quantity was the same from its opening to its close. */
export async function readPaid(tx: UserTx, { id, side, qty }: PositionRow): Promise<PaidFunding[]> {
  const rows = await tx
    .selectFrom('position_events')
    .select('at')
    .select([sql<number>`(data->>'rate')::float8`.as('rate'), sql<number>`(data->>'mark')::float8`.as('mark')])
    .where('position_id', '=', id)
    .where('kind', '=', 'funding')
    .orderBy('at')
    .execute();
  const signed = (side === 'LONG' ? 1 : -1) * Number(qty);
  return rows.map(({ at, rate, mark }) => ({ atMs: at.getTime(), rate, notional: signed * mark }));
}

/** The announced rates belong to no user. */
export async function readForecast(
  db: Db,
  { exchange, symbol, market }: Pick<PositionRow, 'exchange' | 'symbol' | 'market'>,
  paid: readonly PaidFunding[],
): Promise<z.input<typeof FundingForecast>> {
  const [first, last] = [paid[0], paid.at(-1)];
  if (first === undefined || last === undefined) return null;
  const span = { fromMs: first.atMs - STAMP_MS, toMs: last.atMs + STAMP_MS };
  const series = { exchange: exchange as ExchangeId, symbol, market: market as MarketMode };
  return forecastError(paid, await withSystem(db, (tx) => readAnnounced(tx, { ...series, ...span })));
}
