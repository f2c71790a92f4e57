import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { BacktestHashes, BacktestInput, Candles, MarkPrices } from '@sextant/workers/src/protocol/backtest.ts';
import { classicNumber } from '@sextant/workers/src/protocol/classicNumbers.ts';
import { StrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { intervalToMs, type LoadedCandles } from '../../../api/candles.ts';
import { api, dataOf } from '../../../api/client.ts';
import { patientHeaders, waitForExchange, waitForRate } from '../../../data/exchangeWait.ts';
import { messageOf } from '../../../api/failure.ts';
import { Chart } from '../../../charts/Chart.tsx';
import { chartMarketOf } from '../../../charts/priceActions.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { formatFixed, formatPercent } from '../../../format/number.ts';
import { rulesText } from '../../../format/strategyText.ts';
import { voteName } from '../../../format/voteName.ts';
import { Logo } from '../../../ui/Bar.tsx';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import type { Run } from '../backtestState.ts';
import { RulesSource } from '../own/RulesSource.tsx';
import { fractionFields, plainFields } from '../costs.ts';
import { differenceWords, hashNames } from '../hashes.ts';
import { defaultParams, formRows, fractionToPercent, paramsFromJson, type ParamsJson } from '../params.ts';
import { fundingName, sameBarName } from '../results/assumptions.ts';
import { orderSizeName } from '../results/liquidityWords.ts';
import { chartOf, CostWaterfall, ExitReasons } from '../results/ResultPanels.tsx';
import { InWords, outcomeSentence } from '../results/InWords.tsx';
import { MetricStrip } from '../results/MetricStrip.tsx';
import { TradeLegend, Warnings } from '../results/RunFacts.tsx';
import { TradesPanel } from '../results/TradesPanel.tsx';
import { readShareLink, type SharedRun } from './shareLink.ts';

/** A shared run, without sign-in: the server and this browser repeat it, and both results are compared with the hashes of the link. */
export function SharedRunPage({ fragment, onLeave }: { fragment: string; onLeave: () => void }) {
  // The router opens this page for share links only: an unreadable fragment is a damaged link.
  const shared = useMemo(() => readShareLink(fragment) ?? 'broken', [fragment]);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-[var(--bar-height)] items-center justify-between gap-3 border-b border-line bg-panel px-4">
        <Logo />
        <button type="button" className="btn btn-small" onClick={onLeave}>
          Open Sextant
        </button>
      </header>
      <main className="mx-auto flex w-full max-w-350 flex-1 flex-col gap-3 p-3">
        <h1 className="text-page font-semibold">Shared backtest</h1>
        {shared === 'broken' ? (
          <Notice tone="error">This link is damaged. Request a new one.</Notice>
        ) : (
          <Shared shared={shared} />
        )}
      </main>
    </div>
  );
}

function Shared({ shared }: { shared: SharedRun }) {
  const check = useQuery({
    // The whole link: another hash beside the same parameters is another link.
    queryKey: ['shared', JSON.stringify(shared)],
    queryFn: ({ signal }) => checkShared(shared, signal),
    staleTime: Infinity,
    retry: false,
  });
  if (check.error !== null)
    return (
      <ErrorState
        text={`Check failed: ${messageOf(check.error, 'this browser could not compute it.')}`}
        onRetry={() => void check.refetch()}
      />
    );
  if (check.data === undefined)
    return (
      <>
        <p className="text-muted">Repeating the run here and on the server…</p>
        <ExchangeWait />
        <SkeletonRows rows={4} />
      </>
    );
  return <Checked checked={check.data} />;
}

const names = { engine: 'Engine file', data: 'Candles', params: 'Parameters', result: 'Result' };
const tones = { equal: 'info', reproduced: 'warn', broken: 'error' } as const;

