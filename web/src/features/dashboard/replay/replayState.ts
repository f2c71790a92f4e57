import type { PracticeAction } from '@sextant/workers/src/protocol/practice.ts';

/** A bar replay of candles: what was seen and what was decided. */
export interface ReplayState {
  /** `choose`: the start is selected; `run`: candles appear one by one; `done`: the practice is judged. */
  phase: 'choose' | 'run' | 'done';
  /** First candle of the practice. */
  from: number;
  /** Candles that were seen. */
  seen: number;
  /** Decisions of the trader, oldest first, each at the close of a candle. */
  actions: readonly PracticeAction[];
}

/** A decision without the candle, which is the last one seen. */
export type Decision = PracticeAction extends infer Each ? (Each extends unknown ? Omit<Each, 'at'> : never) : never;

type ReplayAction =
  | { kind: 'choose'; from: number }
  | { kind: 'start' }
  | { kind: 'step'; count: number }
  | { kind: 'decide'; decision: Decision }
  | { kind: 'finish' }
  | { kind: 'again' };

/** Candles before the first start and after the last: a chart needs history, and a practice something to come. */
export const HISTORY_MIN = 20;
export const PRACTICE_MIN = 5;

const START_SHARE = 0.6;

/** @param count loaded candles */
export function startReplay(count: number): ReplayState {
  const from = clampStart(Math.floor(count * START_SHARE), count);
  return { phase: 'choose', from, seen: from + 1, actions: [] };
}

const clampStart = (from: number, count: number): number =>
  Math.max(0, Math.min(count - 1 - PRACTICE_MIN, Math.max(HISTORY_MIN, from)));

/** @param count loaded candles */
export function replayReducer(count: number): (state: ReplayState, action: ReplayAction) => ReplayState {
  return (state, action) => {
    switch (action.kind) {
      case 'choose': {
        const from = clampStart(action.from, count);
        return state.phase === 'choose' ? { ...state, from, seen: from + 1 } : state;
      }
      case 'start':
        return state.phase === 'choose' ? { ...state, phase: 'run' } : state;
      case 'step':
        return state.phase === 'run' ? step(state, action.count, count) : state;
      case 'decide':
        return state.phase === 'run' ? decide(state, action.decision) : state;
      case 'finish':
        return state.phase === 'run' ? { ...state, phase: 'done' } : state;
      case 'again':
        return { ...startReplay(count), from: state.from, seen: state.from + 1 };
    }
  };
}

const decide = (state: ReplayState, decision: Decision): ReplayState => ({
  ...state,
  actions: [...state.actions, { at: state.seen - 1, ...decision }],
});

/** Shows the next candles. The last candle ends the practice. */
function step(state: ReplayState, by: number, count: number): ReplayState {
  const seen = Math.min(count, state.seen + by);
  return { ...state, seen, phase: seen === count ? 'done' : 'run' };
}
