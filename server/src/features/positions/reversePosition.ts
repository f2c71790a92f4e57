import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { closingSide, marketFill } from '@sextant/workers/src/positions/marketFill.ts';
import type { z } from 'zod';
import { type SystemTx, withSystem, withUser } from '../../platform/db/scope.ts';
import { type Rejection, reject } from '../../platform/errors.ts';
import { findResponse, hashKey, settleOncePerKey } from '../credits/idempotency.ts';
import type { Skip } from '@sextant/workers/src/signals/openingRules.ts';
import { afterClose, type ClosedPosition } from './closeHooks.ts';
import { type CloseDeps, closePart, otherMarket } from './closePosition.ts';
import type { PositionWire, ReverseBody, ReversedResponse } from './contract.ts';
import {
  type MarketFacts,
  openInTurn,
  type OpenDeps,
  openingsInTurn,
  POSITION_EXCHANGE,
  readMarketFacts,
} from './openPosition.ts';
import { lockLevels } from './ownerChanges.ts';
import { positionToWire } from './positionRow.ts';
import { readPosition } from './readPositions.ts';

type ReversedWire = z.input<typeof ReversedResponse>;
type ReverseRejection = Rejection & { skip?: Skip };
type Reversed = Result<ReversedWire, ReverseRejection>;

/**
 * Closes a position and opens the opposite one of the same size, at one price and in one transaction: both happen or neither. Levels lie as
 * far from the new entry as the first stop and the target lay from the old one.
 * @param key the same key reverses once and returns the first response
 */
export async function reversePosition(
  deps: OpenDeps & CloseDeps,
  { userId, id, body, key }: { userId: string; id: string; body: ReverseBody; key: string | undefined },
): Promise<Reversed> {
  const { db } = deps;
  const call = {
    userId,
    route: `POST /api/positions/${id}/reverse`,
    key: key === undefined ? key : hashKey(key),
    body,
  };
  const before = await withSystem(db, (tx) => findResponse<ReversedWire>(tx, call));
  if (before !== null) return ok(before);
  const row = await withUser(db, userId, (tx) => readPosition(tx, id));
  if (row === undefined) return reject('not_found', 'Position not found.');
  if (row.closed_at !== null) return reject('conflict', 'The position is already closed.');
  const { market: served } = deps.config;
  if (row.market !== served) return reject('conflict', otherMarket(row.market, served));
  const facts = await readMarketFacts(deps, POSITION_EXCHANGE, row.symbol);
  if (!facts.ok) return facts;
  const closed: ClosedPosition[] = [];
  const done = await settleOncePerKey<ReversedWire, ReverseRejection>(db, call, async (tx) => {
    const result = await reverseIn(deps, tx, { userId, id, body, facts: facts.value });
    if (!result.ok) return result;
    closed.push(...result.value.closed);
    return ok(result.value.wire);
  });
  await afterClose(deps, closed);
  return done;
}

/** Levels of the opposite position: as far from the price as the first stop and the target were from the entry. */
function levelsOf(
  { side, entry_price: entry, initial_stop_loss: stop, take_profit: target }: PositionWire,
  body: ReverseBody,
  price: number,
) {
  const sign = side === 'LONG' ? -1 : 1;
  return {
    stopLoss: body.stop_loss ?? price - sign * Math.abs(entry - stop),
    takeProfit: body.take_profit ?? price + sign * Math.abs(target - entry),
  };
}

async function reverseIn(
  deps: OpenDeps,
  tx: SystemTx,
  { userId, id, body, facts }: { userId: string; id: string; body: ReverseBody; facts: MarketFacts },
): Promise<Result<{ wire: ReversedWire; closed: ClosedPosition[] }, ReverseRejection>> {
  const { quote } = facts;
  await lockLevels(tx, 'owner');
  await openingsInTurn(tx, userId);
  const old = await tx.selectFrom('positions').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
  const position = positionToWire(old);
  const { side, qty, leverage, interval } = position;
  // One order of the exchange: what closes and what opens fill at the same price.
  const direction = closingSide(side);
  const price = marketFill(direction, quote, Number(old.tick_size));
  const result = await closePart(tx, { userId, id, body: {}, quote });
  if (!result.ok) return result;
  const opened = await openInTurn(
    deps,
    tx,
    {
      userId,
      exchange: POSITION_EXCHANGE,
      openingRef: `reverse-by-hand:${id}`,
      scanId: null,
      signalId: null,
      runId: null,
      source: 'manual',
      symbol: old.symbol,
      interval,
      direction,
      confidence: 0,
      signalPrice: null,
      levels: levelsOf(position, body, price),
      levelsOf: 'owner',
      riskMultiplier: 1,
      sizing: { by: 'quantity', quantity: qty },
      leverage,
      isExact: true,
    },
    facts,
  );
  if (!opened.ok) return opened;
  const opening = opened.value;
  if (opening.outcome === 'skipped')
    return failWith({
      code: 'position_refused',
      message: `${opening.message} Nothing was changed.`,
      skip: opening.skip,
    });
  const after = await tx.selectFrom('positions').selectAll().where('id', '=', opening.id).executeTakeFirstOrThrow();
  const wire = { closed: result.value.wire.position, opened: positionToWire(after) };
  return ok({ wire, closed: result.value.closed });
}
