import { ApiFailure, isUnconfirmed, isUnreachable, messageOf } from '../../../api/failure.ts';
import { settleSent } from './ticketState.ts';

const isField = (thrown: unknown, field: string): boolean => thrown instanceof ApiFailure && thrown.field === field;

/** The price moved further than the order allows since its preview. */
export const isMoved = (thrown: unknown): boolean =>
  thrown instanceof ApiFailure && thrown.code === 'conflict' && isField(thrown, 'expected_price');

/** Nothing was placed with the key. A limit or an ended session comes before the order is read: one sent before may be placed. */
const isRejected = (thrown: unknown, isRepeated: boolean): boolean =>
  thrown instanceof ApiFailure &&
  !isUnconfirmed(thrown) &&
  !(isRepeated && (thrown.status === 401 || thrown.status === 429));

/** The failure says no more than that the order is not confirmed. */
export const isSilent = (thrown: Error): boolean =>
  isUnconfirmed(thrown) && (isUnreachable(thrown) || messageOf(thrown, '') === '');

/**
 * What follows a failed sending.
 * @param isRepeated it was sent before
 * @returns 'again': to be sent as it is now; 'moved': to be checked by its owner; null: neither
 */
export function followUp(key: string, thrown: unknown, isRepeated: boolean): 'again' | 'moved' | null {
  // An order that is not in the ticket any more has no follow-up there.
  if (!isRejected(thrown, isRepeated) || !settleSent(key)) return null;
  // The first sending placed nothing, and its expiry has come since: the order counts from now.
  if (isRepeated && isField(thrown, 'expires_at')) return 'again';
  return isMoved(thrown) ? 'moved' : null;
}
