import { z } from 'zod';

/** Faults of the connection or of the whole response, and faults inside a response that looks right. */
export const responseFaults = [
  'rateLimited',
  'banned',
  'bannedUntil',
  'forbidden',
  'regionRefused',
  'serverError',
  'hang',
  'slow',
  'reset',
  'htmlWithOk',
  'halfJson',
  'emptyBody',
  'nullBody',
] as const;
export const payloadFaults = [
  'emptyList',
  'notANumber',
  'text',
  'hugeNumber',
  'outOfOrder',
  'duplicate',
  'gap',
  'negativeVolume',
  'highBelowLow',
  'unclosedBar',
  'futureBar',
  'wrongSymbol',
  'staleClock',
] as const;
/** `emptyRate`, of OKX's fundings only: the newest settlement has no `realizedRate`. */
export const venueFaults = ['emptyRate'] as const;

export type ResponseFault = (typeof responseFaults)[number];
export type PayloadFault = (typeof payloadFaults)[number];
export type VenueFault = (typeof venueFaults)[number];
export type FaultName = ResponseFault | PayloadFault | VenueFault;
/** Those that every exchange has. */
export const faultNames: readonly (ResponseFault | PayloadFault)[] = [...responseFaults, ...payloadFaults];

export const venueNames = ['binance', 'bybit', 'okx'] as const;
export const endpointNames = ['symbols', 'klines', 'mark', 'price', 'book', 'funding', 'positioning', 'other'] as const;
export type EndpointName = (typeof endpointNames)[number];

/** Body of `POST /__control/faults`. A rule stays until it is removed or has been used `times` times. */
export const FaultRule = z.strictObject({
  fault: z.enum([...responseFaults, ...payloadFaults, ...venueFaults]),
  venue: z.enum(venueNames).optional(),
  endpoint: z.enum(endpointNames).optional(),
  times: z.int().min(1).optional(),
  retryAfterS: z.int().min(0).default(30),
  delayMs: z.int().min(0).max(120_000).default(1500),
  /** How Bybit rejects a region: the page in front of it, its own code, or a bare 403. */
  region: z.enum(['page', 'code', 'bare']).optional(),
});
export type FaultRule = z.infer<typeof FaultRule>;

export interface FaultSwitch {
  add(rule: FaultRule): void;
  clear(): void;
  list(): FaultRule[];
  /** The first rule that fits, counted as used. */
  take(venue: string, endpoint: EndpointName): FaultRule | undefined;
}

export function createFaultSwitch(): FaultSwitch {
  let rules: { rule: FaultRule; left: number }[] = [];
  return {
    add: (rule) => rules.push({ rule, left: rule.times ?? Infinity }),
    clear: () => (rules = []),
    list: () => rules.map(({ rule }) => rule),
    take(venue, endpoint) {
      const match = rules.find(
        ({ rule, left }) =>
          left > 0 &&
          (rule.venue === undefined || rule.venue === venue) &&
          (rule.endpoint === undefined || rule.endpoint === endpoint),
      );
      if (match === undefined) return undefined;
      match.left -= 1;
      return match.rule;
    },
  };
}
