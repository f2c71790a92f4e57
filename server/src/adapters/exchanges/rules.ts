import type { ExchangeId } from '../../features/market/port.ts';
import type { BudgetLimit } from './budget.ts';

/** Classification of a response before its data are parsed. */
export type Verdict =
  | { kind: 'good' }
  | { kind: 'rateLimited' }
  | { kind: 'symbolUnknown' }
  | { kind: 'refused'; detail: string }
  | { kind: 'broken'; detail: string };

/** What the exchange counted of one budget, other clients at our IP address included. */
export interface Usage {
  budget: string;
  /** In the unit of the budget. */
  used: number;
  /** Epoch ms, our clock: start of the counted span. */
  sinceMs: number;
}

/** When the exchange counted a request: at some moment of this span. */
export interface CountedSpan {
  /** Epoch ms by our clock. */
  nowMs: number;
  /** Epoch ms by the clock of the exchange. */
  fromMs: number;
  toMs: number;
  /** Added to a time of its clock: the earliest that it is by ours. */
  oursMs: number;
}

/** Protocol differences between the exchanges, apart from the data formats. Figures: their public API documentation. */
export interface VenueRules {
  exchange: ExchangeId;
  /** Display name. */
  name: string;
  budgets: Record<string, BudgetLimit>;
  /** The budget that pays for a request, and its cost. */
  cost(path: string, query: URLSearchParams): { budget: string; cost: number };
  /** Classifies a parsed body; the HTTP status was handled already unless the exchange uses it as a message. */
  judge(status: number, body: unknown, path: string, query: URLSearchParams): Verdict;
  /** Usage that a response to `path` states, in its headers or by its error code. */
  usage?(response: { headers: Headers; body: unknown }, path: string, span: CountedSpan): Usage | undefined;
  /** Budget capacities that the exchange states in the response to a path. */
  statedLimits?(path: string, body: unknown): Record<string, number>;
  /** Pause after a rejection without a stated duration. */
  quietMs(status: number): number;
}

/** Our share of each limit: others may share our IP address, and clocks differ. */
export const ownShare = (limit: number): number => Math.floor(limit * 0.8);

/**
 * Added to windows measured in seconds. Exchanges count on arrival: a burst delayed on the way by up to this much still arrives in another
 * window than the next burst. Without it OKX counted 12 fundings in 2 s although we sent 8 per window: the end of one window and the
 * start of the next. Each path is paid from one budget, so budgets never add up.
 */
export const ARRIVAL_SPREAD_MS = 500;

export const readField = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
export const readText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : 'no explanation';
