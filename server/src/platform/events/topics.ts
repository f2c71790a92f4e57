/**
 * Topics of which signed-in pages are notified. A topic says that something changed; the page then reloads with its own permissions,
 * so an event never carries data its reader must not see. A new topic needs a line here and one in web/src/data/events.ts.
 */
export const topics = [
  'preferences',
  'watchlist',
  'charts',
  'credits',
  'scan',
  'search',
  'portfolio_search',
  'positions',
  'orders',
  'session',
  'notifications',
  'payments',
  'arbitrage',
  'vision',
  'news',
  'api',
  'alerts',
] as const;
export type Topic = (typeof topics)[number];

/** Small facts beside the topic, e.g. the new version. */
export type EventData = Record<string, string | number | boolean | null>;

export interface EventNotice {
  /** Owner of the event; null: all users. */
  userId: string | null;
  /** `resync`: events may have been missed, so the page reloads everything. */
  topic: Topic | 'resync';
  data: EventData;
}
