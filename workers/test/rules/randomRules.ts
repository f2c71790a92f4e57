import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { indicatorEntry, indicatorIds } from '@sextant/engine-as/abi/registry.ts';
import { sourceIndicators } from '../../src/rules/vocabulary.ts';

/** A text of the language by dice: always valid on 15m candles, small enough for every bound. */
export function randomRules(random: () => number): string {
  const dice: Dice = { random, names: [], conditions: [], parameters: [], inFrame: false };
  const lines: string[] = [];
  for (let k = below(dice, 3); k > 0; k--) lines.push(parameterLine(dice));
  for (let k = below(dice, 3); k > 0; k--) lines.push(valueLine(dice));
  const long = random() < 0.8;
  if (long) lines.push(`long when ${condition(dice, 3)}`);
  if (!long || random() < 0.6) lines.push(`short when ${condition(dice, 3)}`);
  if (random() < 0.4) lines.push(`exit long when ${condition(dice, 2)}`);
  if (random() < 0.3) lines.push(`exit short when ${condition(dice, 2)}`);
  for (const line of exitLines) if (random() < 0.2) lines.push(line);
  return lines.join(random() < 0.5 ? '\n' : '; ');
}

const exitLines = [
  'stop 2 * atr(14)',
  'target 3R',
  'trail 1 % step 0.25 % after 1 %',
  'break even after 1R',
  'hold 24',
  'on opposite reverse',
  'risk 0.5 %',
];

interface Dice {
  random: () => number;
  /** Named columns; those of the base only are left out of a longer interval. */
  names: { name: string; isBaseOnly: boolean }[];
  conditions: { name: string; isBaseOnly: boolean }[];
  /** Whole numbers from 2 to 30. */
  parameters: string[];
  inFrame: boolean;
}

const below = ({ random }: Dice, count: number): number => Math.floor(random() * count);
const pick = <T>(dice: Dice, list: readonly T[]): T => list[below(dice, list.length)]!;

function parameterLine(dice: Dice): string {
  const name = `p${dice.parameters.length + 1}`;
  dice.parameters.push(name);
  const value = 2 + below(dice, 20);
  return dice.random() < 0.7 ? `${name} = ${value} [2..30 step ${1 + below(dice, 3)}]` : `${name} = ${value}`;
}

