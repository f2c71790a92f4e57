import type { FeedHealth } from './port.ts';

/** Health of a feed without a connection. */
export const noStream: FeedHealth = {
  connectionCount: 0,
  openCount: 0,
  connectCount: 0,
  unreadableCount: 0,
  rejectedBarCount: 0,
  messageAtMs: null,
  silentTopics: [],
};
