import {
  FRAME_LENGTH,
  frameSlot,
  LIMITS_LENGTH,
  PORTFOLIO_LENGTH,
  portfolioSlot,
  RULES_LENGTH,
} from '@sextant/engine-as/abi/records.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { PORTFOLIO_SETS_MAX } from '../core/limits.ts';
import { ok } from '../core/result.ts';
import type { Engine } from '../engine/engine.ts';
import type { PortfolioLimits, PortfolioSet, PortfolioSetsInput, PortfolioSetsResult } from '../protocol/portfolio.ts';
import type { PortfolioSummary } from '../protocol/portfolioFigures.ts';
import { fail, type TaskProgress, type TaskResult } from '../protocol/taskResult.ts';
import { isOwnRules } from '../rules/strategyOfRules.ts';
import { expectOk, writeAtr } from './backtest.ts';
import { inArena } from './honesty/kernels.ts';
import { hashCandles, preparePortfolio, type PreparedPortfolio, rescoreMembers } from './portfolio.ts';
import { limitsRow, readAccount } from './portfolio/account.ts';
import { initialEquityOf, validateLimits } from './portfolio/candidates.ts';
import { checkValues, signalNames, strategyOfSet } from './portfolio/setStrategy.ts';
import { summaryOf } from './portfolio/summary.ts';
import { strategyRulesOf } from './rules.ts';
import { exitRanges } from './strategy/market.ts';
import { validateStrategyValue } from './strategy/validate.ts';
import { check } from './validateParams.ts';

/** Sets between two reports of progress. */
const REPORTED_SETS = 32;
/** Periods whose ranges stay in the arena: 41 MB of the largest account. */
const RANGE_PERIODS_MAX = 8;

/**
 * One account under many thresholds, exits and limits. Votes and scores are computed once and stay in the arena; those of own rules once
 * for all sets with the same signals, which run one after the other. Each set changes the rules of every symbol and runs the kernel of
 * `portfolio` again, so that its figures are the same to the bit.
 */
export function portfolioSets(
  engine: Engine,
  engineHash: string,
  input: PortfolioSetsInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<PortfolioSetsResult> {
  const valid = validateSets(input);
  if (!valid.ok) return valid;
  const prepared = preparePortfolio(engine, input);
  if (!prepared.ok) return prepared;
  const runSet = openSets(engine, input, prepared.value);
  const total = input.sets.length;
  const steps = prepared.value.account.clock.length;
  const equity = new Float64Array(input.withEquity === true ? total * steps : 0);
  const runs = setsBySignals(input).map(({ set, k }, done) => {
    if (done % REPORTED_SETS === 0) onProgress?.({ done, total });
    return {
      k,
      summary: runSet(set, input.withEquity === true ? equity.subarray(k * steps, (k + 1) * steps) : undefined),
    };
  });
  const summaries = runs.sort((a, b) => a.k - b.k).map(({ summary }) => summary);
  onProgress?.({ done: total, total });
  const result = { summaries, hashes: { engine: engineHash, data: hashCandles(prepared.value.candidates) } };
  return ok(input.withEquity === true ? { ...result, equity } : result);
}

/** The sets with their places, those with equal signals next to each other: one score of every symbol is in the arena at a time. */
function setsBySignals({ strategy, sets }: Pick<PortfolioSetsInput, 'strategy' | 'sets'>): PlacedSet[] {
  const nameOf = signalNames(strategy);
  const groups = new Map<string, PlacedSet[]>();
  for (const [k, set] of sets.entries()) {
    const name = nameOf(set);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [{ set, k }]);
    else group.push({ set, k });
  }
  return [...groups.values()].flat();
}

interface PlacedSet {
  set: PortfolioSet;
  /** Of `sets` of the input. */
  k: number;
}

/** Checks the sets; candles and strategy are checked with the account. */
export function validateSets({ strategy, sets }: Pick<PortfolioSetsInput, 'strategy' | 'sets'>): TaskResult<null> {
  const counted = check('sets.length', sets.length, { min: 1, max: PORTFOLIO_SETS_MAX }, true);
  if (!counted.ok) return counted;
  for (const [k, set] of sets.entries()) {
    const valid = validateSet(strategy, set);
    if (valid.ok) continue;
    const { code, message, field = '' } = valid.error;
    return fail(code, `sets[${k}].${message}`, `sets[${k}].${field}`);
  }
  return ok(null);
}

