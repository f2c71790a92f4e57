import { STATISTIC_DAYS_MIN } from '@sextant/engine-as/abi/backtest.ts';
import { TRADES_MIN, WIN_RATE_TRADES_MIN } from '@sextant/engine-as/abi/optimize.ts';
import type { OptimizeTarget } from '../../protocol/optimize.ts';

const trades = `at least ${TRADES_MIN} closed trades`;
const days = `${trades} and ${STATISTIC_DAYS_MIN} days`;

const conditions: Record<OptimizeTarget, string> = {
  pnl: trades,
  winRate: `at least ${WIN_RATE_TRADES_MIN} closed trades and a profit factor above 1`,
  profitFactor: `${trades} and a loss`,
  expectancy: trades,
  sharpe: days,
  sortino: `${days} with a loss`,
  calmar: `${days} with a drawdown`,
};

/** Conditions for the target to rank a set; the rule itself is in assembly/optimize/target.ts. */
export const conditionOf = (target: OptimizeTarget): string => conditions[target];
