import { ok } from '@sextant/workers/src/core/result.ts';
import { withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { OpenDeps } from '../positions/openPosition.ts';
import { checkedResults } from '../scan/checkedResults.ts';
import type { OrderBody } from './contract.ts';

/** The signal that an order follows. */
export interface Origin {
  scanId: string;
  signalId: string;
  confidence: number;
}

/** The signal that the body names, of a scan of the user; null: none is named. */
export async function readOrigin(
  { db }: Pick<OpenDeps, 'db'>,
  userId: string,
  body: OrderBody,
): Promise<Outcome<Origin | null>> {
  const { scan_id: scanId, symbol, interval, side } = body;
  if (scanId === undefined) return ok(null);
  const results = await withUser(db, userId, (tx) => checkedResults(tx, scanId));
  if (results === null) return reject('not_found', 'Scan not found.');
  if (results === 'unfinished') return reject('no_result', 'The scan is not finished.', { field: 'scan_id' });
  const result = results.find((each) => each.symbol === symbol && each.interval === interval);
  if (result === undefined)
    return reject('no_result', `The scan has no result for ${symbol} on ${interval}.`, { field: 'symbol' });
  if (result.direction !== side)
    return reject('no_result', `The signal is ${result.direction}: leave out scan_id to trade the other side.`, {
      field: 'side',
    });
  return ok({ scanId, signalId: result.signal_id, confidence: result.confidence });
}
