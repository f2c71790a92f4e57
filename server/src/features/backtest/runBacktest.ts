import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { HonestyInput } from '@sextant/workers/src/protocol/honesty.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { type BacktestJson, backtestToWire, type SizedBy } from '@sextant/workers/src/protocol/wire/backtestResult.ts';
import type { z } from 'zod';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { without } from '../../platform/without.ts';
import type { RevisionWire } from '../history/contract.ts';
import type { History } from '../history/port.ts';
import type { Market } from '../market/port.ts';
import { countNamed, insertBacktest, NAMED_MAX } from './backtestRepository.ts';
import type { BacktestSetup } from './contract.ts';
import { countRunTried, nothingTried, type Tried } from './countTried.ts';
import type { HonestyVerdict } from './runContract.ts';
import { judgeRun, singleSearch } from './judgeRun.ts';
import { fineDataProblemOf, type LoadedRun, loadRun, type RunBody, runLoaded, type RunSource } from './loadRun.ts';

export interface RunBacktestDeps {
  db: Db;
  jobs: Jobs;
  market: Market;
  engine: EnginePool;
  limiter: RateLimiter;
  /** Stores a run; the database unless set. */
  storeRun?: StoreRun;
  /** Absent in the sandbox. */
  history?: Pick<History, 'readRevisions'>;
}

/** Stores the headline figures of a run with the inputs to repeat it; returns its id. */
export type StoreRun = (
  userId: string,
  body: RunBody,
  loaded: LoadedRun,
  result: BacktestResult,
  params: RunBody['params'],
) => Promise<Outcome<string>>;

export interface BacktestRun extends BacktestJson, RunSource {
  id: string;
  fineDataProblem: string | null;
  revisions: RevisionWire[];
  strategy?: RunBody['strategy'];
  honesty?: z.input<typeof HonestyVerdict>;
}

/** A run that is stored and counted, before it is put into a response. */
export interface CountedRun {
  id: string;
  loaded: LoadedRun;
  result: BacktestResult;
  /** Minutes used by the run. */
  fineCandles: Candles | undefined;
  minutesProblem: string | null;
  tried: Tried;
}

/** Runs one backtest on the engine pool, stores its headline figures and counts it as tried. */
export async function runCounted(
  deps: RunBacktestDeps,
  userId: string,
  body: RunBody,
  signal: AbortSignal,
): Promise<Outcome<CountedRun>> {
  const loaded = await loadRun(deps.market, userId, body, signal);
  if (!loaded.ok) return loaded;
  const run = await runLoaded(deps.engine, userId, loaded.value, body, signal);
  if (!run.ok) return run;
  const { result } = run.value;
  const stored = await storeIn(deps)(userId, body, loaded.value, result, body.params);
  if (!stored.ok) return stored;
  const set = { loaded: loaded.value, body, dataHash: result.hashes.data };
  const tried = deps.storeRun === undefined ? await countRunTried(deps.db, userId, set) : nothingTried;
  return ok({ ...run.value, id: stored.value, loaded: loaded.value, tried });
}

/** Runs one backtest and returns its response. The browser's engine gives the same bits. */
export async function runBacktest(
  deps: RunBacktestDeps,
  userId: string,
  body: RunBody,
  signal: AbortSignal,
): Promise<Outcome<BacktestRun>> {
  const run = await runCounted(deps, userId, body, signal);
  if (!run.ok) return run;
  const { id, loaded, result, fineCandles, minutesProblem, tried } = run.value;
  const { input, rules, source } = loaded;
  const named = body.strategy === undefined ? {} : { strategy: body.strategy };
  const response = {
    ...backtestToWire(result, body.params, sizedBy(loaded)),
    id,
    ...source(),
    fineDataProblem: fineDataProblemOf(loaded, minutesProblem),
    revisions: await readRevisions(deps, body, loaded),
    ...named,
  };
  if (!body.honesty) return ok(response);
  const earlier = Math.max(tried.before.trials, body.earlierTrials);
  const judgedInput = judgedAs(fineCandles === undefined ? input : { ...input, fineCandles }, rules, earlier);
  const judged = await judgeRun(deps, userId, { input: judgedInput, tried }, signal);
  return judged.ok ? ok({ ...response, honesty: judged.value }) : judged;
}

