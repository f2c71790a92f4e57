import type { ClockOffset } from '../../../platform/clockOffset.ts';
import type { Outcome } from '../../../platform/errors.ts';
import type { ReadPriority } from '../../../platform/readPriority.ts';
import type { ClosedBar, ExchangeId, FeedHealth, Interval, LiveQuote, Venue, VenueState } from '../port.ts';

/** Messages between the market gateway and the other nodes. All of the gateway carry the epoch of its lease. */

/** Use of one limit of an exchange. */
export interface BudgetUse {
  name: string;
  used: number;
  capacity: number;
}

/** Cost of requests that were sent `ageMs` ago. */
export interface SpentCost {
  ageMs: number;
  cost: number;
}

/** What the next gateway must know so that it does not exceed a limit that this one has used. */
export interface VenueLimits {
  budgets: (BudgetUse & { spent: SpentCost[] })[];
  ban: { leftMs: number; why: 'slowDown' | 'region' } | null;
}

/** An exchange as a node sees it, with what operation shows. */
export interface NodeVenue extends Venue {
  clockOffset: () => ClockOffset | undefined;
  budgets: () => BudgetUse[];
  close: () => Promise<void>;
}

/** An exchange that this process requests itself. */
export interface OwnVenue extends NodeVenue {
  limits: () => VenueLimits;
  /** Counts what another process had used `ageMs` ago, and the ban it got. */
  assume: (limits: VenueLimits, ageMs: number) => void;
}

export interface VenueReport {
  state: VenueState;
  /** To the clock of the gateway. */
  clockOffset: ClockOffset | null;
  limits: VenueLimits;
  health: FeedHealth;
  dataAtMs: { candles: number | null; prices: number | null };
  /** Series whose topic was acknowledged but sends nothing: `BTCUSDT 1m`. */
  silent: string[];
}

export interface Report {
  epoch: number;
  /** Name of the gateway's node. */
  node: string;
  venues: Partial<Record<ExchangeId, VenueReport>>;
}

export interface QuoteMessage {
  epoch: number;
  quote: LiveQuote;
}

export interface BarMessage {
  epoch: number;
  bar: ClosedBar;
}

/** All that one feed of a node needs; repeated regularly, because a new gateway knows none. */
export interface WantMessage {
  feed: string;
  exchange: ExchangeId;
  prices: string[];
  candles: Partial<Record<Interval, string[]>>;
  isClosed: boolean;
}

/** Reads of the port that the gateway does for other nodes. */
export const remoteReads = [
  'symbols',
  'candles',
  'prices',
  'funding',
  'tops',
  'orderBook',
  'tiers',
  'fundingHistory',
  'turnovers',
  'openInterest',
  'openInterestSeries',
  'longShortSeries',
] as const;
export type RemoteRead = (typeof remoteReads)[number];

export interface CallMessage {
  exchange: ExchangeId;
  read: RemoteRead;
  /** The parameter of the read without its signal and callbacks; absent for a read of everything. */
  request?: unknown;
  /** `patienceMs` is null without a limit: JSON has no infinity. */
  priority: Omit<ReadPriority, 'patienceMs'> & { patienceMs: number | null };
}

export interface CallResponse {
  outcome: Outcome<unknown>;
  /** Requests of a history. */
  pageCount: number;
  /** Clock of the gateway, by which its times are. */
  sentAtMs: number;
}

export const callSubject = 'market.call';
export const wantSubject = 'market.want';
export const reportSubject = 'market.report';
export const quoteSubject = (exchange: ExchangeId, symbol: string): string => `market.${exchange}.quote.${symbol}`;
export const barSubject = (exchange: ExchangeId, symbol: string, interval: Interval): string =>
  `market.${exchange}.bar.${symbol}.${interval}`;
export const seriesText = ({ symbol, interval }: { symbol: string; interval: Interval }): string =>
  `${symbol} ${interval}`;

/** A node repeats what it needs this often, and the gateway forgets a node that is silent for `wantLifeMs`. */
export const WANT_MS = 10_000;
export const WANT_LIFE_MS = 35_000;
export const REPORT_MS = 1000;
