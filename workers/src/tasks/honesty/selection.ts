import {
  CSCV_BLOCK_MAX,
  CSCV_BLOCK_MIN,
  CSCV_BLOCK_ROWS_MIN,
  HONESTY_CONFIDENCE,
} from '@sextant/engine-as/abi/honesty.ts';
import type { Engine } from '../../engine/engine.ts';
import type { HonestyFigure } from '../../protocol/honesty.ts';
import { chance, type Evidence, figure, percent, plural, probabilitySays, shortage, withheld } from './figure.ts';
import type { NextStep } from './reading.ts';
import { inArena, type Moments, momentsOf, quantilesOf, tableOf, type TrialTable } from './kernels.ts';

/** The trials of a search in the arena and the data of the chosen one. */
export interface Trials {
  /** f64[columnCount * bars] */
  returnsAt: number;
  columnCount: number;
  bars: number;
  /** Column of the chosen trial. */
  bestColumn: number;
  /** All trials, also those without a column and earlier ones. */
  trialCount: number;
  tradeCount: number | undefined;
  barMs: number;
  seed: bigint;
  /** `search` when absent. */
  next?: NextStep;
}

const YEAR_MS = 365 * 86_400_000;
const BAND_RESAMPLES = 100;
const BAND_CHUNKS = 5;
/** Worlds without skill of the reality check. */
const WORLDS = 1000;

interface Shape {
  sharpe: number;
  moments: Moments;
  table: TrialTable;
  evidence: Evidence;
}

/** Every figure about choosing one trial among many. */
export function selectionFigures(engine: Engine, trials: Trials): { figures: HonestyFigure[]; halvings: Float64Array } {
  const moments = momentsOf(engine, trials.returnsAt + 8 * trials.bestColumn * trials.bars, trials.bars);
  const table = tableOf(engine, trials.returnsAt, trials.columnCount, trials.bars);
  const sharpe = moments.deviation > 0 ? moments.mean / moments.deviation : Number.NaN;
  const evidence = { trials: trials.trialCount, bars: trials.bars, trades: trials.tradeCount };
  const shape = { sharpe, moments, table, evidence };
  const overfitting = overfittingFigure(engine, trials, table);
  const figures = [
    luckFigure(engine, trials, evidence),
    ...sharpeFigures(engine, trials, shape),
    effectiveFigure(trials, shape),
    overfitting.figure,
  ];
  return { figures, halvings: overfitting.halvings };
}

function luckFigure({ raw }: Engine, { trialCount }: Trials, evidence: Evidence): HonestyFigure {
  const rest = { count: trialCount, window: 'search' } as const;
  const short = shortage('luckCeiling', evidence);
  if (short !== undefined) return withheld('luckCeiling', short, rest);
  const ceiling = raw.expectedMaximum(trialCount);
  const words = `The luckiest of ${plural(trialCount, 'random trial')} usually scores ${ceiling.toFixed(2)} deviations above average.`;
  return figure('luckCeiling', ceiling, 'neither', words, rest);
}

function sharpeFigures(engine: Engine, trials: Trials, shape: Shape): HonestyFigure[] {
  const ids = [
    'sharpe',
    'probabilisticSharpe',
    'deflatedSharpe',
    'realityCheck',
    'minimumTrackRecord',
    'minimumBacktest',
  ] as const;
  const rest = { count: trials.bars, window: 'search' } as const;
  const noShape = Number.isNaN(shape.sharpe) ? 'returns do not vary' : undefined;
  const makers = {
    sharpe: plainSharpe,
    probabilisticSharpe,
    deflatedSharpe,
    realityCheck,
    minimumTrackRecord,
    minimumBacktest,
  };
  return ids.map((id) => {
    const short = shortage(id, shape.evidence) ?? noShape;
    return short === undefined ? makers[id](engine, trials, shape, rest) : withheld(id, short, rest);
  });
}

type Maker = (engine: Engine, trials: Trials, shape: Shape, rest: { count: number; window: 'search' }) => HonestyFigure;

