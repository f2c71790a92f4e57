// Long because candles, fundings, mark prices and contract of one run are loaded together.
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import {
  type Contract,
  endNotes,
  hasContractRules,
  marginNotes,
  withContract,
} from '@sextant/workers/src/candles/contract.ts';
import { type CandleWindow, candleWindow } from '@sextant/workers/src/candles/candleWindow.ts';
import { contextCount } from '@sextant/workers/src/candles/strategyCandles.ts';
import { runCandles } from '@sextant/workers/src/candles/runCandles.ts';
import { withoutForming } from '@sextant/workers/src/candles/closedCandles.ts';
import { OWN_CANDLES_MAX, MINUTES_MAX } from '@sextant/workers/src/core/limits.ts';
import { alignMarks, minutesByBar } from '@sextant/workers/src/candles/minutes.ts';
import type { BacktestInput, BacktestResult, Candles, MarkPrices } from '@sextant/workers/src/protocol/backtest.ts';
import { fail, type TaskResult } from '@sextant/workers/src/protocol/taskResult.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { StrategyInput } from '@sextant/workers/src/protocol/strategy.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { type SettleOptions, settleRun } from '@sextant/workers/src/candles/settle.ts';
import { backtestFromWire } from '@sextant/workers/src/protocol/wire/backtest.ts';
import { candlesFromWire } from '@sextant/workers/src/protocol/wire/candles.ts';
import { SCORED_DEFAULT } from '@sextant/workers/src/protocol/wire/defaults.ts';
import type { z } from 'zod';
import { intervalMs, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { retryRequest } from '../../platform/retryRequest.ts';
import { type Outcome, type Rejection, reject } from '../../platform/errors.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import { runInTurn } from '../market/engineRuns.ts';
import type { ExchangeId, Market } from '../market/port.ts';
import { readPriority } from '../../platform/readPriority.ts';
import { rejectTask } from '../market/rejectTask.ts';
import type { RunBacktestBody } from './runContract.ts';

export type RunBody = z.output<typeof RunBacktestBody>;
type CandlesJson = NonNullable<RunBody['candles']>;
type Costs = Parameters<typeof backtestFromWire>[0]['costs'];

/** Source of the candles in a response. */
export interface RunSource {
  symbol: string | null;
  exchange: ExchangeId | null;
  interval: RunBody['interval'];
  first_candle_at: string;
  last_candle_at: string;
  gapCount: number;
  /** Names the rows of sent candles that had not closed, or says that all end in the future. */
  leftOut: string | null;
  /** The rules that applied to orders and positions. */
  contract: (Contract & { leverage: number; notes: string[] }) | null;
}

export interface LoadedRun {
  input: BacktestInput;
  /** Costs of the input, as stored with the run. */
  costs: Costs;
  /** The rules that run instead of the input's parameters. */
  rules?: Pick<StrategyInput, 'strategy' | 'context'>;
  /** Loads the minutes inside candles of this run; absent when they are not requested, or were sent. */
  minutes?: MinuteLoad;
  /** Source of these minutes. */
  minuteMarket?: MinuteMarket;
  /** Why its mark prices could not be loaded. */
  marksProblem: string | null;
  /** Epoch ms at which the last candle closed. */
  endTimeMs: number;
  symbol: string | null;
  /** Called after the engine has accepted the candles: unchecked times may be invalid dates. */
  source: () => RunSource;
}

/** The market whose minute candles a run on some interval takes. */
export interface MinuteMarket extends Pick<RunBody, 'exchange' | 'interval'> {
  symbol: string;
}

type MinuteLoad = SettleOptions['load'];

interface Loaded {
  candles: CandlesJson;
  exchange: ExchangeId | null;
  gapCount: number;
  funding: Costs['funding'];
}

/** The input of the engine for a request: its own candles, or those of a symbol with its fundings. */
export async function loadRun(
  market: Market,
  userId: string | undefined,
  sentBody: RunBody,
  signal: AbortSignal,
): Promise<Outcome<LoadedRun>> {
  const { sent: body, leftOut } = closedOnly(sentBody);
  const loaded = await loadCandles(market, userId, body, signal);
  if (!loaded.ok) return loaded;
  const { candles, exchange, gapCount, funding } = loaded.value;
  const count = candles.time.length;
  if (count > OWN_CANDLES_MAX) return reject('validation_failed', tooMany(count), { field: 'candles' });
  const scored = body.scored ?? (body.symbol === undefined ? count : Math.min(SCORED_DEFAULT, count));
  const contract = await loadContract(market, userId, body, signal);
  if (!contract.ok) return contract;
  const stated = costsOf(body, contract.value);
  const costs = funding === undefined ? stated : { ...stated, funding };
  const sent = withoutUndefined({ markPrices: body.markPrices, fineCandles: body.fineCandles });
  const input = backtestFromWire({ candles, params: body.params, costs, scored, ...sent });
  const marks = await loadMarks(market, userId, body, input.candles, signal);
  if (marks.prices !== undefined) input.markPrices = marks.prices;
  const symbol = body.symbol ?? null;
  const source = (): RunSource => ({
    symbol,
    exchange,
    interval: body.interval,
    gapCount,
    leftOut,
    contract: contract.value && {
      ...contract.value,
      leverage: stated.leverage,
      notes: notesOf(contract.value, stated),
    },
    first_candle_at: isoAt(candles.time[0]),
    last_candle_at: isoAt(candles.time.at(-1)),
  });
  const window = candleWindow(candles.time, intervalMs[body.interval]);
  const context = await loadContext(market, userId, body, window, signal);
  if (!context.ok) return context;
  const { strategy } = body;
  const rules = strategy === undefined ? {} : { rules: { strategy, context: context.value } };
  const minuteMarket = minuteMarketOf(body);
  const minutes =
    minuteMarket && minuteLoad(market, { ...minuteMarket, ...withoutUndefined({ userId }) }, input.candles, signal);
  const fine = withoutUndefined({ minuteMarket, minutes });
  return ok({
    input,
    costs: stated,
    symbol,
    source,
    marksProblem: marks.problem,
    endTimeMs: window.untilMs,
    ...rules,
    ...fine,
  });
}

/** Charged costs: fees and the liquidation formula default to those of the exchange. */
function costsOf({ costs, exchange }: RunBody, contract: Contract | null): Costs {
  const fees = { ...costs, ...venueFees[exchange], ...withoutUndefined(pickFees(costs)) };
  const whole = { ...fees, liquidationModel: costs.liquidationModel ?? exchange };
  return contract === null ? whole : { ...withContract(whole, contract), liquidationModel: whole.liquidationModel };
}

const notesOf = (contract: Contract, costs: Costs): string[] => [...endNotes(contract), ...marginNotes(costs)];

const pickFees = ({ takerFeeFraction, makerFeeFraction }: RunBody['costs']) => ({ takerFeeFraction, makerFeeFraction });

/**
 * Contract rules of the run's symbol. Required: without them a run would use sizes that the exchange rejects.
 */
async function loadContract(
  market: Market,
  userId: string | undefined,
  { symbol, rulesOf = symbol, exchange, costs }: RunBody,
  signal: AbortSignal,
): Promise<Outcome<Contract | null>> {
  if (rulesOf === undefined || rulesOf === 'none' || hasContractRules(costs)) return ok(null);
  const outcome = await market.contract({ exchange, symbol: rulesOf, signal, ...withoutUndefined({ userId }) });
  return outcome.ok ? ok(outcome.value.value) : outcome;
}

/**
 * Why a run continues without a part of its data. A caller that retries after a wait for the exchange then gets the whole run.
 * @throws RefusalError for such a caller
 */
function partMissing(rejection: Rejection): string {
  if (rejection.exchange !== undefined && readPriority().heldFor !== null) throw new RejectionError(rejection);
  return rejection.message;
}

/** Removes candles that have not closed from the candles of a request. */
function closedOnly(body: RunBody): { sent: RunBody; leftOut: string | null } {
  const { candles } = body;
  return candles === undefined ? { sent: body, leftOut: null } : withoutForming({ ...body, candles }, Date.now());
}

/** Mark prices of the candles. Optional like fundings: without them liquidations use the last price. */
async function loadMarks(
  market: Market,
  userId: string | undefined,
  { symbol, exchange, interval, fineData }: RunBody,
  candles: Candles,
  signal: AbortSignal,
): Promise<{ prices?: MarkPrices; problem: string | null }> {
  const count = candles.time.length;
  if (!fineData || symbol === undefined || count === 0) return { problem: null };
  const { fromMs, untilMs } = candleWindow(candles.time, intervalMs[interval]);
  // Gaps make a window longer than its candles.
  const limit = (untilMs - fromMs) / intervalMs[interval];
  const options = {
    exchange,
    symbol,
    interval,
    limit,
    endTimeMs: untilMs,
    signal,
    price: 'mark',
    ...withoutUndefined({ userId }),
  } as const;
  const outcome = await market.candles(options);
  if (!outcome.ok) return { problem: `Mark prices: ${partMissing(outcome.error)}` };
  return { ...withoutUndefined({ prices: alignMarks(candles, outcome.value.value.candles)?.prices }), problem: null };
}

/** Maximum candles per minute query: about eight of them fit into one call of an exchange. */
const MINUTE_QUESTION_MAX = MINUTES_MAX * MINUTE_MS;

function minuteMarketOf({ symbol, minutesOf, exchange, interval, fineData }: RunBody): MinuteMarket | undefined {
  const named = symbol ?? minutesOf;
  return !fineData || named === undefined ? undefined : { exchange, symbol: named, interval };
}

/** No minutes are loaded for a run that sent them or does not request them. */
const noMinutes: MinuteLoad = () => Promise.resolve({ found: new Map(), problem: '' });

/**
 * Loads the minutes inside candles, in several queries. When one fails, the minutes before it are returned with the problem.
 * @param options.isPatient waits, until the signal, when the exchange or the user's share requires a pause
 */
export function minuteLoad(
  market: Market,
  { interval, ...whose }: MinuteMarket & { userId?: string },
  candles: Candles,
  signal: AbortSignal,
  { isPatient = false }: { isPatient?: boolean } = {},
): MinuteLoad {
  const lengthMs = intervalMs[interval];
  const most = Math.max(1, Math.floor(MINUTE_QUESTION_MAX / lengthMs));
  return async (opens) => {
    const matches = new Map<number, Candles | null>();
    for (let from = 0; from < opens.length; from += most) {
      const requested = opens.slice(from, from + most);
      const request = () => market.minutes({ ...whose, opens: requested, lengthMs, signal });
      const loaded = await (isPatient ? retryRequest(request, patienceMs, signal) : request());
      if (!loaded.ok)
        return { found: matches, problem: isPatient ? lateWords(loaded.error) : partMissing(loaded.error) };
      for (const [openMs, minutes] of minutesByBar({ candles, intervalMs: lengthMs }, requested, loaded.value.value))
        matches.set(openMs, minutes);
    }
    return { found: matches, problem: null };
  };
}

/** A timeout of the exchange is not a cancelled request; a used-up share keeps its own message. */
const lateWords = ({ code, message }: Rejection): string =>
  code === 'deadline_exceeded' ? 'The exchange timed out.' : message;

const waitedFor: readonly string[] = ['rate_limited', 'upstream_rate_limited', 'overloaded'];

/** Wait before a retry in ms, for errors that specify one; otherwise undefined. */
const patienceMs = (response: Outcome<unknown>): number | undefined =>
  response.ok || !waitedFor.includes(response.error.code)
    ? undefined
    : 1000 * Math.max(1, response.error.retryAfterS ?? 1);

/** Candles of the longer intervals of a strategy: those sent, or those of a symbol. */
async function loadContext(
  market: Market,
  userId: string | undefined,
  { strategy, symbol, exchange, context: sent = [] }: RunBody,
  window: CandleWindow,
  signal: AbortSignal,
): Promise<Outcome<Candles[]>> {
  if (symbol === undefined) return ok(sent.map(candlesFromWire));
  const context: Candles[] = [];
  const who = withoutUndefined({ userId });
  if (strategy === undefined) return ok([]);
  for (const { interval } of strategy.intervals.slice(1)) {
    const limit = contextCount(window, interval, strategy);
    const options = { exchange, symbol, interval, limit, endTimeMs: window.untilMs, signal, ...who };
    const outcome = await market.candles(options);
    if (!outcome.ok) return outcome;
    context.push(outcome.value.value.candles);
  }
  return ok(context);
}

/**
 * Runs the loaded rules or parameters, and resolves the exits that minutes can resolve. Each run uses a slot of the user on the engine;
 * loading does not.
 */
export async function runLoaded(
  engine: EnginePool,
  who: string,
  { input, rules, minutes }: LoadedRun,
  { interval }: Pick<RunBody, 'interval'>,
  signal: AbortSignal,
): Promise<Outcome<RanRun>> {
  let rejected: Outcome<never> | undefined;
  const { params, ...market } = input;
  const once = async (fineCandles: Candles | undefined): Promise<TaskResult<BacktestResult>> => {
    const fine = fineCandles === undefined ? market : { ...market, fineCandles };
    const run = await runInTurn(engine, who, () =>
      rules === undefined
        ? engine.run('backtest', { ...fine, params }, { signal })
        : engine.run('backtestStrategy', { ...fine, ...rules }, { signal }),
    );
    if (run.ok) return run.value;
    rejected = run;
    return fail('overloaded', run.error.message);
  };
  const options = { candles: input.candles, intervalMs: intervalMs[interval], run: once };
  const settled = await settleRun({ ...options, load: minutes ?? noMinutes });
  if (rejected !== undefined) return rejected;
  const { result, fineCandles, problem } = settled;
  if (!result.ok) return rejectTask(result.error);
  return ok({
    result: result.value,
    fineCandles: fineCandles ?? input.fineCandles,
    minutesProblem: minutes === undefined ? null : problem,
  });
}

export interface RanRun {
  result: BacktestResult;
  /** Minutes used by the run. */
  fineCandles: Candles | undefined;
  /** Why required minutes were not loaded. */
  minutesProblem: string | null;
}

/** Joins the problems of mark prices and minutes into one text. */
export function fineDataProblemOf(
  { marksProblem }: Pick<LoadedRun, 'marksProblem'>,
  ofMinutes: string | null,
): string | null {
  const problems = [marksProblem, ofMinutes === null ? null : `Minute candles: ${ofMinutes}`];
  return problems.filter((problem) => problem !== null).join(' ') || null;
}

async function loadCandles(
  market: Market,
  userId: string | undefined,
  body: RunBody,
  signal: AbortSignal,
): Promise<Outcome<Loaded>> {
  const { symbol, exchange, interval, endTime } = body;
  if (symbol === undefined) {
    const candles = body.candles ?? { time: [], open: [], high: [], low: [], close: [], volume: [] };
    return ok({ candles, exchange: null, gapCount: 0, funding: undefined });
  }
  const until = endTime === undefined ? {} : { endTimeMs: endTime };
  const who = withoutUndefined({ userId });
  const limit = countOf(body);
  const outcome = await market.candles({ exchange, symbol, interval, limit, signal, ...who, ...until });
  if (!outcome.ok) return outcome;
  const { candles, gaps } = outcome.value.value;
  const gapCount = gaps.reduce((sum, { missingCount }) => sum + missingCount, 0);
  const columns = Object.fromEntries(
    (['time', 'open', 'high', 'low', 'close', 'volume'] as const).map((name) => [name, Array.from(candles[name])]),
  ) as CandlesJson;
  const funding = await loadFunding(market, userId, body, columns.time, signal);
  return ok({ candles: columns, exchange, gapCount, funding });
}

/** Candles to load: more than `limit` where the rules read whole UTC days, unless it repeats a run that had exactly so many. */
function countOf({ strategy, interval, limit, isExact, scored = SCORED_DEFAULT }: RunBody): number {
  if (strategy === undefined || isExact) return limit;
  return runCandles({ count: limit, scored }, strategy, interval);
}

/** Funding is optional: without it the run continues and returns `isFundingKnown: false`. */
async function loadFunding(
  market: Market,
  userId: string | undefined,
  { symbol, exchange, interval, costs }: RunBody,
  time: number[],
  signal: AbortSignal,
): Promise<Loaded['funding']> {
  if (costs.funding !== undefined || symbol === undefined || time.length === 0) return;
  const { fromMs: sinceMs, untilMs } = candleWindow(time, intervalMs[interval]);
  const who = withoutUndefined({ userId });
  const history = await market.fundingHistory({ exchange, symbol, sinceMs, untilMs, signal, ...who });
  if (!history.ok) return void partMissing(history.error);
  return { time: Array.from(history.value.value.time), rate: Array.from(history.value.value.rate) };
}

const isoAt = (timeMs: number | undefined): string => new Date(timeMs ?? 0).toISOString();
const tooMany = (count: number): string => `candles: ${count} rows, at most ${OWN_CANDLES_MAX}`;
