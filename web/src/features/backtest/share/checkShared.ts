import type { BacktestHashes, BacktestInput, Candles, MarkPrices } from '@sextant/workers/src/protocol.ts';
import { StrategyWire } from '@sextant/workers/src/wire/strategy.ts';
import { intervalToMs, type LoadedCandles } from '../../../api/candles.ts';
import { api, dataOf } from '../../../api/client.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import type { Run } from '../backtestState.ts';
import { differenceWords, hashNames } from '../hashes.ts';
import { defaultParams, type ParamsJson, paramsFromJson } from '../params.ts';
import type { SharedRun } from './shareLink.ts';

export interface SharedRow {
  name: (typeof hashNames)[number];
  link: string;
  server: string;
  browser: string;
  isEqual: boolean;
}

export interface CheckedRun {
  run: Run;
  rows: SharedRow[];
  verdict: Verdict;
  market: 'simulated' | 'replay' | 'live';
}

export function sharedRows(link: BacktestHashes, server: BacktestHashes, browser: BacktestHashes): SharedRow[] {
  return hashNames.map((name) => ({
    name,
    link: link[name],
    server: server[name],
    browser: browser[name],
    isEqual: link[name] === server[name] && link[name] === browser[name],
  }));
}

/** `equal`: nothing differs. `reproduced`: another engine got the very same. `broken`: not what it says. */
export interface Verdict {
  kind: 'equal' | 'reproduced' | 'broken';
  text: string;
}

/** What the three sets of hashes say about a link, in words. */
export function verdictOf(rows: readonly SharedRow[]): Verdict {
  const row = (name: SharedRow['name']) => rows.find((each) => each.name === name);
  const different = rows.filter(({ isEqual }) => !isEqual).map(({ name }) => name);
  if (different.length === 0)
    return {
      kind: 'equal',
      text: 'Checked: the server and this browser both got the four hashes of the link, bit for bit.',
    };
  const engine = row('engine');
  if (engine !== undefined && engine.server !== engine.browser)
    return { kind: 'broken', text: 'Not checked: this page is older than the server. Load it again.' };
  if (different.length === 1 && different[0] === 'engine')
    return {
      kind: 'reproduced',
      text: 'The link names another engine version. The current one got the same result on the same candles, bit for bit.',
    };
  return {
    kind: 'broken',
    text: `Do not rely on this link: ${different.map((name) => differenceWords[name]).join('; ')}.`,
  };
}

const candlesOf = (columns: Record<keyof Candles, number[]>): Candles =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, Float64Array.from(column)]),
  ) as unknown as Candles;

const marksOf = ({ open, high, low }: Record<keyof MarkPrices, number[]>): MarkPrices => ({
  open: Float64Array.from(open),
  high: Float64Array.from(high),
  low: Float64Array.from(low),
});

/** The run of the parameters of a link, or of its rules. */
async function repeat(
  { params: json, strategy: sent }: SharedRun['body'],
  market: Omit<BacktestInput, 'params'>,
  context: Candles[],
  signal: AbortSignal,
): Promise<Pick<Run, 'params' | 'strategy' | 'context' | 'result'>> {
  if (sent === undefined) {
    const params = paramsFromJson(json as ParamsJson);
    return { params, result: await runEngineTask('backtest', { ...market, params }, { signal }) };
  }
  const strategy = StrategyWire.parse(sent);
  const result = await runEngineTask('backtestStrategy', { ...market, strategy, context }, { signal });
  return { params: defaultParams(), strategy, context, result };
}

/**
 * Repeats a shared run twice: the server on candles it fetches itself, and this browser on the same candles.
 * @throws ApiFailure when the server refuses, Error when the engine does
 */
export async function checkShared({ body, hashes }: SharedRun, signal: AbortSignal): Promise<CheckedRun> {
  const answer = await dataOf(api.POST('/api/shared-backtest', { body, signal }));
  const { interval, symbol, scored } = body;
  const { funding: sent } = answer;
  const funding = sent && { time: Float64Array.from(sent.time), rate: Float64Array.from(sent.rate) };
  const loaded: LoadedCandles = {
    candles: candlesOf(answer.candles),
    label: symbol,
    interval,
    funding,
    intervalMs: intervalToMs(interval),
    source: 'exchange',
    exchange: answer.exchange,
    marks: answer.markPrices && { prices: marksOf(answer.markPrices), missingCount: 0 },
  };
  const costs = { ...(body.costs as Run['costs']), ...(funding === null ? {} : { funding }) };
  const startedAt = performance.now();
  const { markPrices, fineCandles } = answer;
  const marks = markPrices && marksOf(markPrices);
  const minutes = fineCandles === null ? undefined : candlesOf(fineCandles);
  const market = {
    candles: loaded.candles,
    costs,
    scoredCount: scored,
    ...(marks === null ? {} : { markPrices: marks }),
    ...(minutes === undefined ? {} : { fineCandles: minutes }),
  };
  const repeated = await repeat(body, market, answer.context.map(candlesOf), signal);
  const fineData = body.fineData ?? false;
  const tookMs = performance.now() - startedAt;
  const run: Run = { loaded, costs, scoredCount: scored, fineData, tookMs, ...repeated };
  if (minutes !== undefined) run.minutes = minutes;
  const { result } = run;
  const rows = sharedRows(hashes, answer.hashes, result.hashes);
  return { run, rows, verdict: verdictOf(rows), market: answer.market };
}
