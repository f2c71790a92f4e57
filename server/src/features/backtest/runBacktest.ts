import type { BacktestResult, EnginePool, TaskError } from '@sextant/workers/src/protocol.ts';
import { backtestFromWire } from '@sextant/workers/src/wire/backtest.ts';
import { type BacktestJson, backtestToWire } from '@sextant/workers/src/wire/backtestResult.ts';
import { toWireError } from '@sextant/workers/src/wire/wireError.ts';
import type { z } from 'zod';
import { type Db, withUser } from '../../platform/db/scope.ts';
import { type ApiErrorCode, ok, type Outcome, refuse } from '../../platform/errors.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { runInTurn } from '../market/engineRuns.ts';
import { intervalMs } from '../market/intervals.ts';
import type { ExchangeId, Market } from '../market/port.ts';
import { insertBacktest } from './backtestRepository.ts';
import type { RunBacktestBody } from './runContract.ts';
import { CANDLES_MAX, SCORED_DEFAULT } from './runContract.ts';

export interface RunBacktestDeps {
  db: Db;
  market: Market;
  engine: EnginePool;
  limiter: RateLimiter;
}

type Body = z.output<typeof RunBacktestBody>;
type CandlesJson = NonNullable<Body['candles']>;
type Input = Parameters<typeof backtestFromWire>[0];

interface Loaded {
  candles: CandlesJson;
  exchange: ExchangeId | null;
  gapCount: number;
  funding: Input['costs']['funding'];
}

export interface BacktestRun extends BacktestJson {
  id: string;
  symbol: string | null;
  exchange: ExchangeId | null;
  interval: Body['interval'];
  first_candle_at: string;
  last_candle_at: string;
  gapCount: number;
}

/** Runs one backtest on the engine pool and stores its headline figures. The browser's engine gives the same bits. */
export async function runBacktest(
  deps: RunBacktestDeps,
  userId: string,
  body: Body,
  signal: AbortSignal,
): Promise<Outcome<BacktestRun>> {
  const loaded = await loadCandles(deps.market, userId, body, signal);
  if (!loaded.ok) return loaded;
  const { candles, exchange, gapCount, funding } = loaded.value;
  const loadedCount = candles.time.length;
  if (loadedCount > CANDLES_MAX) return refuse('validation_failed', tooMany(loadedCount), { field: 'candles' });
  const scored = body.scored ?? (body.symbol === undefined ? loadedCount : Math.min(SCORED_DEFAULT, loadedCount));
  const costs = funding === undefined ? body.costs : { ...body.costs, funding };
  const input = backtestFromWire({ candles, params: body.params, costs, scored });
  const run = await runInTurn(deps.engine, userId, () => deps.engine.run('backtest', input, { signal }));
  if (!run.ok) return run;
  const result = run.value;
  if (!result.ok) return refuseTask(result.error);
  // Input is bounded so that this does not happen; a result that is no number must still not be stored or look like one.
  if (!isAllFinite(result.value)) return refuse('validation_failed', noNumber);

  const wire = backtestToWire(result.value, body.params);
  const symbol = body.symbol ?? null;
  const stored = { symbol: symbol ?? 'CSV', interval: body.interval, params: body.params, hashes: wire.hashes };
  const id = await withUser(deps.db, userId, (tx) =>
    insertBacktest(tx, userId, { ...stored, result: { best: headline(wire) } }),
  );
  const first_candle_at = isoAt(candles.time[0]);
  const last_candle_at = isoAt(candles.time.at(-1));
  const source = { symbol, exchange, interval: body.interval, first_candle_at, last_candle_at, gapCount };
  return ok({ ...wire, id, ...source });
}

async function loadCandles(market: Market, userId: string, body: Body, signal: AbortSignal): Promise<Outcome<Loaded>> {
  const { symbol, exchange, interval, limit, endTime } = body;
  if (symbol === undefined) {
    const candles = body.candles ?? { time: [], open: [], high: [], low: [], close: [], volume: [] };
    return ok({ candles, exchange: null, gapCount: 0, funding: undefined });
  }
  const until = endTime === undefined ? {} : { endTimeMs: endTime };
  const found = await market.candles({ exchange, symbol, interval, limit, userId, signal, ...until });
  if (!found.ok) return found;
  const { candles, gaps } = found.value.value;
  const gapCount = gaps.reduce((sum, { missingCount }) => sum + missingCount, 0);
  const columns = Object.fromEntries(
    (['time', 'open', 'high', 'low', 'close', 'volume'] as const).map((name) => [name, Array.from(candles[name])]),
  ) as CandlesJson;
  const funding = await loadFunding(market, userId, body, columns.time, signal);
  return ok({ candles: columns, exchange, gapCount, funding });
}

/** Funding is a cost to know, not a condition: without it the run goes on and says `isFundingKnown: false`. */
async function loadFunding(
  market: Market,
  userId: string,
  { symbol, exchange, interval, costs }: Body,
  time: number[],
  signal: AbortSignal,
): Promise<Loaded['funding']> {
  const sinceMs = time[0];
  const lastMs = time.at(-1);
  if (costs.funding !== undefined || symbol === undefined || sinceMs === undefined || lastMs === undefined) return;
  // To the end of the last candle: venues stamp a funding some milliseconds after the hour.
  const untilMs = lastMs + intervalMs[interval];
  const history = await market.fundingHistory({ exchange, symbol, sinceMs, untilMs, userId, signal });
  if (!history.ok) return;
  return { time: Array.from(history.value.value.time), rate: Array.from(history.value.value.rate) };
}

/** The summary without its curves: what is stored and shown as the last run. */
function headline(wire: BacktestJson): Record<string, number | boolean | null> {
  const entries = Object.entries(wire).filter(
    (entry): entry is [string, number | boolean | null] =>
      typeof entry[1] === 'number' || typeof entry[1] === 'boolean' || entry[1] === null,
  );
  return { ...Object.fromEntries(entries), sharpe: wire.sharpe.value, sortino: wire.sortino.value };
}

const taskCodes: Record<TaskError['code'], ApiErrorCode> = {
  bad_input: 'validation_failed',
  too_short: 'too_few_candles',
  out_of_memory: 'payload_too_large',
  engine_trap: 'internal',
  cancelled: 'deadline_exceeded',
  deadline_exceeded: 'deadline_exceeded',
  overloaded: 'overloaded',
};

/** What a failed engine task means to the caller of the API, in the API's own field names. */
export function refuseTask(error: TaskError): Outcome<never> {
  const { code, message, field } = toWireError(error);
  return refuse(taskCodes[code], message, field === undefined ? {} : { field });
}

function isAllFinite({ summary, trades, equity }: BacktestResult): boolean {
  const isNumber = (value: unknown): boolean => typeof value !== 'number' || Number.isFinite(value);
  const areNumbers = (record: object): boolean => Object.values(record).every(isNumber);
  const statistics = [summary.sharpe, summary.sortino];
  return equity.every((value) => Number.isFinite(value)) && [summary, ...statistics, ...trades].every(areNumbers);
}

const noNumber = 'These prices, times and costs give results beyond what a number can hold.';
const isoAt = (timeMs: number | undefined): string => new Date(timeMs ?? 0).toISOString();
const tooMany = (count: number): string => `candles: ${count} rows, at most ${CANDLES_MAX}`;