const plainSharpe: Maker = ({ raw }, { bars }, { sharpe, moments }, rest) => {
  const standardError = raw.sharpeStandardError(sharpe, bars, moments.skewness, moments.kurtosis);
  const words = `Sharpe ratio per bar ${sharpe.toFixed(3)} ± ${standardError.toFixed(3)}.`;
  return figure('sharpe', sharpe, 'neither', words, { ...rest, standardError });
};

const probabilisticSharpe: Maker = ({ raw }, { bars }, { sharpe, moments }, rest) => {
  const value = raw.probabilisticSharpe(sharpe, 0, bars, moments.skewness, moments.kurtosis);
  const words = `${chance(value)} likely to be above zero, if it were the only one tried.`;
  // It ignores the number of trials, so it cannot argue against luck.
  return figure('probabilisticSharpe', value, probabilitySays(value) === 'luck' ? 'luck' : 'neither', words, rest);
};

const deflatedSharpe: Maker = ({ raw }, { bars, trialCount }, { sharpe, moments, table }, rest) => {
  // Only the spread that noise makes: the measured spread also holds real differences between sets, such as their fees.
  const correlation = Number.isNaN(table.correlation) ? 0 : Math.min(Math.max(table.correlation, 0), 1);
  const variance = (1 - correlation) / (bars - 1);
  const value = raw.deflatedSharpe(sharpe, bars, moments.skewness, moments.kurtosis, trialCount, variance);
  const words = `${chance(value, 1)} likely to beat the luckiest of ${plural(trialCount, 'trial')}. Needs ${percent(HONESTY_CONFIDENCE)}.`;
  return figure('deflatedSharpe', value, probabilitySays(value), words, rest);
};

const realityCheck: Maker = (engine, trials, { sharpe }, rest) => {
  const { returnsAt, columnCount, bars, seed } = trials;
  const block = Math.max(1, Math.round(Math.cbrt(bars)));
  const luckiest = inArena(engine, () => {
    const scratch = engine.reserve(columnCount * Math.ceil(bars / block) + columnCount + 4);
    const out = engine.reserve(WORLDS);
    engine.raw.bestByLuck(returnsAt, columnCount, bars, block, WORLDS, seed, scratch, out);
    return engine.pull(out, WORLDS);
  });
  const better = luckiest.reduce((count, best) => count + Number(best >= sharpe), 0);
  const value = engine.raw.simulatedPValue(better, WORLDS);
  const words = `Luck alone was at least this good in ${better.toLocaleString('en-US')} of ${WORLDS.toLocaleString('en-US')} simulations.`;
  return figure('realityCheck', value, probabilitySays(1 - value), words, rest);
};

const minimumTrackRecord: Maker = ({ raw }, { bars }, { sharpe, moments }, rest) => {
  if (!(sharpe > 0)) return withheld('minimumTrackRecord', 'the Sharpe ratio is zero or below', rest);
  const value = raw.minimumTrackRecord(sharpe, 0, moments.skewness, moments.kurtosis, HONESTY_CONFIDENCE);
  const words = `Needs ${plural(Math.ceil(value), 'bar')} to be reliably above zero; has ${bars.toLocaleString('en-US')}.`;
  // Too short a record is no evidence of luck.
  return figure('minimumTrackRecord', value, 'neither', words, rest);
};

const minimumBacktest: Maker = ({ raw }, { bars, barMs, trialCount }, { sharpe }, rest) => {
  if (!(sharpe > 0)) return withheld('minimumBacktest', 'the Sharpe ratio is zero or below', rest);
  const annual = sharpe * Math.sqrt(YEAR_MS / barMs);
  const value = raw.minimumBacktestYears(trialCount, annual);
  const years = (bars * barMs) / YEAR_MS;
  const words = `By luck, the best of ${plural(trialCount, 'trial')} shows this within ${(365 * value).toFixed(1)} days; data covers ${(365 * years).toFixed(1)}.`;
  return figure('minimumBacktest', value, value > years ? 'luck' : 'neither', words, rest);
};

