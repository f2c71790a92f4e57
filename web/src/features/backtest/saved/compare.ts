import type { SavedRun } from '../../../api/types.ts';
import { formatCount, formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import { voteDefinition } from '../setup/definitions.ts';

export interface CompareRow {
  name: string;
  left: string;
  right: string;
  isDifferent: boolean;
}

type Read = (run: SavedRun) => string;
const figure =
  (key: string, format: (value: number) => string): Read =>
  ({ best }) => {
    const value = best[key];
    return typeof value === 'number' ? format(value) : 'not enough data';
  };
const two = (value: number) => formatFixed(value, 2);

const figures: [string, Read][] = [
  ['Net PnL, USDT', figure('pnl', (value) => formatMoney(value, true))],
  ['Win rate', figure('winRate', (value) => formatPercent(value))],
  ['Trades', figure('trades', formatCount)],
  ['Max drawdown', figure('maxDrawdown', (value) => formatPercent(value))],
  ['Profit factor', figure('profitFactor', two)],
  ['Expectancy, USDT', figure('expectancy', (value) => formatMoney(value, true))],
  ['Sharpe ratio', figure('sharpe', two)],
  ['Sortino ratio', figure('sortino', two)],
  ['Fees, USDT', figure('fees', (value) => formatMoney(value))],
  ['Exposure', figure('exposureFraction', (value) => formatPercent(value))],
  ['Buy and hold', figure('buyAndHoldFraction', (value) => formatPercent(value, true))],
];

const settings: [string, Read][] = [
  ['Candles', ({ symbol, interval, setup }) => `${symbol === 'CSV' ? setup.label : symbol} ${interval}`],
  ['Scored', ({ setup }) => `${formatCount(setup.scored)} of ${formatCount(setup.loaded)}`],
  ['Entry threshold', ({ params }) => two(params.entryThreshold)],
  ['Stop loss', ({ params }) => formatPercent(params.slPct)],
  ['Take profit', ({ params }) => formatPercent(params.tpPct)],
  ['Trailing', ({ params: { trailing } }) => (trailing.enabled ? formatPercent(trailing.callbackPct) : 'off')],
  ['Taker fee', ({ setup }) => formatPercent(setup.costs.takerFeeFraction)],
  ['Slippage', ({ setup }) => formatPercent(setup.costs.slippageFraction)],
  ['Leverage', ({ setup }) => `${formatCount(setup.costs.leverage)}x`],
];

const rowOf = (left: SavedRun, right: SavedRun, [name, read]: [string, Read]): CompareRow => {
  const [a, b] = [read(left), read(right)];
  return { name, left: a, right: b, isDifferent: a !== b };
};

/** Figures first, then the settings, then only those weights in which the two differ. */
export function compareRows(left: SavedRun, right: SavedRun): { figures: CompareRow[]; settings: CompareRow[] } {
  const weights = Object.keys(left.params.weights).map((id): [string, Read] => [
    `${voteDefinition(id as Parameters<typeof voteDefinition>[0]).name} weight`,
    ({ params }) => formatFixed(params.weights[id as keyof typeof params.weights], 1),
  ]);
  return {
    figures: figures.map((each) => rowOf(left, right, each)),
    settings: [
      ...settings.map((each) => rowOf(left, right, each)),
      ...weights.map((each) => rowOf(left, right, each)).filter((row) => row.isDifferent),
    ],
  };
}

/** Why two results must not be compared as if only the parameters differed; null when they may. */
export function comparability(left: SavedRun, right: SavedRun): string | null {
  if (left.hashes.engine !== right.hashes.engine) return 'Two versions of the engine: the results are not comparable.';
  if (left.hashes.data !== right.hashes.data) return 'Not the same candles: part of the difference is the market.';
  return null;
}
