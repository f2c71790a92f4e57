import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import {
  breakEvenStop,
  type LevelBounds,
  rejectStop,
  rejectTarget,
  rejectTargets,
  roundStop,
  roundTarget,
} from '@sextant/workers/src/positions/changedLevels.ts';
import type { BookTarget } from '@sextant/workers/src/positions/partialClose.ts';
import type { MarketMode } from '../../config.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type Db, type SystemTx, withSystem, withUser } from '../../platform/db/scope.ts';
import { createRejection, type Rejection } from '../../platform/errors.ts';
import { notifyUser } from '../../platform/events/notify.ts';
import type { Market, PriceQuote } from '../market/port.ts';
import { preferencesFor } from '../preferences/preferencesOf.ts';
import { noPrice, otherMarket } from './closePosition.ts';
import type { ChangeBody, PositionWire } from './contract.ts';
import { describeMoved, levelsOf, type SeenLevels } from './expectedLevels.ts';
import { freshPrices, OPENING_PRICE_AGE_MS_MAX, priceKey } from './live.ts';
import {
  lockLevels,
  pendingOf,
  type StoredChange,
  type StoredTrailing,
  storedTrailing,
  withChanges,
} from './ownerChanges.ts';
import { type PositionRow, positionToWire, sharesOf, targetsOf } from './positionRow.ts';
import { readPosition } from './readPositions.ts';

export interface ChangeDeps {
  db: Db;
  config: { market: MarketMode };
  market: Pick<Market, 'readQuote' | 'prices'>;
}

/** A rejection; `current` are the present levels where `expected` did not match them. */
export type ChangeRejection = Rejection & { current?: SeenLevels };
type Changed<T> = Result<T, ChangeRejection>;

const rejected = (...rejection: Parameters<typeof createRejection>): Changed<never> =>
  failWith(createRejection(...rejection));

/** Changes a position may have that the watch has not reached: more mean that nothing watches. */
const PENDING_MAX = 50;

const closedBy: Record<NonNullable<PositionWire['close_reason']>, string> = {
  SL: 'by its stop',
  TP: 'by its target',
  LIQ: 'by liquidation',
  MANUAL: 'by hand',
  TIME: 'after its holding time',
  SIGNAL: 'on the opposite signal',
  DELISTED: 'because its contract ended',
};

function rejectClosed({ close_price: price, close_reason: reason, closed_at: at }: PositionWire): Changed<never> {
  const how = reason === null ? '' : ` ${closedBy[reason]}`;
  return rejected('conflict', `The position closed at ${price}${how}, ${at}. Nothing was changed.`);
}

/**
 * Changes levels of an open position: its owner's request, checked at the server's last price. Applies from the moment it is stored: candles
 * that ended before meet the old levels, later candles the new ones, and the candle of that moment closes only by what both reach.
 */
export async function changeByOwner(
  deps: ChangeDeps,
  userId: string,
  id: string,
  body: ChangeBody,
): Promise<Changed<PositionWire>> {
  const row = await withUser(deps.db, userId, (tx) => readPosition(tx, id));
  if (row === undefined) return rejected('not_found', 'Position not found.');
  const before = positionToWire(row);
  if (before.closed_at !== null) return rejectClosed(before);
  const { exchange, symbol } = before;
  const { market: served } = deps.config;
  if (before.market !== served) return rejected('conflict', otherMarket(before.market, served, 'change'));
  const prices = await freshPrices(deps.market, [{ exchange, symbol }], Date.now(), OPENING_PRICE_AGE_MS_MAX);
  const quote = prices.get(priceKey(exchange, symbol));
  if (quote === undefined) return noPrice(deps.market, { exchange, symbol });
  return withSystem(deps.db, async (tx) => {
    await lockLevels(tx, 'owner');
    return changeLevels(tx, { userId, id, body, quote, nowMs: await databaseNowMs(tx) });
  });
}

interface Request {
  userId: string;
  id: string;
  body: ChangeBody;
  quote: Pick<PriceQuote, 'last'>;
  nowMs: number;
}