/** Candles of the run that the exchange sent with other values later; none while the store cannot be read, or for sent candles. */
export async function readRevisions(
  { history }: Pick<RunBacktestDeps, 'history'>,
  { exchange, interval }: Pick<RunBody, 'exchange' | 'interval'>,
  { symbol, input }: Pick<LoadedRun, 'symbol' | 'input'>,
): Promise<RevisionWire[]> {
  const { time } = input.candles;
  const [from, to] = [time[0], time.at(-1)];
  if (history === undefined || symbol === null || from === undefined || to === undefined) return [];
  const read = await history.readRevisions({ exchange, symbol, interval }, from, to);
  return read.ok ? read.value : [];
}

export const sizedBy = ({ input: { costs }, rules }: LoadedRun): SizedBy => ({ costs, strategy: rules?.strategy });

function judgedAs(input: LoadedRun['input'], rules: LoadedRun['rules'], earlierTrialCount: number): HonestyInput {
  const { params: _unused, ...market } = input;
  return rules === undefined
    ? { kind: 'search', search: singleSearch(input), earlierTrialCount }
    : { kind: 'rules', run: { ...market, ...rules }, seed: 1, earlierTrialCount };
}

export const storeIn = ({ db, storeRun: given }: Pick<RunBacktestDeps, 'db' | 'storeRun'>): StoreRun =>
  given ?? ((...run) => storeRun(db, ...run));

async function storeRun(
  db: Db,
  userId: string,
  body: RunBody,
  loaded: LoadedRun,
  result: BacktestResult,
  params: RunBody['params'],
): Promise<Outcome<string>> {
  // Bounded input prevents this; a result that is not a number must still never be stored or shown.
  if (!isAllFinite(result)) return reject('validation_failed', noNumber);
  const wire = backtestToWire(result, params, sizedBy(loaded));
  const run = {
    symbol: loaded.symbol ?? 'CSV',
    interval: body.interval,
    params,
    strategy: loaded.rules?.strategy ?? null,
    hashes: wire.hashes,
    name: body.name ?? null,
    setup: setupOf(body, loaded),
    result: { best: headline(wire), equity: thinned(result.equity) },
  };
  return withUser(db, userId, async (tx) => {
    if (run.name !== null && (await countNamed(tx, userId)) >= NAMED_MAX) {
      return reject('conflict', `Limit reached (${NAMED_MAX} named runs). Delete one first.`, { field: 'name' });
    }
    return ok(await insertBacktest(tx, userId, run));
  });
}

/** Inputs to repeat a run. */
export function setupOf(body: RunBody, { input, costs, endTimeMs, symbol }: LoadedRun): z.output<typeof BacktestSetup> {
  return {
    exchange: symbol === null ? null : body.exchange,
    label: body.label ?? symbol,
    end_time: endTimeMs,
    costs: without(costs, 'funding'),
    loaded: input.candles.time.length,
    scored: input.scoredCount,
    ...(body.fineData ? { fineData: true } : {}),
    ...withoutUndefined({ isRange: body.isRange }),
  };
}

const PICTURE_POINTS = 240;

/** Evenly spaced values including the first and the last: enough for a chart. */
function thinned(values: Float64Array): number[] {
  const count = Math.min(values.length, PICTURE_POINTS);
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? 0 : Math.round((i * (values.length - 1)) / (count - 1));
    return values[at] ?? 0;
  });
}

/** The summary without its curves: stored, and shown as the last run. */
function headline(wire: BacktestJson): Record<string, number | boolean | null> {
  const entries = Object.entries(wire).filter(
    (entry): entry is [string, number | boolean | null] =>
      typeof entry[1] === 'number' || typeof entry[1] === 'boolean' || entry[1] === null,
  );
  return { ...Object.fromEntries(entries), sharpe: wire.sharpe.value, sortino: wire.sortino.value };
}

function isAllFinite({ summary, trades, equity, analysis }: BacktestResult): boolean {
  const isNumber = (value: unknown): boolean => typeof value !== 'number' || Number.isFinite(value);
  const areNumbers = (record: object): boolean => Object.values(record).every(isNumber);
  const statistics = [summary.sharpe, summary.sortino];
  return (
    equity.every((value) => Number.isFinite(value)) && [summary, analysis, ...statistics, ...trades].every(areNumbers)
  );
}

const noNumber = 'These prices, times and costs overflow. Use smaller values.';
