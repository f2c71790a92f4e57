import { setTimeout as pause } from 'node:timers/promises';
import { insertPosition, type NewPosition } from '../../../../src/features/positions/eventWriter.ts';
import type { RestingOrders } from '../../../../src/features/positions/watch/restingOrders.ts';
import { writeWatermarks } from '../../../../src/features/positions/watch/watchRepository.ts';
import { withSystem } from '../../../../src/platform/db/scope.ts';
import type { TestDatabase } from '../../../support/createTestDatabase.ts';

/** News that say nothing. */
const silent = { vote: undefined, strength: 0, storyCount: 0, stories: [] };
export const silentNews = { read: () => silent, readAt: () => Promise.resolve(silent) };

/** Without orders. */
export const noOrders: RestingOrders = {
  load: () => Promise.resolve([]),
  reload: () => Promise.resolve([]),
  tick: () => [],
  candle: () => [],
  write: () => Promise.resolve([]),
  cancelEnded: () => Promise.resolve(),
};

let count = 0;

/** A long of 2 at 100 with 10x, stop 98, target 104, liquidation 91; fees of 0.05 %. */
export const newPosition = (userId: string, more: Partial<NewPosition> = {}): NewPosition => ({
  userId,
  openingRef: `manual:${(count += 1)}`,
  source: 'manual',
  scanId: null,
  signalId: null,
  runId: null,
  exchange: 'binance',
  market: 'simulated',
  symbol: 'BTCUSDT',
  side: 'LONG',
  interval: '1h',
  entryPrice: 100,
  quantity: 2,
  leverage: 10,
  stopPrice: 98,
  targetPrice: 104,
  liquidationPrice: 91,
  confidence: 0.7,
  riskMultiplier: 1,
  lossAtStop: 4.198,
  tickSize: 0.01,
  takerFeeFraction: 0.0005,
  entryFee: 0.1,
  trailing: { mode: null, callbackPct: null, stepPct: null, atrMultiplier: null, atrPeriod: null, activationPct: null },
  strategy: null,
  exitDue: null,
  openedAtMs: 1_767_225_600_000,
  ...more,
});

export const openOne = ({ db }: TestDatabase, position: NewPosition): Promise<string> =>
  withSystem(db, (tx) => insertPosition(tx, position));

export interface StoredPosition {
  id: string;
  symbol: string;
  close_reason: string | null;
  close_price: string | null;
  closed_at: Date | null;
  stop_loss: string;
  pnl: string | null;
  roi_pct: string | null;
  fees: string;
  funding: string;
  net_pnl: string | null;
  return_on_margin_pct: string | null;
  armed_at: Date | null;
}

export async function stored(database: TestDatabase, id: string): Promise<StoredPosition> {
  const [row] = await database.asOwner<StoredPosition & Record<string, unknown>>(
    'select * from positions where id = $1',
    [id],
  );
  if (row === undefined) throw new Error('no such position');
  return row;
}

export const kindsOf = async (database: TestDatabase, id: string): Promise<string[]> =>
  (
    await database.asOwner<{ kind: string }>('select kind from position_events where position_id = $1 order by seq', [
      id,
    ])
  ).map(({ kind }) => kind);

/** The candles of a series count as judged up to a time: the watermark of the watch. */
export async function setJudged({ db }: Pick<TestDatabase, 'db'>, symbol: string, atMs: number): Promise<void> {
  await withSystem(db, (tx) => writeWatermarks(tx, 'simulated', new Map([[`binance ${symbol}`, atMs]])));
}

/** Polls until it holds. The long deadline only ends a failed test. */
export async function until(what: string, holds: () => Promise<boolean>, deadlineMs = 45_000): Promise<void> {
  const endMs = Date.now() + deadlineMs;
  while (!(await holds())) {
    if (Date.now() > endMs) throw new Error(`it did not come: ${what}`);
    await pause(20);
  }
}