/** The same in a transaction that holds the lock of owners. */
export async function changeLevels(tx: SystemTx, request: Request): Promise<Changed<PositionWire>> {
  const { userId, id, body, quote, nowMs } = request;
  const row = await tx
    .selectFrom('positions')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return rejected('not_found', 'Position not found.');
  const before = positionToWire(row);
  if (before.closed_at !== null) return rejectClosed(before);
  const { stop_loss: stop, take_profit: target } = before;
  const { expected } = body;
  const current = levelsOf(before);
  const moved = expected === undefined ? null : describeMoved(expected, current);
  if (moved !== null) {
    const message = `Changed meanwhile: ${moved}. Check them and save again.`;
    return failWith({ ...createRejection('conflict', message), current });
  }
  const levels = readLevels(row, body, quote.last);
  if (!levels.ok) return levels;
  const trailing = body.trailing === undefined ? null : await readTrailing(tx, row, body.trailing);
  if (trailing !== null && !trailing.ok) return trailing;
  const change = {
    ...changedFields(levels.value, { stop, target }),
    ...(trailing === null || isSame(trailing.value, storedTrailing(withChanges(row)))
      ? {}
      : { trailing: trailing.value, peak: quote.last }),
  };
  if (Object.keys(change).length === 0) return ok(before);
  return write(tx, row, change, nowMs);
}

const changedFields = (
  levels: Levels,
  { stop, target }: Levels,
): Pick<StoredChange, 'stop_loss' | 'take_profit' | 'take_profits'> => ({
  ...(levels.stop === stop ? {} : { stop_loss: levels.stop }),
  ...(levels.target === target ? {} : { take_profit: levels.target }),
  ...(levels.targets === undefined ? {} : { take_profit: levels.target, take_profits: levels.targets }),
});

const isSame = (a: StoredTrailing, b: StoredTrailing): boolean =>
  (Object.keys(a) as (keyof StoredTrailing)[]).every((name) => a[name] === b[name]);

interface Levels {
  stop: number;
  target: number;
  /** All targets ahead, where they change; null: one closes all of it. */
  targets?: BookTarget[] | null;
}

/** Targets on their ticks, or why one is not possible at the price. The present ones with another first price, or new ones. */
function readTargets(row: PositionRow, body: ChangeBody, bounds: LevelBounds): Changed<BookTarget[] | undefined> {
  const present = targetsOf(withChanges(row));
  const { take_profit: first, take_profits: given } = body;
  if (given === undefined && (first === undefined || present === null)) return ok(undefined);
  const wanted = given ?? present?.map((each, i) => (i === 0 ? { ...each, price: first ?? each.price } : each)) ?? [];
  const targets = wanted.map((each) => ({ ...each, price: roundTarget(bounds.side, each.price, bounds.tickSize) }));
  const field = given === undefined ? 'take_profit' : 'take_profits';
  const why = rejectTargets(bounds, targets);
  return why === null ? ok(targets) : rejected('validation_failed', why, { field });
}

/** Several targets, where they differ from the present ones. */
function newTargets(targets: BookTarget[], row: PositionRow, target: number): Omit<Levels, 'stop'> {
  const present = targetsOf(withChanges(row)) ?? [{ price: target, fraction: 1 }];
  const [next] = targets;
  if (next === undefined || JSON.stringify(targets) === JSON.stringify(present)) return { target };
  return { target: next.price, targets: targets.length > 1 ? targets : null };
}

/** Levels on their ticks, or why one is not possible at the price. */
function readLevels(row: PositionRow, body: ChangeBody, price: number): Changed<Levels> {
  const position = positionToWire(row);
  const { side, liquidation_approx: liquidationPrice } = position;
  const tickSize = Number(row.tick_size);
  const bounds: LevelBounds = { side, price, tickSize, liquidationPrice };
  let { stop_loss: stop, take_profit: target } = position;
  if (body.break_even === true) {
    stop = breakEvenStop(termsOf(position), tickSize);
    const sign = side === 'LONG' ? 1 : -1;
    if (sign * stop >= sign * price) {
      const text = `Break-even is at ${stop} after costs: the price is ${price}. Wait until it passes ${stop}.`;
      return rejected('validation_failed', text, { field: 'break_even' });
    }
  }
  if (body.stop_loss !== undefined) stop = roundStop(side, body.stop_loss, tickSize);
  // Only what is changed is checked: the price may have passed a level that is not armed.
  const why = stop === position.stop_loss ? null : rejectStop(bounds, stop);
  if (why !== null)
    return rejected('validation_failed', why, { field: body.break_even === true ? 'break_even' : 'stop_loss' });
  const targets = readTargets(row, body, bounds);
  if (!targets.ok) return targets;
  if (targets.value !== undefined) return ok({ stop, ...newTargets(targets.value, row, target) });
  if (body.take_profit !== undefined) target = roundTarget(side, body.take_profit, tickSize);
  const whyNot = target === position.take_profit ? null : rejectTarget(bounds, target);
  if (whyNot !== null) return rejected('validation_failed', whyNot, { field: 'take_profit' });
  return ok({ stop, target });
}

