import { type IntervalName, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import type { BacktestResult, Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { useQuery } from '@tanstack/react-query';
import { Pause, Play, SkipForward, X } from 'lucide-react';
import { useEffect, useMemo, useReducer, useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { LateChart } from '../../../charts/LateChart.tsx';
import { fetchCandles } from '../../../data/market.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { formatMany, formatMoney, priceDecimals, signTone } from '../../../format/number.ts';
import { formatCandleZoned } from '../../../format/time.ts';
import { useStore } from '../../../state/store.ts';
import { timeZoneState } from '../../../state/timeZone.ts';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { candlesUntil, type Holding, type Practice, runPractice } from './practice.ts';
import { PracticeVerdict } from './PracticeVerdict.tsx';
import { HISTORY_MIN, holdingOf, PRACTICE_MIN, replayReducer, startReplay, type ReplayState } from './replayState.ts';

const CANDLE_COUNT = 1000;
/** Candles a second. */
const speeds = ['1', '3', '10'] as const;

interface Props {
  symbol: string;
  interval: IntervalName;
  decimals: number | undefined;
  onClose: () => void;
}

/** Candles of the past one by one, with practised trades by the simulator; at the end their honesty figures. */
export function BarReplay({ symbol, interval, decimals, onClose }: Props) {
  const response = useQuery({
    queryKey: [...queryKeys.market.candles('binance', symbol, interval, CANDLE_COUNT), 'replay'],
    queryFn: ({ signal }) => fetchCandles({ exchange: 'binance', symbol, interval, limit: CANDLE_COUNT, signal }),
    // New candles would move the practice.
    staleTime: Infinity,
    gcTime: 0,
  });
  const candles = response.data?.candles;
  return (
    <section aria-label="Bar replay" className="absolute inset-0 flex min-w-0 flex-col overflow-y-auto">
      {response.error !== null && (
        <div className="p-3">
          <ErrorState
            failure={response.error}
            text={messageOf(response.error, 'Could not load the candles.')}
            onRetry={() => void response.refetch()}
          />
        </div>
      )}
      {response.isPending && <ExchangeWait />}
      {candles !== undefined && candles.time.length <= HISTORY_MIN + PRACTICE_MIN && (
        <Notice tone="warn">This market is too young to replay. Choose a shorter interval.</Notice>
      )}
      {candles !== undefined && candles.time.length > HISTORY_MIN + PRACTICE_MIN && (
        <Replayed
          candles={candles}
          exchange={response.data?.exchange ?? ''}
          symbol={symbol}
          interval={interval}
          decimals={decimals}
          onClose={onClose}
        />
      )}
    </section>
  );
}

interface ReplayedProps extends Props {
  candles: Candles;
  exchange: string;
}

function Replayed({ candles, exchange, symbol, interval, decimals, onClose }: ReplayedProps) {
  const count = candles.time.length;
  const reducer = useMemo(() => replayReducer(count), [count]);
  const [state, dispatch] = useReducer(reducer, count, startReplay);
  const { phase, from, seen, holdings } = state;
  const practice = useMemo(
    () => ({ candles, interval, venue: venueIds.find((id) => id === exchange) ?? 'binance', from, seen, holdings }),
    [candles, interval, exchange, from, seen, holdings],
  );
  const { result, failure } = usePractice(practice);
  const model = useMemo(
    () => ({
      candles: candlesUntil(candles, seen),
      priceDecimals: priceDecimals(candles.close[seen - 1] ?? 1, decimals),
      scoredFrom: 0,
      trades: result?.trades ?? [],
      panes: [],
    }),
    [candles, seen, decimals, result],
  );
  return (
    <>
      <div
        role="toolbar"
        aria-label="Bar replay"
        className="flex flex-wrap items-center gap-1 border-b border-line p-1"
      >
        {phase === 'choose' && <StartChoice candles={candles} state={state} interval={interval} dispatch={dispatch} />}
        {phase === 'run' && <Steps state={state} dispatch={dispatch} />}
        {phase === 'done' && (
          <button type="button" className="btn btn-small" onClick={() => dispatch({ kind: 'again' })}>
            Replay again
          </button>
        )}
        <button type="button" className="btn btn-ghost btn-small ml-auto" onClick={onClose}>
          <X size={14} aria-hidden="true" /> Leave replay
        </button>
      </div>
      <PracticeLine state={state} result={result} />
      {failure !== null && <Notice tone="error">The simulator failed: {failure}</Notice>}
      {phase === 'done' && result !== null && <PracticeVerdict result={result} symbol={symbol} practice={practice} />}
      <LateChart place="replay" model={model} className="min-h-80 flex-1" />
    </>
  );
}

type Dispatch = (action: Parameters<ReturnType<typeof replayReducer>>[1]) => void;

interface StartProps {
  candles: Candles;
  state: ReplayState;
  interval: IntervalName;
  dispatch: Dispatch;
}

function StartChoice({ candles, state, interval, dispatch }: StartProps) {
  const { zone } = useStore(timeZoneState);
  const text = formatCandleZoned(candles.time[state.from] ?? NaN, intervalMs[interval], zone);
  return (
    <>
      <label className="flex items-center gap-2 px-1 text-label">
        Start
        <input
          type="range"
          min={HISTORY_MIN}
          max={candles.time.length - 1 - PRACTICE_MIN}
          value={state.from}
          aria-label="Start of the replay"
          aria-valuetext={text}
          onChange={(event) => dispatch({ kind: 'choose', from: Number(event.target.value) })}
        />
        <span className="tabular">{text}</span>
      </label>
      <button type="button" className="btn btn-small btn-primary" onClick={() => dispatch({ kind: 'start' })}>
        Start replay
      </button>
    </>
  );
}

/** Candles by step or in time, and the three decisions. */
function Steps({ state, dispatch }: { state: ReplayState; dispatch: Dispatch }) {
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<(typeof speeds)[number]>('3');
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => dispatch({ kind: 'step', count: 1 }), 1000 / Number(speed));
    return () => clearInterval(timer);
  }, [isPlaying, speed, dispatch]);
  const holding = holdingOf(state);
  const hold = (next: Holding) => dispatch({ kind: 'hold', holding: next });
  return (
    <>
      <button type="button" className="btn btn-small" onClick={() => dispatch({ kind: 'step', count: 1 })}>
        <SkipForward size={14} aria-hidden="true" /> Next candle
      </button>
      <button
        type="button"
        className="btn btn-small"
        aria-pressed={isPlaying}
        onClick={() => setPlaying((before) => !before)}
      >
        {isPlaying ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
        {isPlaying ? 'Pause' : 'Play'}
      </button>
      <Segments
        label="Candles a second"
        options={speeds}
        value={speed}
        onSelect={setSpeed}
        nameOf={(each) => `${each}/s`}
        isSmall
        isFitted
      />
      <button type="button" className="btn btn-small" disabled={holding !== 0} onClick={() => hold(1)}>
        Long
      </button>
      <button type="button" className="btn btn-small" disabled={holding !== 0} onClick={() => hold(-1)}>
        Short
      </button>
      <button type="button" className="btn btn-small" disabled={holding === 0} onClick={() => hold(0)}>
        Close
      </button>
      <button type="button" className="btn btn-small" onClick={() => dispatch({ kind: 'finish' })}>
        Finish
      </button>
    </>
  );
}

const holdingTexts: Record<Holding, string> = { 1: 'Long', 0: 'Flat', [-1]: 'Short' };

function PracticeLine({ state, result }: { state: ReplayState; result: BacktestResult | null }) {
  const holding = holdingOf(state);
  if (state.phase === 'choose')
    return <p className="px-2 py-1 text-label text-muted">Later candles stay hidden, also from indicators.</p>;
  const trades = result?.trades ?? [];
  const net = trades.reduce((sum, { netPnl }) => sum + netPnl, 0);
  return (
    <p role="status" className="px-2 py-1 text-label">
      {holdingTexts[holding]} from the next open, 1,000 USDT a trade. {formatMany(trades.length, 'trade')}, net{' '}
      <span className={`font-medium ${signTone(net)}`}>{formatMoney(net, true)} USDT</span> after fees and slippage.
    </p>
  );
}

/** The practised trades so far, by the simulator. A later result replaces an earlier one only. */
function usePractice(practice: Practice): { result: BacktestResult | null; failure: string | null } {
  const [run, setRun] = useState<{ result: BacktestResult | null; failure: string | null }>({
    result: null,
    failure: null,
  });
  useEffect(() => {
    let isCurrent = true;
    enginePool()
      .then((pool) => runPractice(pool, practice))
      .then(
        (result) => isCurrent && setRun({ result, failure: null }),
        (fault: unknown) => isCurrent && setRun({ result: null, failure: messageOf(fault, 'the engine stopped.') }),
      );
    return () => {
      isCurrent = false;
    };
  }, [practice]);
  return run;
}
