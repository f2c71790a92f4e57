import { STATISTIC_DAYS_MIN } from './backtest.ts';
import * as abi from './optimize.ts';

const trades = `at least ${abi.TRADES_MIN} closed trades`;
const days = `${trades} and ${STATISTIC_DAYS_MIN} days`;

interface SearchTarget {
  code: number;
  /** As screens name it. */
  name: string;
  /** Condition for a set to be ranked, as screens say it; the rule is in assembly/optimize/target.ts. */
  condition: string;
}

/**
 * Targets of a search, each declared once, in the order of the form. A new one needs an entry here, its code in optimize.ts and its value
 * in assembly/optimize/target.ts. Not compiled to WASM.
 */
export const searchTargets = {
  pnl: { code: abi.TARGET_PNL, name: 'PnL', condition: trades },
  winRate: {
    code: abi.TARGET_WIN_RATE,
    name: 'Win rate',
    condition: `at least ${abi.WIN_RATE_TRADES_MIN} closed trades and a profit factor above 1`,
  },
  sharpe: { code: abi.TARGET_SHARPE, name: 'Sharpe ratio', condition: days },
  sortino: { code: abi.TARGET_SORTINO, name: 'Sortino ratio', condition: `${days} with a loss` },
  calmar: { code: abi.TARGET_CALMAR, name: 'Calmar ratio', condition: `${days} with a drawdown` },
  profitFactor: { code: abi.TARGET_PROFIT_FACTOR, name: 'Profit factor', condition: `${trades} and a loss` },
  expectancy: { code: abi.TARGET_EXPECTANCY, name: 'Expectancy', condition: trades },
} as const satisfies Record<string, SearchTarget>;
