import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { metricById as define } from '@sextant/engine-as/abi/metrics.ts';
import { type ClassicParameterRow, classicRows } from '@sextant/engine-as/abi/runParameters.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { classicAsRules } from '@sextant/workers/src/signals/classicRules.ts';
import { paramsFromWire } from '@sextant/workers/src/protocol/wire/strategyParams.ts';
import type { SavedRun } from '../../../api/types.ts';
import { formatCount, formatFixed, formatMoney, formatPercent, NO_VALUE } from '../../../format/number.ts';
import { rulesText } from '../../../format/strategyText.ts';
import { formatUtc } from '../../../format/time.ts';
import { voteName } from '../../../format/voteName.ts';
import { fractionFields, plainFields } from '../costs.ts';
import {
  type Basis,
  figureEntries,
  type FigureEntry,
  type FigureGroup,
  figureGroups,
  figureNumber,
  type RatedDefinition,
  reasonWithout,
  restsOn,
} from '../results/allFigures.ts';
import { sentNumber } from '../params.ts';
import { fundingName, sameBarName } from '../results/assumptions.ts';
import { orderSizeName } from '../results/liquidityWords.ts';
import {
  type ComparedRun,
  type CompareRow,
  isPortfolio,
  isSingle,
  type Line,
  percent,
  portfolioLines,
  rowOf,
  type Value,
} from './compareRow.ts';
import { portfolioCautions } from './pinnedPortfolios.ts';

interface Look extends Pick<Line, 'format' | 'absent'> {
  unit?: string;
}

const figure = (definition: RatedDefinition, key: string, { unit, ...look }: Look): Line => ({
  name: unit === undefined ? definition.name : `${definition.name}, ${unit}`,
  definition,
  absent: 'not enough data',
  read: ({ best }) => best[key],
  ...look,
});

const two: Look = { format: (value) => formatFixed(value, 2) };
const gain: Look = { unit: 'USDT', format: (value) => formatMoney(value, true) };
const share: Look = { format: percent.format };

/** Figures that are always shown. */
const figures: readonly Line[] = [
  figure(define.netPnl, 'pnl', gain),
  figure(define.winRate, 'winRate', { ...share, absent: 'no trade' }),
  figure(define.trades, 'trades', { format: formatCount }),
  figure(define.maxDrawdown, 'maxDrawdown', share),
  figure(define.profitFactor, 'profitFactor', {
    ...two,
    absent: ({ best }) => (best['trades'] === 0 ? 'no trade' : 'no losing trade'),
  }),
  figure(define.expectancy, 'expectancy', { ...gain, absent: 'no trade' }),
  figure(define.sharpe, 'sharpe', two),
  figure(define.sortino, 'sortino', two),
  figure(define.fees, 'fees', { unit: 'USDT', format: (value) => formatMoney(value) }),
  figure(define.exposure, 'exposureFraction', share),
  figure(define.buyAndHold, 'buyAndHoldFraction', { format: (value) => formatPercent(value, true) }),
];

const headFigures = (runs: readonly ComparedRun[]): CompareRow[] => figures.map((line) => rowOf(runs, line));

/** The sample size behind the figures of a saved run; null for a run saved before it was counted. */
function basisOf({ best }: SavedRun): Basis | null {
  const { dayCount, tradeCount, ruinIndex } = best;
  if (typeof dayCount !== 'number' || typeof tradeCount !== 'number') return null;
  return { dayCount, tradeCount, ruinIndex: typeof ruinIndex === 'number' ? ruinIndex : null };
}

const unitNames: Partial<Record<string, string>> = { USDT: 'USDT', candle: 'candles' };

const nameOf = ({ name, unit }: FigureEntry): string =>
  unitNames[unit] === undefined ? name : `${name}, ${unitNames[unit]}`;

const lineOf = (entry: FigureEntry): Line => ({
  name: nameOf(entry),
  definition: entry,
  notStored: NO_VALUE,
  read: ({ best }) => best[entry.field],
  format: (value) => figureNumber(entry, value),
  ...(entry.unit === 'fraction' ? { exact: percent.exact } : {}),
  absent: (run) => {
    const basis = basisOf(run);
    return basis === null ? NO_VALUE : reasonWithout(entry, basis);
  },
});

export interface CompareGroup {
  group: FigureGroup;
  /** Samples behind the figures of each run. */
  samples: string[];
  rows: CompareRow[];
}

