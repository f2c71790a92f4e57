import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { RUN_CANDLES_MAX, RUN_CANDLES_MIN } from '@sextant/workers/src/core/limits.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { API_LOADED, withoutLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { api, dataOf } from '../../api/client.ts';
import type { components } from '../../api/schema.gen.ts';
import { patientHeaders, waitForExchange } from '../../data/exchangeWait.ts';
import type { RunBacktestBody } from '../../api/types.ts';
import type { Run } from './backtestState.ts';
import { compareHashes, hashesOf, type Verification } from './hashes.ts';
import { paramsToJson } from './params.ts';

/**
 * The run as an API request. Exchange candles are named and not sent: the server then uses its own, and the data hash shows whether both
 * had the same.
 */
export function runBodyOf({
  loaded,
  params,
  strategy,
  context = [],
  costs,
  scoredCount,
  fineData,
  minutes,
}: Omit<Run, 'result' | 'tookMs' | 'opened'>): RunBacktestBody {
  const { funding, ...own } = costs;
  const plain = { ...withoutLiquidity, ...own };
  // Rules run instead of the parameters, which are then unused.
  const rules = strategy === undefined ? { params: paramsToJson(params) } : { params: {}, strategy };
  const range = loaded.source === 'exchange' ? { isRange: loaded.scoredFromMs !== undefined } : {};
  // The rules of the contract are values of the costs: none are loaded.
  const bound = { rulesOf: 'none' } as const;
  const shared = { interval: loaded.interval, ...rules, ...range, ...bound, scored: scoredCount, fineData };
  const { time } = loaded.candles;
  // Of a longer history the candles are sent.
  const isNamed = loaded.source === 'exchange' && time.length <= RUN_CANDLES_MAX && loaded.exchange === 'binance';
  if (isNamed) {
    const endTime = (time.at(-1) ?? 0) + loaded.intervalMs;
    return {
      ...shared,
      exchange: 'binance',
      symbol: loaded.label,
      limit: Math.max(RUN_CANDLES_MIN, time.length),
      isExact: true,
      endTime,
      costs: plain,
    };
  }
  const candles = columnsOf(loaded.candles);
  const longer = context.length === 0 ? {} : { context: context.map(columnsOf) };
  // JSON has no typed arrays.
  const known = funding && { time: Array.from(funding.time), rate: Array.from(funding.rate) };
  const sent = known === undefined ? plain : { ...plain, funding: known };
  const fine = fineData ? finePart(loaded, minutes) : {};
  return {
    ...shared,
    ...longer,
    ...fine,
    exchange: 'binance',
    limit: API_LOADED,
    isExact: false,
    candles,
    costs: sent,
    label: loaded.label,
  };
}

/** Mark prices and minutes beside candles that are sent. */
function finePart({ marks }: Run['loaded'], minutes: Candles | undefined): Partial<RunBacktestBody> {
  const listOf = (column: Float64Array): number[] => Array.from(column);
  const prices = marks && {
    open: listOf(marks.prices.open),
    high: listOf(marks.prices.high),
    low: listOf(marks.prices.low),
  };
  return {
    ...(prices ? { markPrices: prices } : {}),
    ...(minutes === undefined ? {} : { fineCandles: columnsOf(minutes) }),
  };
}

function columnsOf({ time, open, high, low, close, volume }: Candles): NonNullable<RunBacktestBody['candles']> {
  const columns = { time, open, high, low, close, volume };
  const entries = Object.entries(columns).map(([name, column]) => [name, Array.from(column)]);
  return Object.fromEntries(entries) as NonNullable<RunBacktestBody['candles']>;
}

function problemOf({ result, minutesProblem }: Run, response: object): string | null {
  const ofServer = 'fineDataProblem' in response ? response.fineDataProblem : null;
  if (typeof ofServer === 'string') return `The server lacked some data. ${ofServer}`;
  if (!result.summary.isFundingKnown) return 'This browser lacked some funding data.';
  return minutesProblem === undefined ? null : `This browser lacked some 1-minute data. ${minutesProblem}`;
}

export type CandleRevision = components['schemas']['HistoryRevision'];

export interface ServerVerification extends Verification {
  /** Id of the stored run; null when none was stored. */
  id: string | null;
  /** Candles that the exchange sent with other values later. */
  revisions: readonly CandleRevision[];
}

/**
 * Runs the same candles, parameters and costs on the server, and saves the run there when it is given a name.
 * @returns `id`: that of the stored run
 * @throws ApiFailure when the server rejects it, UnexpectedResponse when the response is no backtest
 */
export async function verifyOnServer(run: Run, name?: string): Promise<ServerVerification> {
  const body = { ...runBodyOf(run), ...withoutUndefined({ name }) };
  const response = await waitForExchange(() => dataOf(api.POST('/api/backtest', { body, headers: patientHeaders })));
  const hashes = hashesOf(response);
  const id = 'id' in response ? response.id : null;
  const revisions = 'revisions' in response ? response.revisions : [];
  return { ...compareHashes(run.result.hashes, hashes, problemOf(run, response)), id, revisions };
}
