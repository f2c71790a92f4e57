import { api, dataOf } from '../../api/client.ts';
import type { RunBacktestBody } from '../../api/types.ts';
import type { Run } from './backtestState.ts';
import { compareHashes, hashesOf, type Verification } from './hashes.ts';
import { paramsToJson } from './params.ts';

/** What the API loads by itself at most; more is sent as own candles. */
export const LIMIT_MAX = 10_000;
/** The fewest the API may be asked for; of a younger market it gives what there is. */
const LIMIT_MIN = 100;

/**
 * The run as the API takes it. Candles of an exchange are named and not sent: then the server runs on what it has itself, and
 * the hash of the data says whether both had the same.
 */
export function runBodyOf({
  loaded,
  params,
  costs,
  scoredCount,
}: Pick<Run, 'loaded' | 'params' | 'costs' | 'scoredCount'>): RunBacktestBody {
  const { funding, ...plain } = costs;
  const shared = { interval: loaded.interval, params: paramsToJson(params), scored: scoredCount };
  const { time, open, high, low, close, volume } = loaded.candles;
  const isNamed = loaded.source === 'exchange' && time.length <= LIMIT_MAX && loaded.exchange === 'binance';
  if (isNamed) {
    const endTime = (time.at(-1) ?? 0) + loaded.intervalMs;
    return {
      ...shared,
      exchange: 'binance',
      symbol: loaded.label,
      limit: Math.max(LIMIT_MIN, time.length),
      endTime,
      costs: plain,
    };
  }
  const columns = { time, open, high, low, close, volume };
  const candles = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, Array.from(column)]),
  ) as Record<keyof typeof columns, number[]>;
  // JSON has no typed arrays.
  const known = funding && { time: Array.from(funding.time), rate: Array.from(funding.rate) };
  const sent = known === undefined ? plain : { ...plain, funding: known };
  return { ...shared, exchange: 'binance', limit: 800, candles, costs: sent, label: loaded.label };
}

/**
 * Runs the same candles, parameters and costs on the server, and keeps the run there when it is given a name.
 * @throws ApiFailure when it refuses, UnexpectedAnswer when what comes back is no backtest
 */
export async function verifyOnServer(run: Run, name?: string): Promise<Verification> {
  const body = { ...runBodyOf(run), ...(name === undefined ? {} : { name }) };
  const answer = await dataOf(api.POST('/api/backtest', { body }));
  return compareHashes(run.result.hashes, hashesOf(answer));
}
