import { candleWindow, fundingWithin } from '@sextant/workers/src/candles/candleWindow.ts';
import { alignMarks } from '@sextant/workers/src/candles/minutes.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { RuleInputs } from '@sextant/workers/src/protocol/ensemble.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { newsOpinion } from '@sextant/workers/src/signals/newsVote.ts';
import type { Signal } from '@sextant/workers/src/protocol/signals.ts';
import { scanRulesOf, signalSizing, timeframesOf } from '@sextant/workers/src/signals/signalRules.ts';
import { signalHashes } from '@sextant/workers/src/tasks/signalHashes.ts';
import { useMutation } from '@tanstack/react-query';
import { intervalToMs } from '../../../api/candles.ts';
import { messageOf, WordedError } from '../../../api/failure.ts';
import { type CandleResponse, fetchCandles, fetchFunding } from '../../../data/market.ts';
import type { ConfidenceBasis, IntervalName, Scan, ScanSignal } from '../../../api/types.ts';
import { isOfRule, statedConfidence } from '../../../format/confidence.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { Notice } from '../../../ui/Notice.tsx';

/** A signal of a scan, with its inputs. */
interface Stored {
  signal: ScanSignal;
  params: Scan['params'];
  basis: ConfidenceBasis | undefined;
}

interface Comparison {
  name: string;
  server: string;
  browser: string;
  isEqual: boolean;
}

interface Reproduction {
  /** Hashes first, then the figures. */
  rows: Comparison[];
  isEqual: boolean;
  /** Whether both used the same candles; otherwise a difference is not the engine's. */
  isSameData: boolean;
}

interface Tools {
  engine: EnginePool;
  candles: typeof fetchCandles;
  signal?: AbortSignal;
}

/**
 * Computes a stored signal again: the candles that had closed at its time, the tuning of its scan, the engine of this browser.
 * @throws ApiFailure when the candles cannot be fetched, Error with a message when the engine rejects them
 */
async function reproduce({ signal: match, params, basis }: Stored, tools: Tools): Promise<Reproduction> {
  const endTimeMs = Date.parse(match.candle_close_at);
  const responses = await Promise.all(
    match.timeframes.map(({ interval }) => windowOf({ found: match, limit: params.limit, endTimeMs }, interval, tools)),
  );
  const timeframes = timeframesOf(
    match.timeframes.map(({ interval }, i) => ({
      interval,
      stepMs: intervalToMs(interval),
      candles: (responses[i] as CandleResponse).candles,
    })),
    params.strategy?.value,
  );
  const ruleInputs = await ruleInputsOf(match, params, timeframes[0]?.candles, tools);
  const rules = scanRulesOf(params);
  const { limits } = match.position;
  const market = {
    tickSize: limits.tick_size,
    stepSize: limits.step_size,
    minNotional: limits.min_notional,
    maxQuantity: limits.max_quantity ?? 0,
    maxLeverage: limits.max_leverage,
  };
  const news = newsOf(match);
  const item = { symbol: match.symbol, exchange: params.exchange, timeframes, market, news, ruleInputs };
  const input = { items: [item], rules, sizing: signalSizing(params) };
  // Before the columns go to a worker.
  const hashes = signalHashes(item, rules);
  const result = await tools.engine.run('signals', input, tools.signal === undefined ? {} : { signal: tools.signal });
  if (!result.ok) throw new WordedError(result.error.message);
  const row = result.value.rows[0]?.signal;
  if (row?.ok !== true) throw new WordedError(row?.error.message ?? 'No response from the engine.');
  return verdictOn(match, row.value, { own: { engine: result.value.engineHash, ...hashes }, news, basis });
}

/** What own rules read beside the candles: fundings and mark prices of the same time. */
async function ruleInputsOf(
  { symbol, interval, exchange }: ScanSignal,
  { strategy }: Stored['params'],
  candles: Candles | undefined,
  tools: Tools,
): Promise<RuleInputs | undefined> {
  if (strategy?.value.rules === undefined || candles === undefined) return undefined;
  // The compiler is loaded for own rules alone.
  const { readsOf } = await import('@sextant/workers/src/rules/liveInputs.ts');
  const reads = readsOf(strategy.value);
  if (!reads.funding && !reads.mark) return undefined;
  const { fromMs, untilMs } = candleWindow(candles.time, intervalToMs(interval));
  const signal = tools.signal ?? new AbortController().signal;
  const settled = reads.funding
    ? await fetchFunding(symbol, { sinceMs: fromMs, untilMs: untilMs + 1 }, signal)
    : undefined;
  const limit = Math.round((untilMs - fromMs) / intervalToMs(interval));
  const query = {
    exchange,
    symbol,
    interval: interval as IntervalName,
    limit,
    endTimeMs: untilMs,
    price: 'mark',
  } as const;
  const marks = reads.mark ? (await tools.candles({ ...query, signal })).candles : undefined;
  return withoutUndefined({
    funding: settled && fundingWithin(settled, { fromMs, untilMs: untilMs + 1 }),
    markPrices: marks && alignMarks(candles, marks)?.prices,
  });
}

