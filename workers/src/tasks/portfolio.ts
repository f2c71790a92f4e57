import { STATUS_LEVERAGE_TOO_HIGH } from '@sextant/engine-as/abi/backtest.ts';
import { PORTFOLIO_LENGTH, portfolioSlot } from '@sextant/engine-as/abi/records.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import type { Engine } from '../engine/engine.ts';
import type { PortfolioInput, PortfolioResult } from '../protocol/portfolio.ts';
import type { StrategyInput } from '../protocol/strategy.ts';
import type { TaskProgress, TaskResult } from '../protocol/taskResult.ts';
import { ok } from '../core/result.ts';
import { expectOk, pushCandles } from './backtest.ts';
import { strategyData, strategyParams } from './backtestStrategy.ts';
import { codePointsOf, hashSections, hashSeries } from './hashes.ts';
import { honesty } from './honesty.ts';
import { inArena } from './honesty/kernels.ts';
import { type AccountAt, limitsRow, type Member, pushAccount, readAccount } from './portfolio/account.ts';
import { type Candidate, candidatesOf, initialEquityOf, inSymbol, validatePortfolio } from './portfolio/candidates.ts';
import { resultOf } from './portfolio/result.ts';
import { rejectLeverage, strategyRulesOf } from './rules.ts';
import { pushRanges, pushRulesMarket, scoreRules } from './strategy/market.ts';

/** An account in the arena, ready to run as often as its scores and rules change. */
export interface PreparedPortfolio {
  account: AccountAt;
  candidates: Candidate[];
  members: Member[];
  /** Whether a candle that decides has a score, by symbol. */
  areActive: boolean[];
}

/**
 * One strategy with one account over many symbols: the score of each symbol as its backtest has it, and a walk over all of them together.
 * The order in which symbols are given changes nothing.
 */