function effectiveFigure({ columnCount, trialCount }: Trials, { table, evidence }: Shape): HonestyFigure {
  const rest = { count: columnCount, window: 'search' } as const;
  const short = shortage('effectiveTrials', evidence);
  if (short !== undefined) return withheld('effectiveTrials', short, rest);
  if (Number.isNaN(table.correlation)) return withheld('effectiveTrials', 'fewer than 2 trials traded', rest);
  const correlation = Math.min(Math.max(table.correlation, 0), 1);
  const value = correlation + (1 - correlation) * trialCount;
  const words = `${plural(trialCount, 'trial')} (mean correlation ${correlation.toFixed(2)}) count as about ${Math.round(value).toLocaleString('en-US')} independent ones.`;
  return figure('effectiveTrials', value, 'neither', words, rest);
}

/** Largest even number of blocks with enough rows each; 0 when there is none. */
export function blockCountOf(bars: number): number {
  const most = Math.min(CSCV_BLOCK_MAX, Math.floor(bars / CSCV_BLOCK_ROWS_MIN));
  const even = most - (most % 2);
  return even >= CSCV_BLOCK_MIN ? even : 0;
}

function overfittingFigure(
  engine: Engine,
  trials: Trials,
  table: TrialTable,
): { figure: HonestyFigure; halvings: Float64Array } {
  const traded = table.sharpes.reduce((count, sharpe) => count + Number(sharpe !== 0), 0);
  const blocks = blockCountOf(trials.bars);
  const halvingCount = blocks === 0 ? 0 : choose(blocks, blocks / 2);
  const rest = { count: halvingCount, window: 'search' } as const;
  const none = new Float64Array();
  const short = shortage('overfitting', { trials: traded, bars: trials.bars, trades: undefined });
  if (short !== undefined) return { figure: withheld('overfitting', short, rest), halvings: none };
  const { value, halvings } = overfit(engine, trials, blocks, halvingCount);
  const [low = Number.NaN, high = Number.NaN] = quantilesOf(
    engine,
    bandOf(engine, trials, table, blocks),
    [0.05, 0.95],
  );
  // Above one half is what sets of equal skill give, too: it is no evidence of luck.
  const says = value < 0.5 && high < 0.5 ? 'skill' : 'neither';
  const words = `The winner of one half ranked in the lower half of the other in ${Math.round(value * halvingCount)} of ${halvingCount} splits (typical: ${chance(low)} to ${chance(high)}).`;
  return { figure: figure('overfitting', value, says, words, { ...rest, band: { low, high } }), halvings };
}

function overfit(
  engine: Engine,
  { returnsAt, columnCount, bars }: Trials,
  blocks: number,
  halvingCount: number,
): { value: number; halvings: Float64Array } {
  return inArena(engine, () => {
    const [sums, squares] = [engine.reserve(blocks * columnCount + 1), engine.reserve(blocks * columnCount + 1)];
    const [scratch, out] = [engine.reserve(2 * columnCount + 4), engine.reserve(3 * halvingCount)];
    engine.raw.cscvBlocks(returnsAt, columnCount, bars, blocks, sums, squares);
    const rows = Math.floor(bars / blocks);
    const value = engine.raw.cscvOverfit(sums, squares, columnCount, blocks, rows, scratch, out);
    return { value, halvings: engine.pull(out, 3 * halvingCount) };
  });
}

function bandOf(engine: Engine, trials: Trials, table: TrialTable, blocks: number): Float64Array {
  const { returnsAt, columnCount, bars, seed } = trials;
  return inArena(engine, () => {
    const chunks = Math.min(BAND_CHUNKS, Math.floor(bars / blocks));
    const [sharpes, stored] = [engine.push(table.sharpes), engine.reserve(columnCount)];
    const correlation = Number.isNaN(table.correlation) ? 0 : table.correlation;
    engine.raw.shrinkSharpes(sharpes, columnCount, bars, table.meanSharpe, table.variance, correlation, stored);
    const scratch = engine.reserve((chunks + 3) * blocks * columnCount + 3 * columnCount + 8);
    const out = engine.reserve(BAND_RESAMPLES);
    engine.raw.cscvBand(returnsAt, columnCount, bars, blocks, chunks, stored, BAND_RESAMPLES, seed, scratch, out);
    return engine.pull(out, BAND_RESAMPLES);
  });
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return Math.round(ways);
}