function Checked({ checked: { run, rows, verdict, market } }: { checked: CheckedRun }) {
  const [selected, setSelected] = useState<number | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const model = useMemo(() => chartOf(run), [run]);
  const ofCandles = useMemo(() => chartMarketOf(run.loaded), [run.loaded]);
  const check = (
    <Notice tone={tones[verdict.kind]}>
      <span data-testid="shared-verdict">{verdict.text}</span>{' '}
      {market !== 'live' && 'The candles are of a simulated market.'}
    </Notice>
  );
  const isEqual = verdict.kind === 'equal';
  return (
    <>
      {/* Figures that contradict the link must not be read before this. */}
      {!isEqual && check}
      <MetricStrip run={run} />
      <div className="grid min-w-0 items-start gap-3 xl:grid-cols-[minmax(0,1fr)_300px]">
        <Panel title={`${run.loaded.label}, ${run.loaded.interval}`} bodyClassName="">
          <div className="relative h-[max(480px,58dvh)] xl:h-[max(420px,calc(100dvh-368px))]">
            <Chart
              place="lab"
              model={model}
              market={ofCandles}
              selectedTrade={selected}
              pointedIndex={pointed}
              className="absolute inset-0"
            />
          </div>
          {run.result.trades.length > 0 && (
            <div className="border-t border-line px-3 py-1 text-label text-muted">
              <TradeLegend />
            </div>
          )}
        </Panel>
        <div className="flex min-w-0 flex-col gap-3">
          <section aria-label="Verdict" className="panel px-3 py-2">
            <p data-testid="shared-result" className="font-medium">
              {outcomeSentence(run)}
            </p>
            <p className="pt-1 text-label text-muted">Could be luck: the link does not count earlier tries.</p>
          </section>
          {isEqual && check}
          <Warnings run={run} />
          <InWords run={run} />
        </div>
      </div>
      <TradesPanel
        trades={run.result.trades}
        priceDecimals={model.priceDecimals}
        intervalMs={run.loaded.intervalMs}
        selected={selected}
        onSelect={setSelected}
        onPoint={setPointed}
      />
      <div className="grid items-start gap-3 md:grid-cols-2 xl:grid-cols-4">
        <Parameters run={run} />
        <ExitReasons trades={run.result.trades} />
        <CostWaterfall summary={run.result.summary} costs={run.costs} />
        <HashRows rows={rows} />
      </div>
    </>
  );
}

/** Inputs of the run: the rules or the parameters, the costs, then the weights. */
function Parameters({ run: { params, strategy, costs } }: { run: Run }) {
  const weights = Object.entries(strategy?.weights ?? params.weights).filter(
    ([, weight]) => strategy === undefined || weight !== 0,
  );
  const rows: [string, string][] = [
    ...(strategy === undefined ? parameterRows(params) : rulesText(strategy)),
    ...fractionFields.map(({ key, label }): [string, string] => [label, `${fractionToPercent(costs[key])}\u00a0%`]),
    ...plainFields.map(({ key, label, unit }): [string, string] => [label, `${formatFixed(costs[key], 2)} ${unit}`]),
    ['Target order', costs.takeProfitOrder],
    ['Funding', fundingName(costs)],
    ['Same candle', sameBarName(costs)],
    ['Order size', orderSizeName(costs)],
    ...weights.map(([id, weight]): [string, string] => [voteName(id), String(weight)]),
  ];
  return (
    <Panel title={strategy === undefined ? 'Parameters' : 'Rules'} bodyClassName="p-3">
      <dl className="flex flex-col gap-1 text-label">
        {rows.map(([name, value]) => (
          <div key={name} className="flex items-baseline justify-between gap-3">
            <dt className="shrink-0 text-muted">{name}</dt>
            <dd className="text-right font-mono">{value}</dd>
          </div>
        ))}
      </dl>
      {strategy?.rules !== undefined && <RulesSource text={strategy.rules} />}
    </Panel>
  );
}

function parameterRows(params: Run['params']): [string, string][] {
  return formRows.map(({ row, rule }) => {
    const value = classicNumber(params, row) ?? 0;
    const isOff = row.classic.part === 'trailing' && !params.trailing.enabled;
    return [rule.label, isOff ? 'off' : row.unit === 'fraction' ? formatPercent(value) : String(value)];
  });
}