/** The other figures in the groups of the results, in the order of the registry. */
export function compareGroups(runs: readonly ComparedRun[]): CompareGroup[] {
  const onWhat = (run: ComparedRun, group: FigureGroup): string => {
    if (isPortfolio(run)) return NO_VALUE;
    const basis = basisOf(run);
    return basis === null ? NO_VALUE : restsOn(group, basis);
  };
  return figureGroups.map((group) => ({
    group,
    samples: runs.map((run) => onWhat(run, group)),
    rows: figureEntries.filter((entry) => entry.group === group).map((entry) => rowOf(runs, lineOf(entry))),
  }));
}

/** Names of the runs saved before these figures were computed. */
export const withoutFigures = (runs: readonly ComparedRun[]): string[] =>
  runs
    .filter(isSingle)
    .filter((run) => figureEntries.some(({ field }) => run.best[field] === undefined))
    .map(({ name }) => name);

const twoDecimals = (value: number) => formatFixed(value, 2);

const marketOf = ({ symbol, setup }: SavedRun): string => (symbol === 'CSV' ? (setup.label ?? symbol) : symbol);
const shortHash = (hash: string): string => hash.slice(0, 8);

const market: readonly Line[] = [
  { name: 'Candles', read: (run) => `${marketOf(run)} ${run.interval}`, format: String },
  {
    name: 'Exchange',
    read: ({ setup }) => setup.exchange,
    format: String,
    absent: 'this browser',
    isDetail: true,
  },
  { name: 'Last candle closed', read: ({ setup }) => formatUtc(setup.end_time), format: String },
  { name: 'Loaded', read: ({ setup }) => setup.loaded, format: formatCount },
  { name: 'Scored', read: ({ setup }) => setup.scored, format: formatCount },
  { name: 'Engine', read: ({ hashes }) => shortHash(hashes.engine), format: String, isDetail: true },
];

const parameterFormats = { fraction: percent, ratio: { format: twoDecimals }, candles: { format: formatCount } };

/** A line for each number of Classic with a name on the page. */
const numberLines = (rows: readonly ClassicParameterRow[]): Line[] =>
  rows.flatMap((row) => {
    const { part, label, isDetail = false } = row.classic;
    if (label === undefined) return [];
    const isOff = ({ trailing }: SavedRun['params']): boolean => part === 'trailing' && !trailing.enabled;
    const read = ({ params }: SavedRun) => (isOff(params) ? 'off' : sentNumber(params, row));
    return [{ name: label, read, isDetail, ...parameterFormats[row.unit] }];
  });

const parameters: readonly Line[] = [
  ...numberLines(classicRows.filter(({ exit }) => exit !== 'time')),
  {
    name: 'Trail mode',
    read: ({ params: { trailing } }) => trailing.mode ?? 'percent',
    format: String,
    isDetail: true,
  },
  ...numberLines(classicRows.filter(({ exit }) => exit === 'time')),
];

/** The rules of a saved run; Classic is converted to its strategy of rules. */
const rulesOf = ({ strategy, params, interval }: SavedRun): Strategy =>
  strategy ?? classicAsRules(paramsFromWire(params), interval as IntervalName);

/** Lines that replace the parameters when one of them ran a strategy of rules. */
function ruleLines(runs: readonly SavedRun[]): Line[] {
  // Own rules have no vote parameters.
  const names = new Set(runs.flatMap((run) => rulesText(rulesOf(run)).map(([name]) => name)));
  const ids = new Set(runs.flatMap((run) => Object.keys(rulesOf(run).weights)));
  return [
    { name: 'Strategy', read: ({ strategy }) => (strategy === null ? 'Classic' : 'Rules'), format: String },
    ...[...names].map((name): Line => ({
      name,
      read: (run) => rulesText(rulesOf(run)).find(([each]) => each === name)?.[1],
      format: String,
    })),
    { name: 'Own rules', read: (run) => rulesOf(run).rules ?? 'none', format: String, isDetail: true },
    ...[...ids].map((id) => weightLine(id, 2, (run) => rulesOf(run).weights[id] ?? 0)),
  ];
}

const weightLine = (id: string, decimals: number, read: Line['read']): Line => ({
  name: `${voteName(id)} weight`,
  read,
  format: (value) => formatFixed(value, decimals),
  isDetail: true,
});

const shownCosts: readonly string[] = ['takerFeeFraction', 'slippageFraction', 'leverage'];

