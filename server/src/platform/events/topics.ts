/**
 * What a signed-in page can be told about. A topic says that something changed; the page then asks again with its own rights,
 * so an event never carries what its reader might not be allowed to see. A new topic is a line here and one in web/src/api/events.ts.
 */
export const topics = [
  'preferences',
  'watchlist',
  'credits',
  'scan',
  'search',
  'positions',
  'session',
  'notifications',
  'payments',
  'arbitrage',
  'vision',
  'news',
  'api',
] as const;
export type Topic = (typeof topics)[number];

/** Small facts beside the topic, e.g. which version is the new one. */
export type EventData = Record<string, string | number | boolean | null>;

export interface EventNotice {
  /** User of the event; null: all users. */
  userId: string | null;
  /** `resync`: something may have been missed, so everything is asked again. */
  topic: Topic | 'resync';
  data: EventData;
}
