import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { type BookPosition, CLOSE_GUARDS } from '@sextant/workers/src/positions/bookTypes.ts';
import { PositionBook } from '@sextant/workers/src/positions/positionBook.ts';
import { expect } from 'vitest';
import type { NewPosition } from '../../../../src/features/positions/eventWriter.ts';
import type { TestDatabase } from '../../../support/createTestDatabase.ts';
import { newPosition, until } from './positions.ts';
import { MINUTE_MS, type ScriptedMarket } from './scriptedMarket.ts';

/** Random positions over random candles, and the expected result also when processes are killed. */

export const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
const start = 1_767_225_600_000;

export type Bar = Parameters<ScriptedMarket['candle']>[1];

export interface Wanted {
  id: string;
  position: NewPosition;
}

/** A random walk in minutes. */
export function walk(random: () => number, count: number): Bar[] {
  let price = 100;
  return Array.from({ length: count }, (_, minute) => {
    const open = price;
    const close = Number((open * (1 + 0.004 * (random() + random() - 1))).toFixed(2));
    const high = Number((Math.max(open, close) * (1 + 0.003 * random())).toFixed(2));
    const low = Number((Math.min(open, close) * (1 - 0.003 * random())).toFixed(2));
    price = close;
    return { time: start + minute * MINUTE_MS, open, high, low, close, volume: 1 };
  });
}

/** What the candles alone do to a position, in one run without a killed process. */
export function truthOf(module: WebAssembly.Module, position: NewPosition, bars: readonly Bar[]) {
  const book = new PositionBook(instantiate(module), CLOSE_GUARDS);
  const { trailing } = position;
  book.add('one', {
    id: 'one',
    side: position.side,
    entryTimeMs: position.openedAtMs,
    entryPrice: position.entryPrice,
    quantity: position.quantity,
    leverage: position.leverage,
    bestPrice: position.entryPrice,
    isArmed: false,
    stopPrice: position.stopPrice,
    targetPrice: position.targetPrice,
    liquidationPrice: position.liquidationPrice,
    tickSize: position.tickSize,
    takerFeeFraction: position.takerFeeFraction,
    atr: null,
    trailing:
      trailing.mode === null
        ? { mode: 'off' }
        : {
            mode: 'percent',
            callbackFraction: (trailing.callbackPct ?? 0) / 100,
            stepFraction: (trailing.stepPct ?? 0) / 100,
            activationFraction: (trailing.activationPct ?? 0) / 100,
          },
  } satisfies BookPosition);
  let raised = 0;
  for (const { time: timeMs, ...bar } of bars) {
    for (const event of book.candle('one', { timeMs, spanMs: MINUTE_MS, ...bar })) {
      if (event.kind === 'trail_raised') raised += 1;
      if (event.kind === 'closed') return { price: event.price, reason: event.reason, atMs: event.atMs, raised };
    }
  }
  return { price: null, reason: null, atMs: null, raised };
}

export function randomPosition(
  random: () => number,
  userId: string,
  symbol: string,
  bars: readonly Bar[],
): NewPosition {
  const minute = Math.floor(random() * bars.length * 0.6);
  const entryPrice = bars[minute]?.open ?? 100;
  const side = random() < 0.5 ? 'LONG' : 'SHORT';
  const sign = side === 'LONG' ? 1 : -1;
  const level = (fraction: number) => Number((entryPrice * (1 + sign * fraction)).toFixed(2));
  const trails = random() < 0.5;
  const none = {
    mode: null,
    callbackPct: null,
    stepPct: null,
    atrMultiplier: null,
    atrPeriod: null,
    activationPct: null,
  };
  return newPosition(userId, {
    symbol,
    side,
    entryPrice,
    stopPrice: level(-0.004 - 0.03 * random()),
    targetPrice: level(0.004 + 0.03 * random()),
    liquidationPrice: level(-0.095),
    openedAtMs: start + minute * MINUTE_MS - Math.floor(random() * 50_000),
    trailing: trails
      ? {
          ...none,
          mode: 'percent',
          callbackPct: 0.3 + random(),
          stepPct: 0.05 + 0.2 * random(),
          activationPct: random() < 0.5 ? 0 : random(),
        }
      : none,
  });
}

interface Row {
  id: string;
  close_price: string | null;
  close_reason: string | null;
  closed_at: Date | null;
  closes: number;
  raises: number;
}

/**
 * Waits until every candle is judged, then compares: each position closed as the candles alone would have closed it, once, or not at
 * all. @returns how many were closed
 */
export async function expectTruth(
  module: WebAssembly.Module,
  asOwner: TestDatabase['asOwner'],
  { bars, wanted, minutes }: { bars: Record<string, Bar[]>; wanted: readonly Wanted[]; minutes: number },
): Promise<number> {
  const last = new Date(start + minutes * MINUTE_MS);
  const waiting = `select 1 from positions p left join position_watch w using (exchange, symbol)
    where p.closed_at is null and coalesce(w.next_candle_at, 'epoch') < $1`;
  await until('every candle is judged', async () => (await asOwner(waiting, [last])).length === 0, 60_000);
  const rows = await asOwner<Row & Record<string, unknown>>(
    `select p.id, close_price, close_reason, closed_at,
       count(*) filter (where kind = 'closed')::int as closes, count(*) filter (where kind = 'trail_raised')::int as raises
     from positions p join position_events e on e.position_id = p.id group by p.id`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const matches = wanted.map(({ id }) => {
    const row = byId.get(id);
    return {
      price: row?.close_price == null ? null : Number(row.close_price),
      reason: row?.close_reason ?? null,
      atMs: row?.closed_at?.getTime() ?? null,
      raised: row?.raises ?? -1,
    };
  });
  expect(matches).toEqual(wanted.map(({ position }) => truthOf(module, position, bars[position.symbol] ?? [])));
  const closed = matches.filter(({ reason }) => reason !== null).length;
  expect(rows.reduce((sum, { closes }) => sum + closes, 0)).toBe(closed);
  expect(closed).toBeGreaterThan(wanted.length / 4);
  return closed;
}
