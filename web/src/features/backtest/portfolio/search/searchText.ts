import { searchTargets } from '@sextant/engine-as/abi/searchTargets.ts';
import { type PortfolioRangeName, type PortfolioTarget } from '@sextant/workers/src/protocol/portfolioSearch.ts';
import type { PortfolioSearch } from '../../../../api/types.ts';
import { formatCount, formatFixed, formatMoney, formatPercent, NO_VALUE, signTone } from '../../../../format/number.ts';
import { levelText } from '../../../../format/strategyText.ts';
import { formatUtc } from '../../../../format/time.ts';
import type { PortfolioLevels } from '../portfolioState.ts';

/** Words and rows of a search over one account. */

export const rangeNames: Record<PortfolioRangeName, string> = {
  entryThreshold: 'Entry threshold',
  stopFactor: 'Stop, × yours',
  targetFactor: 'Target, × yours',
  positionsMax: 'Open positions',
  openingsMax: 'Openings in one candle',
};

export const targetName = (target: PortfolioTarget): string => searchTargets[target].name;

type SetResult = PortfolioSearch['own'];
export type Summary = SetResult['train'];

/** `threshold 0.32, stop 2.4 ATR, target 3 ATR`, or the values of own rules: `fast 12, slow 40`. */
export function levelsText({ entryThreshold, stop, target, values = {} }: Readonly<PortfolioLevels>): string {
  return [
    ...Object.entries(values).map(([name, value]) => `${name} ${value}`),
    ...(entryThreshold === undefined ? [] : [`threshold ${formatFixed(entryThreshold, 2)}`]),
    ...(stop === undefined ? [] : [`stop ${levelText(stop)}`]),
    ...(target === undefined ? [] : [`target ${levelText(target)}`]),
  ].join(', ');
}

/** Every value of a set; the account as it is has none. */
export function setText({ index, set, limits: { positionsMax, openingsMax } }: Readonly<SetResult>): string {
  if (index === 0) return 'Your account as it is';
  const levels = levelsText(set);
  const parts = [
    ...(levels === '' ? [] : [levels]),
    ...(positionsMax === undefined ? [] : [`${formatCount(positionsMax)} open at most`]),
    ...(openingsMax === undefined ? [] : [`${formatCount(openingsMax)} a candle`]),
  ].join(', ');
  // Names of parameters are written as in the text.
  return set.values === undefined ? parts.charAt(0).toUpperCase() + parts.slice(1) : parts;
}

/** The figures of a set on one of the two spans, costs included. */
export const figureRows: readonly {
  name: string;
  format: (summary: Summary) => string;
  /** Class of a gain or a loss, where the sign of the figure is one. */
  toneOf?: (summary: Summary) => string;
}[] = [
  {
    name: 'Net PnL, USDT',
    format: ({ netPnl }) => formatMoney(netPnl, true),
    toneOf: ({ netPnl }) => signTone(netPnl),
  },
  { name: 'Max drawdown', format: ({ maxDrawdownFraction }) => formatPercent(maxDrawdownFraction) },
  { name: 'Trades', format: ({ tradeCount }) => formatCount(tradeCount) },
  { name: 'Win rate', format: ({ winRate }) => (winRate === null ? NO_VALUE : formatPercent(winRate)) },
  { name: 'Profit factor', format: ({ profitFactor }) => formatFixed(profitFactor, 2) },
  { name: 'Sharpe', format: ({ sharpe }) => formatFixed(sharpe.value, 2) },
  { name: 'Fees, USDT', format: ({ fees }) => formatMoney(fees) },
  { name: 'Fundings, USDT', format: ({ funding }) => formatMoney(-funding, true) },
  { name: 'Slippage, USDT', format: ({ slippage }) => formatMoney(slippage) },
];

/** `840 candles from 2026-05-01 00:00`. */
export const spanText = ({ from, candles }: PortfolioSearch['train']): string =>
  `${formatCount(candles)} candles from ${formatUtc(from)}`;

/** The figures that say how much luck a choice among so many sets has in it, in the order of reading. */
const headIds = ['luckCeiling', 'deflatedSharpe', 'overfitting', 'holdout'];

export function headFigures(honesty: PortfolioSearch['honesty']): { id: string; name: string; words: string }[] {
  const figures = honesty?.figures ?? [];
  return headIds.flatMap((id) => {
    const match = figures.find((each) => each.id === id);
    return match === undefined ? [] : [{ id, name: match.name, words: match.words }];
  });
}