/** Terms of the figures at a level. */
export const termsOf = (
  position: Pick<
    PositionWire,
    'side' | 'entry_price' | 'qty' | 'fees' | 'funding' | 'taker_fee_fraction' | 'realised_pnl'
  >,
) => ({
  side: position.side,
  entryPrice: position.entry_price,
  qty: position.qty,
  fees: position.fees,
  funding: position.funding,
  takerFeeFraction: position.taker_fee_fraction,
  realised: position.realised_pnl,
});

const off: StoredTrailing = {
  mode: null,
  callback_pct: null,
  step_pct: null,
  atr_mult: null,
  atr_period: null,
  activation_pct: null,
};

/** What is not given stays as the position has it, or else as the account settings have it. */
async function readTrailing(
  tx: SystemTx,
  row: PositionRow,
  given: NonNullable<ChangeBody['trailing']>,
): Promise<Changed<StoredTrailing>> {
  if (!given.enabled) return ok(off);
  const preferences = await preferencesFor(tx, row.user_id);
  const present = storedTrailing(withChanges(row));
  const mode = given.mode ?? present.mode ?? preferences.trail_mode;
  const activation_pct = given.activation_pct ?? present.activation_pct ?? 0;
  if (mode === 'atr') {
    const atr_mult = given.atr_mult ?? present.atr_mult ?? preferences.trail_atr_mult;
    const atr_period = given.atr_period ?? present.atr_period ?? preferences.trail_atr_period;
    return ok({ ...off, mode, activation_pct, atr_mult, atr_period });
  }
  const callback_pct = given.callback_pct ?? present.callback_pct ?? preferences.trail_callback_pct;
  const step_pct = given.step_pct ?? present.step_pct ?? preferences.trail_step_pct;
  return ok({ ...off, mode, activation_pct, callback_pct, step_pct });
}

/** Stores the change and its event. The row's own levels follow when the watch has judged the candles before it. */
async function write(
  tx: SystemTx,
  row: PositionRow,
  change: Omit<StoredChange, 'number' | 'at'>,
  nowMs: number,
): Promise<Changed<PositionWire>> {
  const pending = pendingOf(row);
  if (pending.length >= PENDING_MAX) {
    return rejected('rate_limited', 'Many changes wait for prices. Try again in a minute.', { retryAfterS: 60 });
  }
  const watched = await tx
    .selectFrom('position_watch')
    .select('next_candle_at')
    .where('market', '=', row.market)
    .where('exchange', '=', row.exchange)
    .where('symbol', '=', row.symbol)
    .executeTakeFirst();
  // After every candle that was judged without it, also where this database's clock is behind the exchange.
  const atMs = Math.max(
    nowMs,
    row.opened_at.getTime(),
    watched?.next_candle_at.getTime() ?? 0,
    ...pending.map(({ at }) => Date.parse(at)),
  );
  const number = row.changes + 1;
  const changes = JSON.stringify([...pending, { number, at: new Date(atMs).toISOString(), ...change }]);
  const after = await tx
    .updateTable('positions')
    .set({ changes: number, changes_pending: changes })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const [from, to] = [withChanges(row), withChanges(after)].map((each) => fieldsOf(each, change));
  await tx
    .insertInto('position_events')
    .values({
      user_id: row.user_id,
      position_id: row.id,
      kind: 'changed',
      at: new Date(atMs),
      data: JSON.stringify({ from, to, by: 'owner' }),
    })
    .execute();
  await notifyUser(tx, row.user_id, 'positions', { change: 'changed', position_id: row.id });
  return ok(positionToWire(after));
}

/** The changed fields of a row, for its event. */
const fieldsOf = (row: PositionRow, change: Omit<StoredChange, 'number' | 'at'>) => ({
  ...(change.stop_loss === undefined ? {} : { stop_loss: Number(row.stop_loss) }),
  ...(change.take_profit === undefined ? {} : { take_profit: Number(row.take_profit) }),
  ...(change.take_profits === undefined ? {} : { take_profits: sharesOf(targetsOf(row)) }),
  ...(change.trailing === undefined ? {} : { trailing: storedTrailing(row) }),
});
