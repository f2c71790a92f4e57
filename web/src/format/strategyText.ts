import { CONTEXT_WEIGHT, type Strategy, type StrategyLevel } from '@sextant/engine-as/abi/strategy.ts';
import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import type { Parameters } from '@sextant/engine-as/abi/registryTypes.ts';
import { decidingParameters, parametersOfVote } from '@sextant/engine-as/abi/voteParameters.ts';
import { formatPercent } from './number.ts';
import { voteName } from './voteName.ts';

const levelText = (level: StrategyLevel): string =>
  level.mode === 'atr' ? `${level.multiple} ATR` : formatPercent(level.fraction);

/** `14, 30/70`: the lookbacks of a vote, then its thresholds. */
export function voteParametersText(id: string, values: Parameters): string {
  const vote = voteRegistry.find((each) => each.id === id);
  const texts = (isLevel: boolean): string[] =>
    (vote?.parameters ?? [])
      .filter((each) => each.isLevel === isLevel)
      // A VWAP period of 0 candles means the day.
      .map(({ name, isInteger }) => (isInteger && values[name] === 0 ? 'since midnight' : String(values[name])));
  return [texts(false).join(', '), texts(true).join('/')].filter((part) => part !== '').join(', ');
}

/** The votes with non-default parameters. */
function parametersText(strategy: Pick<Strategy, 'weights' | 'parameters'>): string {
  const deciding = decidingParameters(strategy) ?? {};
  const texts = voteRegistry
    .filter(({ id }) => deciding[id] !== undefined)
    .map((vote) => `${voteName(vote.id)} ${voteParametersText(vote.id, parametersOfVote(vote, deciding))}`);
  return texts.length === 0 ? 'defaults' : texts.join('; ');
}

const oppositeText = { hold: 'is skipped', exit: 'ends a position', reverse: 'reverses a position' };

/** What decides: votes, or own rules, whose longer intervals have no weights. */
function decidingRows(strategy: Strategy): [name: string, value: string][] {
  const { direction, rules } = strategy;
  const [base, ...longer] = strategy.intervals;
  const isOwn = rules !== undefined;
  const isHalf = longer.every(({ weight }) => weight === CONTEXT_WEIGHT);
  const beside = longer.map(({ interval, weight }) => (isHalf || isOwn ? interval : `${interval} (weight ${weight})`));
  const loudness = isHalf && !isOwn ? ' at half weight' : '';
  const side = direction === 'both' ? '' : `, ${direction} only`;
  return [
    [
      'Intervals',
      beside.length === 0
        ? `${base?.interval ?? ''} alone`
        : `${base?.interval ?? ''}, with ${beside.join(' and ')}${loudness}`,
    ],
    ['Entry', `${isOwn ? 'your rules' : `score of ${strategy.entryThreshold} or more`}${side}`],
    ...(isOwn ? [] : [['Vote parameters', parametersText(strategy)] as [string, string]]),
  ];
}

/** The rules of a strategy, line by line. */
export function rulesText(strategy: Strategy): [name: string, value: string][] {
  const { trailing, sizing, breakEvenR, holdingBarsMax } = strategy;
  const distance = trailing.mode === 'atr' ? `${trailing.atrMultiple} ATR` : formatPercent(trailing.callbackFraction);
  return [
    ...decidingRows(strategy),
    ['Stop and target', `${levelText(strategy.stop)}, ${levelText(strategy.target)}`],
    ['Trailing stop', trailing.mode === 'off' ? 'off' : `${distance} behind the best price`],
    ['Break-even', breakEvenR === 0 ? 'never' : `after ${breakEvenR}R profit`],
    ['Opposite signal', oppositeText[strategy.onOpposite]],
    ['Holding time', holdingBarsMax === 0 ? 'no limit' : `at most ${holdingBarsMax} candles`],
    [
      'Size',
      `${sizing.mode === 'risk' ? `${formatPercent(sizing.riskFraction)} of the balance at the stop` : 'fixed'}${sizing.isCompounding ? ', compounding' : ''}`,
    ],
  ];
}

/** A version as shown: enough of the hash to distinguish two. */
export const shortVersion = (version: string): string => version.slice(0, 8);
