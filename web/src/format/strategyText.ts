import type { RunPart } from '@sextant/engine-as/abi/runParameters.ts';
import { exitNumbers } from '@sextant/engine-as/abi/strategyNumbers.ts';
import { CONTEXT_WEIGHT, type Strategy, type StrategyLevel } from '@sextant/engine-as/abi/strategy.ts';
import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import type { Parameters } from '@sextant/engine-as/abi/registryTypes.ts';
import { decidingParameters, parametersOfVote } from '@sextant/engine-as/abi/voteParameters.ts';
import { formatPercent } from './number.ts';
import { voteName } from './voteName.ts';

export const levelText = (level: StrategyLevel): string =>
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

/** `1h, with 4h at half weight`. Own rules name their intervals where they use them and weigh none. */
function intervalsText({ intervals, rules }: Pick<Strategy, 'intervals' | 'rules'>): string {
  const [base, ...longer] = intervals;
  const name = base?.interval ?? '';
  if (longer.length === 0) return `${name} alone`;
  const isHalf = rules === undefined && longer.every(({ weight }) => weight === CONTEXT_WEIGHT);
  const isBare = isHalf || rules !== undefined;
  const beside = longer.map(({ interval, weight }) => (isBare ? interval : `${interval} (weight ${weight})`));
  return `${name}, with ${beside.join(' and ')}${isHalf ? ' at half weight' : ''}`;
}

function entryText({ rules, entryThreshold, direction }: Strategy): string {
  const entry = rules === undefined ? `score of ${entryThreshold} or more` : 'your rules';
  return direction === 'both' ? entry : `${entry}, ${direction} only`;
}

/** Lines of the numbers that have one. */
const linesOf = (strategy: Strategy, ...parts: RunPart[]): [name: string, value: string][] =>
  exitNumbers(strategy).flatMap(({ row: { exit, line }, value }) =>
    line === undefined || !parts.includes(exit) ? [] : [[line.name, line.text(value)]],
  );

/** The rules of a strategy, line by line. */
export function rulesText(strategy: Strategy): [name: string, value: string][] {
  const { trailing, sizing, rules } = strategy;
  const distance = trailing.mode === 'atr' ? `${trailing.atrMultiple} ATR` : formatPercent(trailing.callbackFraction);
  return [
    ['Intervals', intervalsText(strategy)],
    ['Entry', entryText(strategy)],
    ...(rules === undefined ? [['Vote parameters', parametersText(strategy)] as [string, string]] : []),
    ['Stop and target', `${levelText(strategy.stop)}, ${levelText(strategy.target)}`],
    ['Trailing stop', trailing.mode === 'off' ? 'off' : `${distance} behind the best price`],
    ...linesOf(strategy, 'trailing', 'breakEven'),
    ['Opposite signal', oppositeText[strategy.onOpposite]],
    ...linesOf(strategy, 'time'),
    [
      'Size',
      `${sizing.mode === 'risk' ? `${formatPercent(sizing.riskFraction)} of the balance at the stop` : 'fixed'}${sizing.isCompounding ? ', compounding' : ''}`,
    ],
  ];
}

/** A version as shown: enough of the hash to distinguish two. */
export const shortVersion = (version: string): string => version.slice(0, 8);
