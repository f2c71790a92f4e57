import { summarySlot, TRADE_LENGTH, tradeSlot } from '@sextant/engine-as/abi/records.ts';
import * as abi from '@sextant/engine-as/abi/optimize.ts';
import type { HonestyFigure, HonestyVerdict, TrialReturns } from '../../protocol/honesty.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Costs } from '../../protocol/backtest.ts';
import type { OptimizeInput, Window } from '../../protocol/optimize.ts';
import type { RandomEntries } from '../optimize/setEvaluator.ts';
import type { SingleRun } from '../optimize/market.ts';
import { type Candidate, neighboursOf, runSets, type Search } from '../optimize/search.ts';
import {
  chance,
  chosenHere,
  figure,
  percent,
  plural,
  probabilitySays,
  shortage,
  type Sight,
  withheld,
} from './figure.ts';
import { inArena, momentsOf, quantilesOf } from './kernels.ts';

const RANDOM_RUNS = 1000;
/** Random sets that the lead of the best is measured against. */
const RANKED_MIN = 10;
/** Keeps the draws of the random entries apart from the draws of the sets. */
const DICE_SEED = 0x1d6f3a9be2c45087n;

/** The chosen set on the scored candles, whichever way it decides. */
export interface Shown {
  engine: Engine;
  costs: Costs;
  window: Window;
  single: SingleRun;
  /** First candle at which the set's votes are all defined: before it the own run could not enter, so random entries may not either. */
  firstDecision: number;
  /** Net PnL of runs with random entries and the set's exits and costs, quote currency. */
  runRandomEntries: (entries: RandomEntries) => Float64Array;
}

/** The chosen set with its own sizing, as the user sees it, and at the one size that sets are compared at. */
export interface Shows {
  own: Shown;
  compared: Shown;
}

export function showOn({ engine, evaluator }: Search, input: OptimizeInput, best: Candidate, window: Window): Shows {
  const compared: Shown = {
    engine,
    costs: input.costs,
    window,
    single: evaluator.runAlone(best.set, window),
    firstDecision: evaluator.firstDecision(best.set),
    runRandomEntries: (entries) => evaluator.runRandomEntries(best.set, window, entries),
  };
  return { own: { ...compared, single: evaluator.runOwnSize(best.set, window) }, compared };
}

const slot = ({ single }: Shown, index: number): number => single.summary[index] ?? Number.NaN;
const tradesOf = (shown: Shown): number => slot(shown, summarySlot.tradeCount);
const barsOf = ({ start, end }: Window): number => end - start;

export function meanBarsHeld(shown: Shown): number {
  return slot(shown, summarySlot.heldBarCount) / Math.max(1, tradesOf(shown));
}

/** Change of the single run's equity per bar over the starting equity. */
export function returnsOf({ single: { equity }, costs }: Shown): Float64Array {
  const initial = costs.initialEquity;
  return equity.map((value, i) => (value - (equity[i - 1] ?? initial)) / initial);
}

export function strategyFigures({ own, compared }: Shows, sight: Sight, seed: bigint): HonestyFigure[] {
  return [randomEntryFigure(compared, sight, seed), buyAndHoldFigure(own), breakEvenFigure(own)];
}

/** Chance of an entry where one is possible: at a bar without a position, or at whose close it has ended. */
export function entryChance({ bars, heldBars, trades }: { bars: number; heldBars: number; trades: number }): number {
  return Math.min(1, trades / Math.max(1, bars - heldBars + trades));
}

/** Ties count as better: a run that equals the rest is no evidence. */
export const countAtLeast = (values: Float64Array, own: number): number =>
  values.reduce((count, value) => count + Number(value >= own), 0);

/** Chance that the best of this many independent views is this good by luck. */
export const bestOfLooks = (p: number, lookCount: number): number =>
  lookCount > 1 ? -Math.expm1(lookCount * Math.log1p(-p)) : p;

function randomEntryFigure(shown: Shown, sight: Sight, searchSeed: bigint): HonestyFigure {
  const { engine, window } = shown;
  const rest = { count: RANDOM_RUNS, window: 'scored' } as const;
  const trades = tradesOf(shown);
  const short = shortage('randomEntry', { trials: Infinity, bars: barsOf(window), trades });
  if (short !== undefined) return withheld('randomEntry', short, rest);
  const start = Math.max(window.start, shown.firstDecision);
  const heldBars = slot(shown, summarySlot.heldBarCount);
  const chance = entryChance({ bars: window.end - start, heldBars, trades });
  const longs = slot(shown, summarySlot.longCount) / trades;
  const seed = BigInt.asUintN(64, searchSeed ^ DICE_SEED);
  const nets = shown.runRandomEntries({ start, chance, longs, count: RANDOM_RUNS, seed });
  const own = slot(shown, summarySlot.netPnl);
  const better = countAtLeast(nets, own);
  const value = bestOfLooks(engine.raw.simulatedPValue(better, RANDOM_RUNS), sight.lookCount);
  const words = `${better.toLocaleString('en-US')} of ${RANDOM_RUNS.toLocaleString('en-US')} runs with random entries earned at least as much.`;
  const said = probabilitySays(1 - value);
  // A set chosen on these candles confirms nothing.
  const says = said === 'skill' && !sight.isUnseen ? 'neither' : said;
  return figure('randomEntry', value, says, words + chosenHere(sight), rest);
}

