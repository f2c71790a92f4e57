/** One message between nodes. */
export interface BusMessage {
  /** Tokens separated by dots: `market.binance.quote.BTCUSDT`. */
  subject: string;
  /** JSON text: one line without line breaks. */
  body: string;
}

export interface BusSubscriber {
  onMessage: (message: BusMessage) => void;
  /** Messages may have been lost: called once the bus delivers again. */
  onGap?: () => void;
}

/**
 * Messages between the nodes of one installation, each at most once. A subscriber gets the messages of one publisher in their order,
 * and learns of each gap.
 */
export interface Bus {
  /** Connects; otherwise the first subscription or message does. */
  start: () => void;
  /** Sends soon, to the subscribers of all nodes including this one. Messages are dropped while the bus is down. */
  publish: (messages: readonly BusMessage[]) => void;
  /**
   * @param pattern a subject, or the start of subjects: `market.binance.>`. At least two tokens, the events excepted
   * @returns unsubscribes
   */
  subscribe: (pattern: string, subscriber: BusSubscriber) => () => void;
  isUp: () => boolean;
  /** Milliseconds from sending a message to receiving it on this node; undefined before the first one was measured and while it is down. */
  lagMs: () => number | undefined;
  /** Whether all subscriptions so far are active, waiting up to `waitMs` for it. */
  isReady: (waitMs: number) => Promise<boolean>;
  close: () => Promise<void>;
}

const TAIL = '.>';

/** The start that a pattern with a tail matches, with its last dot; undefined for an exact subject. */
export const prefixOf = (pattern: string): string | undefined =>
  pattern.endsWith(TAIL) ? pattern.slice(0, -1) : undefined;
