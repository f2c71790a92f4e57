import type { Delivery, Notifications } from '../../../api/types.ts';

export type ChosenKind = NonNullable<Notifications['webhook']>['kinds'][number];

/** What can be chosen, in the order it is listed. */
export const kindNames: Record<ChosenKind, string> = {
  position_opened: 'Position opened',
  position_closed: 'Position closed',
  scan_finished: 'Scan finished while I was away',
  credits_low: 'Credits running low',
};

export const kindName = (kind: Delivery['kind']): string => (kind === 'test' ? 'Test' : kindNames[kind]);
export const channelNames = { telegram: 'Telegram', webhook: 'Webhook' } as const;

/** What became of a delivery, in a few words. */
export function stateText({ state, attempt_count: attempts, failure }: Delivery): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (state === 'sent') return attempts > 1 ? `Arrived after ${tries}` : 'Arrived';
  if (state === 'failed') return `Not delivered: ${failure ?? 'no reason was given.'}`;
  return attempts === 0 ? 'On its way' : `Waiting after ${tries}: ${failure ?? 'no answer.'}`;
}