function buyAndHoldFigure(shown: Shown): HonestyFigure {
  const net = slot(shown, summarySlot.netPnl) / shown.costs.initialEquity;
  const held = slot(shown, summarySlot.buyAndHoldFraction);
  const words = `${percent(net, 1)} of starting equity; buy and hold ${percent(held, 1)}.`;
  return figure('buyAndHold', net - held, 'neither', words, { count: barsOf(shown.window), window: 'scored' });
}

function breakEvenFigure(shown: Shown): HonestyFigure {
  const { engine, single, costs } = shown;
  const trades = tradesOf(shown);
  const rest = { count: trades, window: 'scored' } as const;
  const short = shortage('breakEvenFee', { trials: Infinity, bars: barsOf(shown.window), trades });
  if (short !== undefined) return withheld('breakEvenFee', short, rest);
  let turnover = 0;
  for (let at = 0; at < single.trades.length; at += TRADE_LENGTH) {
    const trade = (field: number): number => single.trades[at + field] ?? Number.NaN;
    const prices = trade(tradeSlot.entryPrice) + trade(tradeSlot.exitPrice);
    turnover += trade(tradeSlot.quantity) * prices;
  }
  const [gross, funding] = [slot(shown, summarySlot.grossPnl), slot(shown, summarySlot.funding)];
  const value = engine.raw.breakEvenFee(gross, funding, turnover);
  const paid = costs.takerFeeFraction;
  const words = `Breaks even at a fee of ${percent(value, 3)} per fill; you pay ${percent(paid, 3)}.`;
  return figure('breakEvenFee', value, value <= paid ? 'luck' : 'neither', words, rest);
}

/** A neighbour that the target does not rank has lost the whole lead. */
export const ordinaryWhereUnranked = (values: Float64Array, ordinary: number): Float64Array =>
  values.map((value) => (value === -Infinity ? ordinary : value));

/** @param stored share of the lead that the neighbours retain */
export const plateauSays = (stored: number): HonestyVerdict => (stored >= 0.5 ? 'neither' : 'luck');

/** @param ordinary target values of the random samples */
export function plateauFigure(search: Search, best: Candidate, ordinary: Float64Array): HonestyFigure {
  const { engine, setLength } = search;
  const sets = neighboursOf(search, best.set);
  const count = sets.length / setLength;
  const rest = { count, window: 'search' } as const;
  const trades = best.row[abi.RESULT_TRADE_COUNT] ?? 0;
  const short = shortage('plateau', { trials: count, bars: Infinity, trades });
  if (short !== undefined) return withheld('plateau', short.replace('set', 'neighbour'), rest);
  const ranked = ordinary.filter((value) => value !== -Infinity);
  if (ranked.length < RANKED_MIN)
    return withheld(
      'plateau',
      `${plural(ranked.length, 'random set')} met the target's conditions, ${RANKED_MIN} needed`,
      rest,
    );
  const [middle = Number.NaN] = quantilesOf(engine, ranked, [0.5]);
  const values = runSets(search, sets).columns.subarray(abi.RESULT_VALUE * count, (abi.RESULT_VALUE + 1) * count);
  const [neighbour = Number.NaN] = quantilesOf(engine, ordinaryWhereUnranked(values, middle), [0.5]);
  const value = engine.raw.plateauScore(best.row[abi.RESULT_VALUE] ?? Number.NaN, neighbour, middle);
  if (Number.isNaN(value)) return withheld('plateau', 'the best set has no lead over a random one', rest);
  const words = `Neighbouring sets retain ${percent(value)} of the lead over a random set.`;
  return figure('plateau', value, plateauSays(value), words, rest);
}

/** The scored window when the search never used it: against the luckiest of the results that were viewed there. */
export function holdoutFigure(shown: Shown, sight: Sight, isOfSearch: boolean): HonestyFigure {
  const bars = barsOf(shown.window);
  const rest = { count: bars, window: 'scored' } as const;
  if (!sight.isUnseen) {
    const why = isOfSearch ? 'the search ran on the scored candles' : 'run a search';
    return withheld('holdout', why, rest);
  }
  return unseenFigure(shown.engine, {
    returns: returnsOf(shown),
    tradeCount: tradesOf(shown),
    lookCount: sight.lookCount,
  });
}

/** Returns on candles that chose nothing: against the luckiest of the results that were viewed there. */
export function unseenFigure(
  engine: Engine,
  { returns, tradeCount, lookCount }: NonNullable<TrialReturns['unseen']>,
): HonestyFigure {
  const bars = returns.length;
  const rest = { count: bars, window: 'scored' } as const;
  const short = shortage('holdout', { trials: Infinity, bars, trades: tradeCount });
  if (short !== undefined) return withheld('holdout', short, rest);
  const value = inArena(engine, () => {
    const { mean, deviation, skewness, kurtosis } = momentsOf(engine, engine.push(returns), bars);
    return engine.raw.deflatedSharpe(mean / deviation, bars, skewness, kurtosis, lookCount, 1 / (bars - 1));
  });
  if (Number.isNaN(value)) return withheld('holdout', 'returns do not vary', rest);
  const words =
    lookCount > 1
      ? `On unseen candles: ${chance(value)} likely to beat the luckiest of your ${plural(lookCount, 'look')} there.`
      : `On unseen candles: ${chance(value)} likely to be above zero.`;
  return figure('holdout', value, probabilitySays(value), words, rest);
}
