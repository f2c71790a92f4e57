/** Events and timing of webhooks, for the server, the pages and the help articles. */

import { manyInWords } from './manyInWords.ts';

/** Events that a webhook can be sent. */
export const webhookEvents = [
  'signal.created',
  'signal.found',
  'position.opened',
  'position.closed',
  'alert.fired',
  'payment.completed',
  'credits.low',
  'plan.expiring',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** Default events of a webhook: without `signal.found`, which repeats `signal.created`. */
export const usualWebhookEvents: readonly WebhookEvent[] = webhookEvents.filter((event) => event !== 'signal.found');

/** Seconds before each attempt of a message after the one before it failed. Standard Webhooks, section "Deliverability". */
export const webhookPausesS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;
/** The sum of all those pauses in whole days, "three days". A target that received nothing for that long is switched off. */
export const WEBHOOK_SPAN_TEXT = manyInWords(
  Math.floor(webhookPausesS.reduce((sum, pauseS) => sum + pauseS, 0) / 86_400),
  'day',
);
const pauseText = (pauseS: number): string =>
  pauseS < 60 ? `${pauseS} s` : pauseS < 3600 ? `${pauseS / 60} min` : `${pauseS / 3600} h`;
/** "5 s, 5 min and 24 h". */
export const webhookPausesText = webhookPausesS
  .map(pauseText)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' and ');
/** Hours for which messages are signed with a replaced key as well as with the new one. */
export const WEBHOOK_OVERLAP_HOURS = 24;
/** Seconds in which a webhook must respond. */
export const WEBHOOK_RESPONSE_S = 10;
