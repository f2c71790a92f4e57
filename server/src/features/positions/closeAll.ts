import { createHash, randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { withSystem, withUser } from '../../platform/db/scope.ts';
import { runOncePerKey } from '../credits/idempotency.ts';
import { closeByOwner, type CloseDeps } from './closePosition.ts';
import type { CloseAllBody, CloseAllResponse, PositionWire } from './contract.ts';
import { freshPrices, liveFigures, priceKey } from './live.ts';
import { positionToWire } from './positionRow.ts';
import { POSITIONS_MAX } from './contract.ts';
import { cents8 } from './readAnalytics.ts';
import { readOpen, readPosition } from './readPositions.ts';

type Which = CloseAllBody['which'];
export type CloseAllWire = z.input<typeof CloseAllResponse>;
type Left = CloseAllWire['left'][number];

const ROUTE = 'POST /api/positions/close-all';
const noPrice = { code: 'price_stale', message: 'No fresh price, so its result is unknown. Try again shortly.' };

/** Positions to close, and those that may belong to them but have no price. */
interface Selected {
  ids: string[];
  left: Left[];
}

const leftOf = ({ id, symbol, side }: PositionWire, why: { code: string; message: string }): Left => ({
  id,
  symbol,
  side,
  code: why.code,
  message: why.message,
});

/** Winners and losers by what closing now would leave, fees and funding included, at the server's prices. */
async function select({ db, market, config }: CloseDeps, userId: string, which: Which): Promise<Selected> {
  const rows = await withUser(db, userId, (tx) => readOpen(tx, POSITIONS_MAX));
  const open = rows.map(positionToWire);
  if (which !== 'losers' && which !== 'winners') {
    const side = which === 'all' ? null : which === 'long' ? 'LONG' : 'SHORT';
    return { ids: open.filter((each) => side === null || each.side === side).map(({ id }) => id), left: [] };
  }
  const here = open.filter((each) => each.market === config.market);
  const prices = await freshPrices(market, here, Date.now());
  const result: Selected = { ids: [], left: [] };
  for (const position of here) {
    const quote = prices.get(priceKey(position.exchange, position.symbol));
    if (quote === undefined) result.left.push(leftOf(position, noPrice));
    else if (liveFigures(position, quote).net_pnl < 0 === (which === 'losers')) result.ids.push(position.id);
  }
  return result;
}

/**
 * Closes each by the path of closing one. Which positions it means is decided once per key: a repetition lists the same ones and tries
 * those that are still open, so it never closes a position opened later. @throws conflict when the key came with another body
 */
export async function closeAllByOwner(
  deps: CloseDeps,
  userId: string,
  body: CloseAllBody,
  key: string = randomUUID(),
): Promise<CloseAllWire> {
  // Prices are fetched outside the transaction of the key.
  const selected = await select(deps, userId, body.which);
  const stored = createHash('sha256').update(key).digest('hex');
  const { answer } = await withSystem(deps.db, (tx) =>
    runOncePerKey(tx, { userId, route: ROUTE, key: stored, body }, () =>
      Promise.resolve({ status: 200, answer: selected }),
    ),
  );
  const closed: PositionWire[] = [];
  const left: Left[] = [...answer.left];
  for (const id of answer.ids) {
    const done = await closeByOwner(deps, userId, id);
    if (done.ok) {
      closed.push(done.value.position);
      continue;
    }
    const row = await withUser(deps.db, userId, (tx) => readPosition(tx, id));
    if (row === undefined) continue;
    const position = positionToWire(row);
    // Closed by an earlier call with this key, or by its stop meanwhile: the result is what was wanted.
    if (position.closed_at !== null) closed.push(position);
    else left.push(leftOf(position, done.error));
  }
  return { closed, left, net_pnl: cents8(closed.reduce((sum, { net_pnl: net }) => sum + (net ?? 0), 0)) };
}