function HashRows({ rows }: { rows: SharedRow[] }) {
  return (
    <Panel title="Proof" aside="SHA-256" bodyClassName="p-3">
      <dl className="flex flex-col gap-2 text-label">
        {rows.map(({ name, link, server, browser, isEqual }) => (
          <div key={name} className="flex items-center justify-between gap-2">
            <dt className="text-muted">{names[name]}</dt>
            <dd
              className={`flex items-center gap-1 font-mono ${isEqual ? 'text-up' : 'text-down'}`}
              title={`link ${link}\nserver ${server}\nbrowser ${browser}`}
            >
              {link.slice(0, 8)}…{link.slice(-8)}
              {isEqual ? <Check size={12} aria-label="equal" /> : <X size={12} aria-label="different" />}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

interface SharedRow {
  name: (typeof hashNames)[number];
  link: string;
  server: string;
  browser: string;
  isEqual: boolean;
}

interface CheckedRun {
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

/** `equal`: no difference. `reproduced`: another engine version, same result. `broken`: differs from the link. */
interface Verdict {
  kind: 'equal' | 'reproduced' | 'broken';
  text: string;
}

/** Verdict on a link from the three sets of hashes, as text. */
export function verdictOf(rows: readonly SharedRow[]): Verdict {
  const row = (name: SharedRow['name']) => rows.find((each) => each.name === name);
  const different = rows.filter(({ isEqual }) => !isEqual).map(({ name }) => name);
  if (different.length === 0)
    return {
      kind: 'equal',
      text: 'Verified: server and browser got the same result, bit for bit.',
    };
  const engine = row('engine');
  if (engine !== undefined && engine.server !== engine.browser)
    return { kind: 'broken', text: 'Reload this page to check the run: the server is newer.' };
  if (different.length === 1 && different[0] === 'engine')
    return {
      kind: 'reproduced',
      text: 'Verified on another engine version: same candles, same result, bit for bit.',
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
 * @throws ApiFailure when the server rejects it, Error when the engine does
 */
async function checkShared({ body, hashes }: SharedRun, signal: AbortSignal): Promise<CheckedRun> {
  const request = () => dataOf(api.POST('/api/shared-backtest', { body, headers: patientHeaders, signal }));
  const response = await waitForRate(() => waitForExchange(request, signal), signal);
  const { interval, symbol, scored } = body;
  const { funding: sent } = response;
  const funding = sent && { time: Float64Array.from(sent.time), rate: Float64Array.from(sent.rate) };
  const loaded: LoadedCandles = {
    candles: candlesOf(response.candles),
    label: symbol,
    interval,
    funding,
    intervalMs: intervalToMs(interval),
    source: 'exchange',
    exchange: response.exchange,
    marks: response.markPrices && { prices: marksOf(response.markPrices), missingCount: 0 },
  };
  const costs = { ...(body.costs as Run['costs']), ...(funding === null ? {} : { funding }) };
  const startedAt = performance.now();
  const { markPrices, fineCandles } = response;
  const marks = markPrices && marksOf(markPrices);
  const minutes = fineCandles === null ? undefined : candlesOf(fineCandles);
  const market = {
    candles: loaded.candles,
    costs,
    scoredCount: scored,
    ...(marks === null ? {} : { markPrices: marks }),
    ...withoutUndefined({ fineCandles: minutes }),
  };
  const repeated = await repeat(body, market, response.context.map(candlesOf), signal);
  const fineData = body.fineData ?? false;
  const tookMs = performance.now() - startedAt;
  const run: Run = { loaded, costs, scoredCount: scored, fineData, tookMs, ...repeated };
  if (minutes !== undefined) run.minutes = minutes;
  const { result } = run;
  const rows = sharedRows(hashes, response.hashes, result.hashes);
  return { run, rows, verdict: verdictOf(rows), market: response.market };
}
