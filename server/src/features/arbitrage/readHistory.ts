import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { SpreadHistoryResponse } from './contract.ts';
import { directionIndex, MINUTES_PER_ROW, type Direction, percentOfStored } from './sampler/spreadRows.ts';

/** Mean gross spread of each minute of the last hours, as stored by the sampler. */
export async function readHistory(
  tx: SystemTx,
  { market, symbol, direction, hours }: { market: MarketMode; symbol: string; direction: Direction; hours: number },
  nowMs: number,
): Promise<z.input<typeof SpreadHistoryResponse>> {
  const toMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const fromMs = toMs - hours * 60 * MINUTE_MS;
  const rows = await tx
    .selectFrom('arbitrage_spreads')
    .select(['at', 'minutes'])
    .where('market', '=', market)
    .where('symbol', '=', symbol)
    .where('at', '>', new Date(fromMs - MINUTES_PER_ROW * MINUTE_MS))
    .where('at', '<', new Date(toMs))
    .orderBy('at')
    .execute();
  const points = rows.flatMap(({ at, minutes }) =>
    Array.from({ length: MINUTES_PER_ROW }, (_, minute) => ({
      atMs: at.getTime() + minute * MINUTE_MS,
      grossPct: percentOfStored(minutes[directionIndex(direction) * MINUTES_PER_ROW + minute]),
    })),
  );
  return { stepMs: MINUTE_MS, fromMs, toMs, points: points.filter(({ atMs }) => atMs >= fromMs && atMs < toMs) };
}
