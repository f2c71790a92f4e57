import { type IntervalName, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { PracticeResult } from '@sextant/workers/src/protocol/practice.ts';
import type { PracticeOrder } from '@sextant/workers/src/positions/practiceOrder.ts';
import { Pause, Play, SkipForward } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatCandleZoned } from '../../../format/time.ts';
import { useStore } from '../../../state/store.ts';
import { timeZoneState } from '../../../state/timeZone.ts';
import { Segments } from '../../../ui/Segments.tsx';
import { orderOf, startDraft } from './practiceTicket.ts';
import { HISTORY_MIN, PRACTICE_MIN, type replayReducer, type ReplayState } from './replayState.ts';

/** Candles a second. */
const speeds = ['1', '3', '10'] as const;

type Dispatch = (action: Parameters<ReturnType<typeof replayReducer>>[1]) => void;

interface StartProps {
  candles: Candles;
  state: ReplayState;
  interval: IntervalName;
  dispatch: Dispatch;
}

export function StartChoice({ candles, state, interval, dispatch }: StartProps) {
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

interface StepsProps {
  dispatch: Dispatch;
  /** At the last candle; null while it is computed. */
  account: PracticeResult | null;
  isFree: boolean;
  onPlace: (order: PracticeOrder) => void;
}

/** Candles by step or in time, and orders without levels or leverage. */
export function Steps({ dispatch, account, isFree, onPlace }: StepsProps) {
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<(typeof speeds)[number]>('3');
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => dispatch({ kind: 'step', count: 1 }), 1000 / Number(speed));
    return () => clearInterval(timer);
  }, [isPlaying, speed, dispatch]);
  const market = (side: PracticeOrder['side']) => onPlace(orderOf({ ...startDraft(), side }));
  const { open = null, working = null } = account ?? {};
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
      <button type="button" className="btn btn-small" disabled={!isFree} onClick={() => market('LONG')}>
        Long
      </button>
      <button type="button" className="btn btn-small" disabled={!isFree} onClick={() => market('SHORT')}>
        Short
      </button>
      <button
        type="button"
        className="btn btn-small"
        disabled={open === null || open.isClosing}
        onClick={() => dispatch({ kind: 'decide', decision: { kind: 'close' } })}
      >
        Close
      </button>
      <button
        type="button"
        className="btn btn-small"
        disabled={working === null}
        onClick={() => dispatch({ kind: 'decide', decision: { kind: 'cancel' } })}
      >
        Cancel order
      </button>
      <button type="button" className="btn btn-small" onClick={() => dispatch({ kind: 'finish' })}>
        Finish
      </button>
    </>
  );
}
