import type { ExchangeId, Interval } from '../../../features/market/port.ts';
import type { RawQuote } from '../restDialect.ts';

/** A subscription: its websocket path and its argument in a request. */
export interface StreamTopic {
  /** Unique within the exchange. */
  key: string;
  /** Path of the websocket that serves it. */
  path: string;
  arg: unknown;
  /** The exchange sends something on the topic at least this often, ms. */
  silentMs: number;
}

/** An unchecked part of a quote from a frame; an absent field is unchanged or sent by another channel. */
export interface RawPart extends RawQuote {
  fundingRate?: unknown;
  nextFundingAtMs?: unknown;
  fundingIntervalHours?: unknown;
  /** Absent fields keep the values sent before on the same connection. */
  isDelta?: boolean;
}

export interface RawBar {
  id: string;
  interval: Interval;
  /** Open time ms, open, high, low, close, volume in coins; numbers still text. */
  cells: readonly unknown[];
  /** As the exchange states it, never inferred. */
  isClosed: boolean;
  /** The exchange's timestamp of the frame, if any. */
  atMs: unknown;
}

/** Running candles are pushed with each trade, and at their close at the latest. */
export const candleSilentMs = 90_000;

/** Content of one message; `topic` is the key of its topic. `other` is an acknowledgement or a pong. */
export type StreamMessage =
  | { kind: 'bars'; bars: RawBar[]; topic: string }
  | { kind: 'parts'; parts: RawPart[]; topic: string }
  | { kind: 'refused'; detail: string }
  | { kind: 'other' }
  | { kind: 'unreadable' };

/** Protocol of one exchange's public streams. Figures: its public API documentation. */
export interface StreamDialect {
  exchange: ExchangeId;
  liveOrigin: string;
  /** Topics that together carry last, bid, ask, mark and funding of these ids. */
  priceTopics: (ids: readonly string[]) => StreamTopic[];
  candleTopic: (id: string, interval: Interval) => StreamTopic;
  request: (op: 'subscribe' | 'unsubscribe', topics: readonly StreamTopic[], requestId: number) => string;
  read: (text: string) => StreamMessage;
  /** Text of the client's ping; a ping frame where absent. */
  ping?: string;
  topicsPerRequest: number;
  topicsPerConnection: number;
  /** Pause between two requests on one connection. */
  requestEveryMs: number;
  /** New connections per IP address, 80 % of the allowed number. */
  connects: { capacity: number; windowMs: number };
}

export type Fields = Record<string, unknown>;
export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
export const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.map(fieldsOf).filter((each) => each !== undefined) : [];

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Intervals by the exchange's name for them. */
export const byName = (names: Record<Interval, string>): Map<string, Interval> =>
  new Map((Object.entries(names) as [Interval, string][]).map(([interval, name]) => [name, interval]));
