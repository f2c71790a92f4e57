import type { Holding } from './practice.ts';

/** A bar replay of candles: what was seen and what was held. */
export interface ReplayState {
  /** `choose`: the start is selected; `run`: candles appear one by one; `done`: the practice is judged. */
  phase: 'choose' | 'run' | 'done';
  /** First candle of the practice. */
  from: number;
  /** Candles that were seen. */
  seen: number;
  /** Holding from the close of each candle of the practice on; the last one can still be changed. */
  holdings: readonly Holding[];
}

type ReplayAction =
  | { kind: 'choose'; from: number }
  | { kind: 'start' }
  | { kind: 'step'; count: number }
  | { kind: 'hold'; holding: Holding }
  | { kind: 'finish' }
  | { kind: 'again' };

/** Candles before the first start and after the last: a chart needs history, and a practice something to come. */
export const HISTORY_MIN = 20;
export const PRACTICE_MIN = 5;

const START_SHARE = 0.6;

/** @param count loaded candles */
export function startReplay(count: number): ReplayState {
  const from = clampStart(Math.floor(count * START_SHARE), count);
  return { phase: 'choose', from, seen: from + 1, holdings: [0] };
}

const clampStart = (from: number, count: number): number =>
  Math.max(0, Math.min(count - 1 - PRACTICE_MIN, Math.max(HISTORY_MIN, from)));

export const holdingOf = ({ holdings }: ReplayState): Holding => holdings.at(-1) ?? 0;

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
      case 'hold':
        return state.phase === 'run' ? { ...state, holdings: [...state.holdings.slice(0, -1), action.holding] } : state;
      case 'finish':
        return state.phase === 'run' ? { ...state, phase: 'done' } : state;
      case 'again':
        return { ...startReplay(count), from: state.from, seen: state.from + 1 };
    }
  };
}

/** Shows the next candles; what is held stays. The last candle ends the practice. */
function step(state: ReplayState, by: number, count: number): ReplayState {
  const seen = Math.min(count, state.seen + by);
  const added = Array<Holding>(seen - state.seen).fill(holdingOf(state));
  return { ...state, seen, holdings: [...state.holdings, ...added], phase: seen === count ? 'done' : 'run' };
}