function valueLine(dice: Dice): string {
  const isCondition = dice.random() < 0.3;
  const list = isCondition ? dice.conditions : dice.names;
  const text = isCondition ? condition(dice, 2) : number(dice, 2);
  const name = `${isCondition ? 'c' : 'v'}${list.length + 1}`;
  const isBaseOnly =
    /mark|funding|news|\d[mhd]\(/.test(text) ||
    [...dice.names, ...dice.conditions].some((one) => one.isBaseOnly && new RegExp(`\\b${one.name}\\b`).test(text));
  list.push({ name, isBaseOnly });
  return `${name} = ${text}`;
}

const usable = (dice: Dice, list: Dice['names']): string[] =>
  list.flatMap(({ name, isBaseOnly }) => (dice.inFrame && isBaseOnly ? [] : [name]));

function period(dice: Dice, least = 1): string {
  if (dice.parameters.length > 0 && dice.random() < 0.3) return pick(dice, dice.parameters);
  return `${Math.max(least, 1 + below(dice, 20))}`;
}

function condition(dice: Dice, depth: number): string {
  const names = usable(dice, dice.conditions);
  if (names.length > 0 && dice.random() < 0.15) return pick(dice, names);
  const kind = depth <= 0 ? below(dice, 4) : below(dice, 13);
  if (kind < 3)
    return `${number(dice, depth - 1)} ${pick(dice, ['<', '<=', '>', '>=', '==', '!='])} ${number(dice, depth - 1)}`;
  if (kind === 3) return pick(dice, ['hour in 8..20', 'weekday in 0..4', `rsi(${period(dice)}) in 30..70`]);
  if (kind < 6) return `(${condition(dice, depth - 1)}) and (${condition(dice, depth - 1)})`;
  if (kind === 6) return `(${condition(dice, depth - 1)}) or (${condition(dice, depth - 1)})`;
  if (kind === 7) return `not (${condition(dice, depth - 1)})`;
  if (kind === 8)
    return `${pick(dice, ['crossover', 'crossunder'])}(${number(dice, depth - 1)}, ${number(dice, depth - 1)})`;
  if (kind === 9) return `${pick(dice, ['rising', 'falling'])}(${number(dice, depth - 1)}, ${period(dice)})`;
  if (kind === 10) return `(${condition(dice, depth - 1)})[${below(dice, 4)}]`;
  if (kind === 11) return `nz(${condition(dice, depth - 1)})`;
  return longer(dice, () => condition(dice, depth - 1));
}

function longer(dice: Dice, inside: () => string): string {
  if (dice.inFrame) return inside();
  dice.inFrame = true;
  const text = `${pick(dice, intervals.slice(3))}(${inside()})`;
  dice.inFrame = false;
  return text;
}

const prices = ['open', 'high', 'low', 'close', 'volume', 'hl2', 'hlc3', 'ohlc4', 'hour', 'weekday'];
const onBase = ['mark', 'funding', 'funding_in', 'news'];

function number(dice: Dice, depth: number): string {
  const names = [...usable(dice, dice.names), ...dice.parameters];
  if (names.length > 0 && dice.random() < 0.15) return pick(dice, names);
  const kind = depth <= 0 ? below(dice, 4) : below(dice, 14);
  const inner = (): string => number(dice, depth - 1);
  if (kind < 2) return !dice.inFrame && dice.random() < 0.2 ? pick(dice, onBase) : pick(dice, prices);
  if (kind === 2) return pick(dice, ['0', '1', '-2.5', '30', '70', '0.001', '100']);
  if (kind < 6) return indicatorText(dice, depth);
  if (kind === 6) return `(${inner()} ${pick(dice, ['+', '-', '*'])} ${inner()})`;
  if (kind === 7) return `${inner()} / (${indicatorText(dice, 0)} - close)`;
  if (kind === 8) return `(${inner()})[${below(dice, 5)}]`;
  if (kind === 9)
    return `${pick(dice, ['highest', 'lowest', 'sum', 'mean', 'stdev', 'percentrank', 'change'])}(${inner()}, ${period(dice)})`;
  if (kind === 10) return `${pick(dice, ['abs', 'floor', 'ceil', 'round', 'sign', 'sqrt'])}(${inner()} - close)`;
  if (kind === 11) return `${pick(dice, ['min', 'max', 'nz'])}(${inner()}, ${prices[below(dice, 4)]})`;
  return [() => event(dice, depth), () => longer(dice, inner)][kind - 12]!();
}

function event(dice: Dice, depth: number): string {
  const inner = (): string => number(dice, depth - 1);
  const happens = condition(dice, depth - 1);
  const kind = below(dice, 3);
  if (kind === 0) return `barssince(${happens})`;
  return kind === 1 ? `valuewhen(${happens}, ${inner()}, ${below(dice, 3)})` : `if(${happens}, ${inner()}, ${inner()})`;
}

function indicatorText(dice: Dice, depth: number): string {
  const id = pick(dice, indicatorIds);
  const entry = indicatorEntry(id)!;
  const parameters = entry.parameters.map(({ name, isInteger, min }) => {
    // Fast below slow in every set of a search.
    if (id === 'macd') return { fast: '5', slow: `${31 + below(dice, 9)}`, signal: period(dice) }[name] ?? '9';
    return isInteger ? period(dice, min) : `${1 + below(dice, 5)}.5`;
  });
  const takesSource = sourceIndicators.has(entry.alias?.of ?? id);
  const source = takesSource && dice.random() < 0.4 ? [depth > 0 ? `(${number(dice, depth - 1)}) + close` : 'hl2'] : [];
  const all = [...source, ...(dice.random() < 0.2 ? [] : parameters)];
  const output = dice.random() < 0.5 && entry.alias === undefined ? `.${pick(dice, entry.outputs).name}` : '';
  return `${id}(${all.join(', ')})${output}`;
}
