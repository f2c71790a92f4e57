import { PORTFOLIO_SYMBOLS_MAX } from '@sextant/engine-as/abi/portfolio.ts';
import { indexFrom } from '../../candles/candleColumns.ts';
import { ok } from '../../core/result.ts';
import type { PortfolioInput, PortfolioLimits } from '../../protocol/portfolio.ts';
import type { StrategyInput } from '../../protocol/strategy.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import { validateStrategyInput } from '../backtestStrategy.ts';
import { check, firstFailure } from '../validateParams.ts';

/** A symbol that takes part, as the input of its own backtest. */
export interface Candidate {
  symbol: string;
  /** Of `symbols` of the input. */
  index: number;
  input: StrategyInput;
}

/** The symbols with a candle from `fromMs` on, by name: the order of exits and of equal scores. */
export function candidatesOf({ strategy, symbols, fromMs = -Infinity }: PortfolioInput): Candidate[] {
  return symbols
    .map(({ symbol, ...market }, index) => {
      const { time } = market.candles;
      return { symbol, index, input: { ...market, strategy, scoredCount: time.length - indexFrom(time, fromMs) } };
    })
    .filter(({ input }) => input.scoredCount > 0)
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

/** Initial equity of the account: the same for every symbol. */
export const initialEquityOf = ({ symbols }: Pick<PortfolioInput, 'symbols'>): number =>
  symbols[0]?.costs.initialEquity ?? Number.NaN;

/** Failure of one symbol, in the names of the portfolio. */
export function inSymbol(result: TaskResult<null>, index: number): TaskResult<never> {
  if (result.ok) throw new Error('a failure is renamed');
  const { code, message, field } = result.error;
  const name = `symbols[${index}]`;
  return fail(
    code,
    `${name}.${message}`,
    field === undefined ? name : field.startsWith('strategy') ? field : `${name}.${field}`,
  );
}

export function validatePortfolio(input: PortfolioInput): TaskResult<null> {
  const { symbols, strategy, limits, fromMs, judge } = input;
  const counted = firstFailure([
    () => check('symbols.length', symbols.length, { min: 1, max: PORTFOLIO_SYMBOLS_MAX }, true),
    () => check('fromMs', fromMs ?? 0, { min: -8.64e15, max: 8.64e15 }),
    () => validateLimits(limits),
    () => check('judge.seed', judge?.seed ?? 0, { min: 0, max: Number.MAX_SAFE_INTEGER }, true),
    () => check('judge.earlierTrialCount', judge?.earlierTrialCount ?? 0, { min: 0, max: 1e12 }, true),
    () => validateNames(symbols.map(({ symbol }) => symbol)),
  ]);
  if (!counted.ok) return counted;
  for (const [k, { symbol: _, ...market }] of symbols.entries()) {
    const count = market.candles.time.length;
    const valid = validateStrategyInput({ ...market, strategy, scoredCount: Math.max(1, count) });
    if (!valid.ok) return inSymbol(valid, k);
  }
  const equity = symbols[0]?.costs.initialEquity;
  const other = symbols.findIndex(({ costs }) => costs.initialEquity !== equity);
  if (other >= 0) {
    const field = `symbols[${other}].costs.initialEquity`;
    return fail('bad_input', `${field} must be ${equity ?? ''} as for the first symbol: there is one account`, field);
  }
  return candidatesOf(input).length > 0
    ? ok(null)
    : fail('too_short', 'no symbol has a candle from fromMs on', 'fromMs');
}

function validateNames(names: readonly string[]): TaskResult<null> {
  const again = names.findIndex((name, k) => names.indexOf(name) < k);
  if (again >= 0) {
    return fail(
      'bad_input',
      `symbols[${again}].symbol ${names[again] ?? ''} is there twice`,
      `symbols[${again}].symbol`,
    );
  }
  const nameless = names.indexOf('');
  return nameless < 0 ? ok(null) : fail('bad_input', 'a symbol needs a name', `symbols[${nameless}].symbol`);
}

export function validateLimits(limits: PortfolioLimits): TaskResult<null> {
  const count = { min: 0, max: 1_000_000 };
  const percent = { min: 0, max: 100 };
  const share = { min: 0, max: 1e6 };
  return firstFailure([
    () => check('limits.positionsMax', limits.positionsMax ?? 0, count, true),
    () => check('limits.openingsMax', limits.openingsMax ?? 0, count, true),
    () => check('limits.dailyLossPct', limits.dailyLossPct ?? 0, percent),
    () => check('limits.stopStreak', limits.stopStreak ?? 0, count, true),
    () => check('limits.cooldownMinutes', limits.cooldownMinutes ?? 0, { min: 0, max: 1e7 }),
    () => check('limits.drawdownPct', limits.drawdownPct ?? 0, percent),
    () => check('limits.grossMaxFraction', limits.grossMaxFraction ?? 0, share),
    () => check('limits.netMaxFraction', limits.netMaxFraction ?? 0, share),
    () => check('limits.stopLossMaxFraction', limits.stopLossMaxFraction ?? 0, share),
  ]);
}