/** The vote that follows from the stories and weights the signal carries. */
function newsOf({ news, candle_close_at: closeAt }: ScanSignal): -1 | 1 | undefined {
  const stories = (news?.stories ?? []).map((story) => ({
    firstSeenMs: Date.parse(story.first_seen_at),
    pubDateMs: Date.parse(story.pub_date),
    sentiment: story.sentiment === 'bullish' ? 1 : -1,
    isHighImpact: story.is_high_impact,
    weight: story.weight,
  }));
  return newsOpinion(stories, Date.parse(closeAt)).vote;
}

const newsWord = (vote: -1 | 1 | undefined): string => (vote === undefined ? 'no say' : vote > 0 ? 'LONG' : 'SHORT');

const hashNames = ['engine', 'data', 'params'] as const;

function verdictOn(
  result: ScanSignal,
  { ensemble, position }: Signal,
  { own, news, basis }: { own: ScanSignal['hashes']; news: -1 | 1 | undefined; basis: Stored['basis'] },
): Reproduction {
  const { rawConfidence } = ensemble;
  const stated = result.confidence_kind === 'calibrated' ? statedConfidence(rawConfidence, basis) : rawConfidence;
  const { levels } = ensemble;
  const rows = [
    ...hashNames.map((name) => compare(`Hash: ${name}`, result.hashes[name], own[name])),
    compare('News', result.news?.vote ?? 'no say', newsWord(news)),
    compare('Direction', result.direction, ensemble.direction),
    compare(isOfRule(result) ? 'Signal of your rules' : 'Sum of votes', result.score, ensemble.score),
    compare('Score', result.raw_confidence, rawConfidence),
    compare('Confidence', result.confidence, stated),
    compare('Entry', result.price, ensemble.price),
    compare('Stop', result.stopLoss, levels?.stopLossPrice ?? null),
    compare('Target', result.takeProfit, levels?.takeProfitPrice ?? null),
    compare('Quantity', result.position.qty, position?.quantity ?? 0),
    compare('Liquidation', result.position.liquidationApprox, position?.liquidationPrice ?? null),
  ];
  return { rows, isEqual: rows.every((each) => each.isEqual), isSameData: result.hashes.data === own.data };
}

const windowOf = (
  { found, ...window }: { found: ScanSignal; limit: number; endTimeMs: number },
  interval: string,
  { candles, signal }: Tools,
) =>
  candles({
    ...window,
    exchange: found.exchange,
    symbol: found.symbol,
    interval: interval as IntervalName,
    signal,
  });

/** Compared bit by bit: a nearly equal score counts as different. */
function compare(name: string, server: string | number | null, browser: string | number | null): Comparison {
  return { name, server: String(server), browser: String(browser), isEqual: Object.is(server, browser) };
}

const SHOWN_CHARACTERS = 22;

/** Computes the signal again with the engine of this browser and compares it bit by bit. */
export function ReproducePanel({ signal, params, basis }: Stored) {
  const run = useMutation({
    mutationFn: async () => reproduce({ signal, params, basis }, { engine: await enginePool(), candles: fetchCandles }),
  });
  return (
    <section className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-semibold">Check the calculation</h3>
        <button type="button" className="btn btn-small" disabled={run.isPending} onClick={() => run.mutate()}>
          Reproduce in my browser
        </button>
      </div>
      {run.isPending && <ExchangeWait />}
      {run.isError && (
        <Notice tone="error">Could not compute it here: {messageOf(run.error, 'no response from the engine.')}</Notice>
      )}
      {run.data !== undefined && <Verdict {...run.data} />}
    </section>
  );
}

function Verdict({ rows, isEqual, isSameData }: Reproduction) {
  return (
    <div data-testid="reproduction" data-equal={isEqual} className="flex flex-col gap-2">
      <Notice tone={isEqual ? 'info' : 'warn'}>{verdictText(isEqual, isSameData)}</Notice>
      <dl className="text-label">
        {rows.map(({ name, server, browser, isEqual: isSame }) => (
          <div
            key={name}
            className={`flex justify-between gap-3 border-b border-line py-1 ${isSame ? '' : 'bg-warn-soft'}`}
          >
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-mono">
              {server.slice(0, SHOWN_CHARACTERS)}
              {!isSame && <span className="block text-warn">here {browser.slice(0, SHOWN_CHARACTERS)}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function verdictText(isEqual: boolean, isSameData: boolean): string {
  if (isEqual) return 'Identical to the last bit: engine, candles, rules and every figure.';
  if (isSameData) return 'Same candles, different figures: rules or engine changed since the scan.';
  return 'The exchange no longer provides these candles: no comparison possible.';
}
