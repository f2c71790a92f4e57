import { ok } from '@sextant/workers/src/core/result.ts';
import { withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { OpenDeps } from '../positions/openPosition.ts';
import { checkedResult } from '../scan/checkedResults.ts';
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
  const read = await withUser(db, userId, (tx) => checkedResult(tx, { scanId, symbol, interval }));
  if (!read.ok) return read;
  const { direction, signal_id: signalId, confidence } = read.value;
  if (direction !== side)
    return reject('no_result', `The signal is ${direction}: leave out scan_id to trade the other side.`, {
      field: 'side',
    });
  return ok({ scanId, signalId, confidence });
}