export function portfolio(
  engine: Engine,
  engineHash: string,
  input: PortfolioInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<PortfolioResult> {
  const prepared = preparePortfolio(engine, input, onProgress);
  if (!prepared.ok) return prepared;
  const { account } = prepared.value;
  expectOk(engine.raw.portfolioRun(account.portfolioAt));
  const { candidates, members } = prepared.value;
  const run = readAccount(account);
  const { result, sections } = resultOf(engine, input, { ...prepared.value, run, clock: account.clock });
  const judged = judgeOf(engine, input, result);
  if (!judged.ok) return judged;
  const hashes = {
    engine: engineHash,
    data: hashCandles(candidates),
    params: hashSections(paramsSections(input, candidates, members)),
    result: hashSections(sections),
  };
  const total = candidates.length + 1;
  onProgress?.({ done: total, total });
  return ok({ ...result, honesty: judged.value, hashes });
}

/** Validates, scores every symbol and writes the account; the symbols are in the order of their names. */
export function preparePortfolio(
  engine: Engine,
  input: PortfolioInput,
  onProgress?: (progress: TaskProgress) => void,
): TaskResult<PreparedPortfolio> {
  const valid = validatePortfolio(input);
  if (!valid.ok) return valid;
  const candidates = candidatesOf(input);
  const members = candidates.map(({ input: each }, k) => {
    onProgress?.({ done: k, total: candidates.length + 1 });
    return pushMember(engine, each);
  });
  const account = pushAccount(engine, members, limitsRow(input.limits, initialEquityOf(input)));
  const status = engine.raw.portfolioPrepare(account.portfolioAt);
  if (status === STATUS_LEVERAGE_TOO_HIGH) {
    const failed = candidates[engine.i32View(account.portfolioAt, PORTFOLIO_LENGTH)[portfolioSlot.failed] ?? 0];
    if (failed === undefined) throw new Error('the kernel names a symbol that is not there');
    return inSymbol(rejectLeverage(failed.input.costs), failed.index);
  }
  expectOk(status);
  return ok({ account, candidates, members, areActive: members.map((member) => isActive(engine, member)) });
}

/** Candles, scores and rules of one symbol. */
function pushMember(engine: Engine, input: StrategyInput): Member {
  const { strategy, costs, scoredCount, candles } = input;
  const count = candles.time.length;
  const columns = pushCandles(engine, candles);
  const scoreAt = engine.reserve(count);
  const exits = writeDecisions(engine, input, columns, scoreAt);
  const rules = strategyRulesOf(strategy, costs, scoredCount);
  const prepared = { columns, scoreAt, rules, ...pushRanges(engine, columns, strategy, count) };
  return { input, prepared: exits === undefined ? prepared : { ...prepared, exitsAt: pushExits(engine, exits) } };
}

/**
 * Writes the score of every candle; the votes of one symbol at a time, because those of all at once would not fit.
 * @returns which side own rules leave at each candle
 */
function writeDecisions(
  engine: Engine,
  input: StrategyInput,
  columns: readonly number[],
  scoreAt: number,
): Int8Array | undefined {
  return inArena(engine, () => {
    const market = pushRulesMarket(engine, input, columns);
    scoreRules(market, input.strategy.weights);
    const { own, count } = market;
    engine.f64View(scoreAt, count).set(engine.f64View(market.scoreAt, count));
    return own && engine.i8View(own.exitsAt, count).slice();
  });
}

/** Writes the scores and exits of every symbol again, by other values of own rules. */
export function rescoreMembers(
  engine: Engine,
  { candidates, members }: Pick<PreparedPortfolio, 'candidates' | 'members'>,
  strategy: Strategy,
): void {
  for (const [k, { input }] of candidates.entries()) {
    const prepared = members[k]?.prepared;
    if (prepared !== undefined) rescore(engine, { ...input, strategy }, prepared);
  }
}

function rescore(engine: Engine, input: StrategyInput, { columns, scoreAt, exitsAt }: Member['prepared']): void {
  const exits = writeDecisions(engine, input, columns, scoreAt);
  if (exits !== undefined && exitsAt !== undefined) engine.i8View(exitsAt, exits.length).set(exits);
}

/** The last candle decides nothing. */
function isActive(engine: Engine, { input: { candles, scoredCount }, prepared }: Member): boolean {
  const first = candles.time.length - scoredCount;
  return engine.f64View(prepared.scoreAt + 8 * first, scoredCount - 1).some((score) => !Number.isNaN(score));
}

/** The engine reads whole vectors of 16 bytes. */
function pushExits(engine: Engine, exits: Int8Array): number {
  const at = engine.reserveBytes((exits.length + 15) & ~15);
  engine.i8View(at, exits.length).set(exits);
  return at;
}

/** The returns of the account as those of one trial among the earlier ones. */
function judgeOf(
  engine: Engine,
  input: PortfolioInput,
  { equity, time, trades }: Pick<PortfolioResult, 'equity' | 'time' | 'trades'>,
): TaskResult<PortfolioResult['honesty']> {
  if (input.judge === undefined || equity.length < 2) return ok(null);
  const initial = initialEquityOf(input);
  const returns = equity.map((value, i) => (value - (equity[i - 1] ?? initial)) / initial);
  const steps = time.subarray(1).map((at, i) => at - (time[i] ?? Number.NaN));
  const barMs = steps.reduce((least, step) => Math.min(least, step), Infinity);
  return honesty(engine, {
    kind: 'returns',
    returns,
    trialCount: 1,
    bestIndex: 0,
    barMs,
    tradeCount: trades.length,
    isOfAccount: true,
    ...input.judge,
  });
}

/** The hash of every candle, funding and mark price of the account. */
export const hashCandles = (candidates: readonly Candidate[]): string =>
  hashSections(
    candidates.flatMap(({ symbol, input }) => [codePointsOf(symbol), codePointsOf(hashSeries(strategyData(input)))]),
  );

function paramsSections(input: PortfolioInput, candidates: readonly Candidate[], members: readonly Member[]) {
  const limits = limitsRow(input.limits, initialEquityOf(input));
  const own = candidates.map(({ input: each }, k) =>
    codePointsOf(hashSections(strategyParams(each, members[k]?.prepared.rules ?? new Float64Array()))),
  );
  return [limits, ...own];
}
