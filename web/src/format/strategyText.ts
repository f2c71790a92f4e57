import { CONTEXT_WEIGHT, type Strategy, type StrategyLevel } from '@sextant/engine-as/abi/strategy.ts';
import { formatPercent } from './number.ts';

const levelText = (level: StrategyLevel): string =>
  level.mode === 'atr' ? `${level.multiple} ATR` : formatPercent(level.fraction);

const oppositeText = { hold: 'is skipped', exit: 'ends a position', reverse: 'turns a position round' };

/** The rules of a strategy, line by line. */
export function rulesText({ intervals, ...strategy }: Strategy): [name: string, value: string][] {
  const [base, ...longer] = intervals;
  const isHalf = longer.every(({ weight }) => weight === CONTEXT_WEIGHT);
  const beside = longer.map(({ interval, weight }) => (isHalf ? interval : `${interval} (weight ${weight})`));
  const { trailing, sizing, breakEvenR, holdingBarsMax, direction } = strategy;
  const distance = trailing.mode === 'atr' ? `${trailing.atrMultiple} ATR` : formatPercent(trailing.callbackFraction);
  return [
    [
      'Intervals',
      beside.length === 0
        ? `${base?.interval ?? ''} alone`
        : `${base?.interval ?? ''}, with ${beside.join(' and ')}${isHalf ? ' at half weight' : ''}`,
    ],
    ['Entry', `score of ${strategy.entryThreshold} or more${direction === 'both' ? '' : `, ${direction} only`}`],
    ['Stop and target', `${levelText(strategy.stop)}, ${levelText(strategy.target)}`],
    ['Trailing stop', trailing.mode === 'off' ? 'off' : `${distance} behind the best price`],
    ['Break-even', breakEvenR === 0 ? 'never' : `after ${breakEvenR} stop distances`],
    ['Opposite signal', oppositeText[strategy.onOpposite]],
    ['Holding time', holdingBarsMax === 0 ? 'no limit' : `at most ${holdingBarsMax} candles`],
    [
      'Size',
      `${sizing.mode === 'risk' ? `${formatPercent(sizing.riskFraction)} of the balance at the stop` : 'fixed'}${sizing.isCompounding ? ', compounding' : ''}`,
    ],
  ];
}

/** A version as it is shown: enough of the hash to tell two apart. */
export const shortVersion = (version: string): string => version.slice(0, 8);
