import { ANALYSIS_TRADES_MIN } from '@sextant/engine-as/abi/backtest.ts';
import { type PackedCandles, unpackCandles } from '@sextant/workers/src/candles/packedCandles.ts';
import type { BacktestResult, Candles, Costs, StrategyParams } from '@sextant/workers/src/protocol/backtest.ts';
import { classicDefaults, defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { messageOf, WordedError } from '../../../api/failure.ts';
import { Chart } from '../../../charts/Chart.tsx';
import { alignToLoaded, type ChartModel } from '../../../charts/chartModel.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { formatCount, formatFixed, formatMoney, formatPercent } from '../../../format/number.ts';
import { loadAgain } from '../../../ui/loadAgain.ts';
import { ErrorState } from '../../../ui/Panel.tsx';
import { SliderRow } from '../../../ui/SliderRow.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { DemoFrame } from '../DemoFrame.tsx';
import candlesUrl from './candles.gen.json?url';

interface Demo {
  knobs: DemoKnobs;
  turn: (change: Partial<DemoKnobs>) => void;
  market: DemoMarket | null;
  run: DemoRun | null;
  failure: string | null;
  retry: () => void;
  /** Different settings run so far, and the best net result among them. */
  tried: { count: number; bestNetPnl: number };
  /** Milliseconds from page load to the first result. */
  firstResultMs: number | null;
}

/** Loads the candles, runs, and runs again on each change of a setting; of changes made meanwhile only the newest is run. */
function useDemo(): Demo {
  const [knobs, setKnobs] = useState(demoKnobs);
  const [market, setMarket] = useState<DemoMarket | null>(null);
  const [run, setRun] = useState<DemoRun | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [firstResultMs, setFirstResultMs] = useState<number | null>(null);
  const [tries, setTries] = useState<ReadonlyMap<string, number>>(new Map());
  const queue = useRef({ isBusy: false, next: null as DemoKnobs | null });

  const work = useCallback(async (on: DemoMarket, options: DemoKnobs) => {
    queue.current.next = options;
    if (queue.current.isBusy) return;
    queue.current.isBusy = true;
    try {
      for (let next = takeNext(queue.current); next !== null; next = takeNext(queue.current)) {
        const done = await runDemo(on, next);
        const { netPnl } = done.result.summary;
        const key = JSON.stringify(next);
        setRun(done);
        setFailure(null);
        setTries((before) => new Map(before).set(key, netPnl));
        setFirstResultMs((before) => before ?? performance.now());
      }
    } catch (fault) {
      setFailure(messageOf(fault, 'no response from the engine.'));
    } finally {
      queue.current.isBusy = false;
    }
  }, []);

  useEffect(() => {
    let isCurrent = true;
    loadDemoMarket().then(
      (loaded) => {
        if (isCurrent) setMarket(loaded);
      },
      (fault: unknown) => {
        if (isCurrent) setFailure(messageOf(fault, 'no response from the engine.'));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [attempt]);
  useEffect(() => {
    if (market !== null) void work(market, knobs);
  }, [market, knobs, work]);

  return {
    knobs,
    market,
    run,
    failure,
    firstResultMs,
    turn: (change) => setKnobs((before) => ({ ...before, ...change })),
    retry: () => {
      setFailure(null);
      setAttempt(attempt + 1);
    },
    tried: { count: tries.size, bestNetPnl: Math.max(...tries.values()) },
  };
}

function takeNext(queue: { next: DemoKnobs | null }): DemoKnobs | null {
  const { next } = queue;
  queue.next = null;
  return next;
}

/** The product's engine on bundled candles: the same file, worker and chart that a signed-in trader gets. */
export function LiveDemo() {
  const demo = useDemo();
  const { market, run, failure } = demo;
  const model = useMemo(() => (market === null || run === null ? null : modelOf(market, run)), [market, run]);
  return (
    <DemoFrame
      aside={market === null ? 'loading candles' : `${market.symbol} 1h, simulated`}
      chart={
        model === null ? (
          <div className="skeleton absolute inset-4 opacity-30" />
        ) : (
          <Chart model={model} isEmbedded className="absolute inset-0" />
        )
      }
      figures={run !== null && <Figures run={run} />}
      knobs={<Knobs demo={demo} />}
      words={
        failure === null ? (
          market !== null && run !== null && <Words demo={demo} market={market} run={run} />
        ) : (
          <ErrorState text={`The run failed: ${failure}`} onRetry={demo.retry} />
        )
      }
    />
  );
}

function modelOf({ candles, scoredCount, priceDecimals }: DemoMarket, { result }: DemoRun): ChartModel {
  const count = candles.time.length;
  return {
    candles,
    priceDecimals,
    scoredFrom: count - scoredCount,
    trades: result.trades,
    panes: [
      {
        id: 'equity',
        label: 'Equity, USDT',
        values: alignToLoaded(result.equity, count),
        colour: 'accent',
        isFilled: false,
        levels: [1000],
        weight: 0.5,
        format: (value) => formatMoney(value),
      },
    ],
  };
}

function Figures({ run: { result } }: { run: DemoRun }) {
  const { netPnl, tradeCount, winRate, maxDrawdownFraction, fees, slippage } = result.summary;
  const tone = netPnl > 0 ? 'text-up' : 'text-down';
  const cells = [
    ['Net PnL, USDT', formatMoney(netPnl, true), netPnl === 0 ? '' : tone],
    ['Trades', formatCount(tradeCount), ''],
    ['Win rate', formatPercent(winRate), ''],
    ['Max drawdown', formatPercent(maxDrawdownFraction), ''],
    ['Fees, slippage', formatMoney(fees + slippage), ''],
  ] as const;
  return (
    <dl className="grid grid-cols-3 gap-x-2 gap-y-1 px-4 py-2 md:grid-cols-5" data-testid="demo-figures">
      {cells.map(([label, value, className]) => (
        <div key={label} className="min-w-0">
          <dt className="truncate text-label text-muted">{label}</dt>
          <dd className={`text-section font-semibold ${className}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Knobs({ demo: { knobs, turn } }: { demo: Demo }) {
  return (
    <>
      <SliderRow
        name="Stop loss"
        label="Stop loss"
        value={knobs.stopLossPct}
        min={0.5}
        max={6}
        step={0.1}
        decimals={1}
        unit="%"
        isChanged={knobs.stopLossPct !== demoKnobs.stopLossPct}
        onChange={(stopLossPct) => turn({ stopLossPct })}
      />
      <SliderRow
        name="Entry threshold"
        label="Entry threshold"
        value={knobs.entryThreshold}
        min={0.05}
        max={0.6}
        step={0.01}
        decimals={2}
        isChanged={knobs.entryThreshold !== demoKnobs.entryThreshold}
        onChange={(entryThreshold) => turn({ entryThreshold })}
      />
      <div className="flex h-8 items-center gap-3 text-label">
        <Switch label="Charge fees and slippage" isOn={knobs.isCosted} onToggle={(isCosted) => turn({ isCosted })} />
        <span aria-hidden="true">Charge fees and slippage</span>
      </div>
    </>
  );
}

/** The result, its run time, and the overfitting warning beside it. */
function Words({ demo, market, run }: { demo: Demo; market: DemoMarket; run: DemoRun }) {
  const { tried, firstResultMs } = demo;
  const { tradeCount } = run.result.summary;
  const count = market.candles.time.length;
  return (
    <>
      <p className="text-muted" data-testid="demo-speed">
        {formatCount(count)} candles, 13 weighted indicators, {formatCount(tradeCount)} trades in{' '}
        <strong className="font-semibold text-text">{formatFixed(run.tookMs, 1)} ms</strong> on this device, the round
        trip to the worker{tried.count === 1 && ' and its start'} included
        {firstResultMs !== null &&
          `; the first result ${formatFixed(firstResultMs / 1000, 1)} s after you opened the page`}
        . Engine <code className="font-mono">{run.result.hashes.engine.slice(0, 12)}</code>, result{' '}
        <code className="font-mono">{run.result.hashes.result.slice(0, 12)}</code>.
      </p>
      <p className="mt-2 text-warn" data-testid="demo-luck">
        {tradeCount < ANALYSIS_TRADES_MIN &&
          `${formatCount(tradeCount)} trades: below ${ANALYSIS_TRADES_MIN} the rates are mostly luck. `}
        The candles are invented from seed {market.seed}: a profit here proves nothing about a real market.{' '}
        {tried.count > 1 &&
          `You have tried ${formatCount(tried.count)} settings and the best made ${formatMoney(tried.bestNetPnl, true)}: the more you try, the better the best looks by luck alone.`}
      </p>
    </>
  );
}

/** server/fakes/exchanges/demoCandles.ts writes it. */
interface DemoCandles extends PackedCandles {
  symbol: string;
  seed: number;
}

/** Indicators need their past; trades may open after it. */
const WARM_UP_COUNT = 300;
const DEADLINE_MS = 20_000;

/** Settings of the visitor. Percent in the fields, fractions in the engine. */
interface DemoKnobs {
  stopLossPct: number;
  entryThreshold: number;
  isCosted: boolean;
}

const demoKnobs: DemoKnobs = { stopLossPct: 2, entryThreshold: 0.2, isCosted: true };

interface DemoMarket {
  candles: Candles;
  scoredCount: number;
  priceDecimals: number;
  symbol: string;
  seed: number;
}

interface DemoRun {
  knobs: DemoKnobs;
  result: BacktestResult;
  /** Milliseconds from the request to the worker to its result, on this device. */
  tookMs: number;
}

/** @throws Error with a message for the screen when the file does not load. */
async function loadDemoMarket(): Promise<DemoMarket> {
  const packed = await loadAgain(async () => {
    const response = await fetch(candlesUrl);
    if (!response.ok) throw new WordedError('could not load the candles.');
    return (await response.json()) as DemoCandles;
  });
  const candles = unpackCandles(packed);
  const scoredCount = candles.time.length - WARM_UP_COUNT;
  return { candles, scoredCount, priceDecimals: packed.priceDecimals, symbol: packed.symbol, seed: packed.seed };
}

/** One run of the product's own engine in a worker. @throws Error with the engine's message when it rejects the run. */
async function runDemo({ candles, scoredCount }: DemoMarket, knobs: DemoKnobs): Promise<DemoRun> {
  const pool = await enginePool();
  const startedAt = performance.now();
  const input = { candles, params: paramsOf(knobs), costs: costsOf(knobs), scoredCount };
  const outcome = await pool.run('backtest', input, { deadlineMs: DEADLINE_MS });
  if (!outcome.ok) throw new WordedError(outcome.error.message);
  return { knobs, result: outcome.value, tookMs: performance.now() - startedAt };
}

function paramsOf({ stopLossPct, entryThreshold }: DemoKnobs): StrategyParams {
  const stopLossFraction = Number((stopLossPct / 100).toPrecision(12));
  return {
    ...classicDefaults,
    entryThreshold,
    stopLossFraction,
    takeProfitFraction: Number((2 * stopLossFraction).toPrecision(12)),
  };
}

function costsOf({ isCosted }: DemoKnobs): Costs {
  if (isCosted) return defaultCosts;
  return { ...defaultCosts, takerFeeFraction: 0, makerFeeFraction: 0, slippageFraction: 0, stopSlippageFraction: 0 };
}
