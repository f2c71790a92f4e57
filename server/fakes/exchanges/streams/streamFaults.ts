import { z } from 'zod';
import { venueNames } from '../faults.ts';

/** Faults of a stream, from the handshake to wrong content in a well-formed frame. */
export const streamFaults = [
  /** The handshake fails with 429 and Retry-After. */
  'refusedUpgrade',
  /** Subscriptions fail with the venue's error. */
  'rejectedSubscription',
  /** The connection is cut as soon as there is something to send. */
  'drop',
  /** Opens and acknowledges, then sends nothing: no data, no pong. */
  'silence',
  /** A candle topic is acknowledged and sends nothing, until it is subscribed to again. */
  'mutedKlines',
  'slow',
  /** Half JSON and a page of HTML in turn. */
  'garbage',
  /** JSON with objects where text belongs, of a kind that no text can be made of. */
  'strangeJson',
  'duplicate',
  /** Each push of a topic comes after the next one. */
  'outOfOrder',
  /** The venue restarts its sequence: the first messages are sent again after each push, with their old stamps. */
  'sequenceReset',
  /** The venue's own stamps are an hour behind. */
  'staleClock',
  /** No bar is ever marked closed. */
  'unclosedOnly',
  /** Every second closed bar is left out. */
  'skippedBar',
  /** The content belongs to another symbol. */
  'wrongSymbol',
  /** Prices are text, not a number or zero. */
  'badNumbers',
] as const;
export type StreamFaultName = (typeof streamFaults)[number];

/** Body of `POST /__control/stream-faults`. A rule stays until it is removed or has been used `times` times. */
export const StreamFaultRule = z.strictObject({
  fault: z.enum(streamFaults),
  venue: z.enum(venueNames).optional(),
  /** Of `rejectedSubscription`: Binance's error without an envelope, or OKX's error after the acknowledgement. */
  form: z.enum(['bare', 'connectionCount']).optional(),
  /** Of `mutedKlines`: the only symbol, as `XRP`. */
  base: z.string().min(1).max(40).optional(),
  times: z.int().min(1).optional(),
  retryAfterS: z.int().min(0).default(30),
  delayMs: z.int().min(0).max(120_000).default(1500),
});
export type StreamFaultRule = z.infer<typeof StreamFaultRule>;

export interface StreamFaultSwitch {
  add(rule: StreamFaultRule): void;
  clear(): void;
  list(): StreamFaultRule[];
  /** The rule of this name that is on for the venue, counted as used. */
  take(venue: string, fault: StreamFaultName): StreamFaultRule | undefined;
}

export function createStreamFaults(): StreamFaultSwitch {
  let rules: { rule: StreamFaultRule; left: number }[] = [];
  return {
    add: (rule) => rules.push({ rule, left: rule.times ?? Infinity }),
    clear: () => (rules = []),
    list: () => rules.map(({ rule }) => rule),
    take(venue, fault) {
      const match = rules.find(
        ({ rule, left }) => left > 0 && rule.fault === fault && (rule.venue === undefined || rule.venue === venue),
      );
      if (match === undefined) return undefined;
      match.left -= 1;
      return match.rule;
    },
  };
}