function validateSet(strategy: Strategy, { strategy: changed, values, limits }: PortfolioSet): TaskResult<null> {
  const named = checkValues(strategy, values);
  if (!named.ok) return named;
  if (changed !== undefined && isOwnRules(strategy))
    return fail('bad_input', 'strategy must be absent: own rules have their exits in their text', 'strategy');
  const valid = changed === undefined ? ok(null) : validateStrategyValue({ ...strategy, ...changed });
  return valid.ok ? validateLimits(limits ?? {}) : valid;
}

/** Runs sets on a prepared account. The equity of a set is written where the caller wants it. */
function openSets(
  engine: Engine,
  { strategy, limits, symbols }: PortfolioSetsInput,
  { account, candidates, members }: PreparedPortfolio,
): (set: PortfolioSet, equity?: Float64Array) => PortfolioSummary {
  const { portfolioAt, frames, clock } = account;
  const initialEquity = initialEquityOf({ symbols });
  const limitsAt = engine.i32View(portfolioAt, PORTFOLIO_LENGTH)[portfolioSlot.limits] ?? 0;
  const rangesOf = openRanges(engine, members);

  const writeStrategy = (changed: Strategy): void => {
    for (const [k, { input }] of members.entries()) {
      const { trailingRangeAt, levelRangeAt } = exitRanges(changed, (atrPeriod) => rangesOf(atrPeriod)[k] ?? 0);
      // The memory may have grown: views of it are taken after the ranges are written.
      const frame = engine.i32View(frames[k] ?? 0, FRAME_LENGTH);
      frame[frameSlot.atr] = trailingRangeAt;
      frame[frameSlot.range] = levelRangeAt;
      const rules = engine.f64View(frame[frameSlot.rules] ?? 0, RULES_LENGTH);
      rules.set(strategyRulesOf(changed, input.costs, input.scoredCount));
    }
  };
  const nameOf = signalNames(strategy);
  let scored = nameOf({});
  const writeScores = (set: PortfolioSet, changed: Strategy): void => {
    const name = nameOf(set);
    if (name === scored) return;
    rescoreMembers(engine, { candidates, members }, changed);
    scored = name;
  };
  const writeLimits = (changed: PortfolioLimits): void =>
    engine.f64View(limitsAt, LIMITS_LENGTH).set(limitsRow(changed, initialEquity));

  return (set, equity) => {
    const changed = strategyOfSet(strategy, set);
    writeScores(set, changed);
    writeStrategy(changed);
    writeLimits({ ...limits, ...set.limits });
    return inArena(engine, () => {
      expectOk(engine.raw.portfolioRun(portfolioAt));
      const run = readAccount(account);
      equity?.set(run.equity);
      return summaryOf(engine, { run, clock, initialEquity });
    });
  };
}

/** Addresses of the average true ranges of each symbol. The oldest of RANGE_PERIODS_MAX periods gives its memory to another one. */
function openRanges(engine: Engine, members: PreparedPortfolio['members']): (atrPeriod: number) => number[] {
  const known = new Map<number, number[]>();
  const release = (): number[] | undefined => {
    const [oldest] = known;
    if (oldest === undefined || known.size < RANGE_PERIODS_MAX) return undefined;
    known.delete(oldest[0]);
    return oldest[1];
  };
  return (atrPeriod) => {
    const cached = known.get(atrPeriod);
    if (cached !== undefined) return cached;
    const ranges = release() ?? members.map(({ input }) => engine.reserve(input.candles.time.length));
    for (const [k, { input, prepared }] of members.entries()) {
      const range = { count: input.candles.time.length, atrPeriod, out: ranges[k] ?? 0 };
      inArena(engine, () => writeAtr(engine, prepared.columns, range));
    }
    known.set(atrPeriod, ranges);
    return ranges;
  };
}