/** Every cost of a run: the three main ones always, the rest where they differ. */
const costs: readonly Line[] = [
  ...fractionFields.map(({ key, label }): Line => ({
    name: label,
    read: ({ setup }) => setup.costs[key],
    ...percent,
    isDetail: !shownCosts.includes(key),
  })),
  ...plainFields.map(({ key, label, unit }): Line => ({
    name: unit === 'x' ? label : `${label}, ${unit}`,
    read: ({ setup }) => setup.costs[key],
    format:
      unit === 'x'
        ? (value) => `${formatFixed(value, Number.isInteger(value) ? 0 : 2)}x`
        : (value) => formatMoney(value),
    isDetail: !shownCosts.includes(key),
  })),
  { name: 'Target order', read: ({ setup }) => setup.costs.takeProfitOrder, format: String, isDetail: true },
  { name: 'Funding', read: ({ setup }) => fundingName(setup.costs), format: String },
  {
    name: 'Minutes and mark prices',
    read: ({ setup }) => (setup.fineData === true ? 'on' : 'off'),
    format: String,
    isDetail: true,
  },
  { name: 'Order size', read: ({ setup }) => orderSizeName(setup.costs), format: String, isDetail: true },
  { name: 'Stop and target in one candle', read: ({ setup }) => sameBarName(setup.costs), format: String },
];

/** Figures first, then the settings, then only the weights and details that differ. */
export function compareRows(runs: readonly ComparedRun[]): { figures: CompareRow[]; settings: CompareRow[] } {
  const singles = runs.filter(isSingle);
  const weights = Object.keys(singles[0]?.params.weights ?? {}).map((id) =>
    weightLine(id, 1, ({ params }) => params.weights[id as keyof typeof params.weights]),
  );
  const portfolios = runs.filter(isPortfolio);
  // An account runs rules, beside which Classic stands as the rules it is.
  const isOfRules = portfolios.length > 0 || singles.some(({ strategy }) => strategy !== null);
  const own = isOfRules
    ? [...market, ...ruleLines(singles), ...costs]
    : [...market, ...parameters, ...costs, ...weights];
  const shared = singles.length > 0 ? own : [];
  const lines = [
    ...shared,
    ...portfolioLines(
      portfolios,
      [...figures, ...shared].map(({ name }) => name),
    ),
  ];
  return {
    figures: headFigures(runs),
    settings: lines.flatMap((line) => {
      const row = rowOf(runs, line);
      return line.isDetail === true && !row.isDifferent ? [] : [row];
    }),
  };
}

/** The hash of the data has the candles of the longer intervals in it, and a window is named by its end and its length. */
function otherCandles(left: SavedRun, right: SavedRun): string {
  const longer = (run: SavedRun): string =>
    rulesOf(run)
      .intervals.slice(1)
      .map(({ interval }) => interval)
      .join(', ') || 'none';
  const window = ({ setup: { exchange, end_time, loaded, scored } }: SavedRun): string =>
    JSON.stringify([exchange, end_time, loaded, scored]);
  // Mark prices are data.
  if (window(left) === window(right) && left.setup.fineData !== right.setup.fineData)
    return 'Only one run used minutes and mark prices: that explains part of the difference.';
  return window(left) === window(right) && longer(left) !== longer(right)
    ? `Longer intervals differ (${longer(left)} and ${longer(right)}): that explains part of the difference.`
    : 'Different candles: the market explains part of the difference.';
}

/** Why results must not be compared as if only the parameters differed, each reason once; empty when they may. */
export function cautionsOf(runs: readonly ComparedRun[]): string[] {
  const [first, ...others] = runs.filter(isSingle);
  const ofSingles = first === undefined ? [] : others.flatMap((other) => cautions(first, other));
  return [...new Set([...ofSingles, ...portfolioCautions(runs.filter(isPortfolio), first !== undefined)])];
}

/** The same for two results. */
export function cautions(left: SavedRun, right: SavedRun): string[] {
  const differs = (read: (run: SavedRun) => Value): boolean => !Object.is(read(left), read(right));
  const matches: string[] = [];
  if (differs(({ hashes }) => hashes.engine)) matches.push('Different engine versions: results are not comparable.');
  if (differs(marketOf) || differs(({ interval }) => interval))
    matches.push(
      `${marketOf(left)} ${left.interval} and ${marketOf(right)} ${right.interval}: the market explains part of the difference.`,
    );
  else if (differs(({ hashes }) => hashes.data)) matches.push(otherCandles(left, right));
  if (differs(({ setup }) => setup.scored)) matches.push('Different window lengths: compare rates, not totals.');
  const other = costs.filter(({ read }) => differs(read)).map(({ name }) => name.replace(/, USDT$/, '').toLowerCase());
  if (other.length > 0) matches.push(`Different costs and sizing: ${other.join(', ')}.`);
  return matches;
}
