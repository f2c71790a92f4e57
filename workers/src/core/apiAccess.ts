/** Plans, scopes and keys of the API, for the server that enforces them and the pages that show them. */

import { manyInWords } from './manyInWords.ts';

export interface ApiPlan {
  name: 'FREE' | 'STARTER' | 'PRO' | 'BUSINESS';
  hourlyLimit: number;
  /** Credits for `PLAN_DAYS`; 0 is the plan everyone has. */
  priceCredits: number;
}
export type ApiPlanName = ApiPlan['name'];

/** In ascending order. The first is the plan of accounts that bought none. */
export const apiPlans = [
  { name: 'FREE', hourlyLimit: 60, priceCredits: 0 },
  { name: 'STARTER', hourlyLimit: 120, priceCredits: 100 },
  { name: 'PRO', hourlyLimit: 600, priceCredits: 350 },
  { name: 'BUSINESS', hourlyLimit: 2400, priceCredits: 1000 },
] as const satisfies readonly ApiPlan[];

/** Days that a purchase of a plan lasts; it does not renew automatically. */
export const PLAN_DAYS = 30;
/** Days before the end of a plan at which a notice is sent. */
export const PLAN_NOTICE_DAYS = 3;
export const PLAN_NOTICE_TEXT = manyInWords(PLAN_NOTICE_DAYS, 'day');

/** Scopes of API keys. A key with an empty list has those that only read. */
export const apiScopes = {
  'read:market': 'Prices, candles, funding rates and indicators',
  'read:signals': 'Signals, scans and their outcomes',
  'run:signals': 'Start scans, which cost credits, and AI checks',
  'run:arbitrage': 'Compare exchanges; a scan with results costs a credit',
  'run:backtest': 'Run backtests and read their results',
  'read:account': 'Credits, positions, settings, plan and usage',
  'trade:paper': 'Place and change simulated orders, manage simulated positions',
  'manage:webhooks': 'Set up, test and resend webhook messages',
} as const;
export type ApiScope = keyof typeof apiScopes;
export const apiScopeNames = Object.keys(apiScopes) as ApiScope[];

/** Scopes of a key without its own list. */
export const defaultScopes: readonly ApiScope[] = apiScopeNames.filter((scope) => scope.startsWith('read:'));

/** Calls shown at once in the list of recent calls. */
export const CALLS_SHOWN = 20;
/** Days that calls are stored. */
export const CALL_RETENTION_DAYS = 30;

/** A live key reads the account and the market; a test key reads the sandbox: a frozen market and an account without history. */
export const keyModes = ['live', 'test'] as const;
export type KeyMode = (typeof keyModes)[number];
/** Calls per hour of all test keys of an account, on any plan. */
export const TEST_HOURLY_LIMIT = 600;
/** Epoch ms at which the clock of a sandbox starts. It stands still until a test key moves it. */
export const SANDBOX_MS = Date.UTC(2026, 5, 1, 12, 0, 0);
/** Days that test keys can move the clock of their sandbox. */
export const SANDBOX_DAYS = 35;
