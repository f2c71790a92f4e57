import type { Candle } from '../market/seededMarket.ts';
import type { Listing, VenueId } from '../market/venues.ts';
import type { Wire } from '../wire.ts';

/** One thing a client may subscribe to. */
export type Topic =
  | { name: string; kind: 'candle'; listing: Listing; interval: string }
  /** Pushed every `everyMs`; `first` is sent at once, without waiting for the first round. */
  | { name: string; kind: 'state'; listing?: Listing; everyMs: number; first: Frames; next: Frames };

/** The frames of one push, each an object that becomes one message. */
export type Frames = (wire: Wire, foreign: (listing: Listing) => Listing) => object[];

/** The venue's reaction to one client message. */
export interface Reaction {
  replies: string[];
  subscribe?: Topic[];
  unsubscribe?: string[];
  /** The venue closes the connection. */
  isOffence?: boolean;
}

export interface Session {
  /** The requested path of the handshake. */
  path: string;
  wire: Wire;
  topicCount: number;
  /** Whether a fault rejects subscriptions. */
  isRejecting: boolean;
  /** Another form of that error. */
  rejectionForm?: 'bare' | 'connectionCount' | undefined;
}

/** How one venue's streams look on the wire. */
export interface StreamDialect {
  venue: VenueId;
  paths: readonly string[];
  react: (session: Session, text: string) => Reaction;
  candle: (wire: Wire, topic: Topic & { kind: 'candle' }, shown: Listing, candle: Candle, isClosed: boolean) => object;
  /** Most messages of a client in a second; more ends the connection. */
  messagesPerSecond: number;
  /** The venue sends a ping frame this often; absent when the client has to ping. */
  pingEveryMs?: number;
  /** A connection is cut after this long without a client message. */
  quietMsMax?: number;
}

export function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
