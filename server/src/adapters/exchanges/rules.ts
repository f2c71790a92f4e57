import type { ExchangeId } from '../../features/market/port.ts';
import type { BudgetLimit } from './budget.ts';

/** Classification of a response before its data are parsed. */
export type Verdict =
  | { kind: 'good' }
  | { kind: 'rateLimited' }
  | { kind: 'symbolUnknown' }
  | { kind: 'refused'; detail: string }
  | { kind: 'broken'; detail: string };

/** Wire differences between the exchanges, apart from the data. Figures: their public API documentation. */
export interface VenueRules {
  exchange: ExchangeId;
  /** As a person writes it. */
  name: string;
  budgets: Record<string, BudgetLimit>;
  /** The budget a request is paid from, and what it costs there. */
  cost(path: string, query: URLSearchParams): { budget: string; cost: number };
  /** Judges a parsed body; the HTTP status has been dealt with unless it is the exchange's way to say something. */
  judge(status: number, body: unknown, path: string, query: URLSearchParams): Verdict;
  /** Cost spent in the running minute as the exchange counts it, from its answer's headers. */
  usedThisMinute?(headers: Headers): number | undefined;
  /** Capacities of budgets as the exchange itself states them in the response to a path. */
  statedLimits?(path: string, body: unknown): Record<string, number>;
  /** How long to stay away when it says no without saying how long. */
  quietMs(status: number): number;
}

/** Part of each limit we allow ourselves: others may share our address, and clocks differ. */
export const ownShare = (limit: number): number => Math.floor(limit * 0.8);

/**
 * Added to the windows of seconds. A limit is counted where requests arrive: a burst that was held up on the way by as long as this still
 * arrives in another window than the next burst. Without it OKX counted 12 fundings in 2 s where 8 were sent in each: the end of one window
 * and the start of the next. One path is paid from one budget, so no two budgets add up.
 */
export const ARRIVAL_SPREAD_MS = 500;

export const readField = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
export const readText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : 'no explanation';
