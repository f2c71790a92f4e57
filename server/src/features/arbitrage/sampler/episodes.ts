import type { Direction } from './spreadRows.ts';
import { FOLLOW_MS, GAP_MS, REST_MS, THRESHOLD_PCT } from './limits.ts';

/** Follows net spreads second by second: when they rise above the threshold, how long they last, and how they decay. */

/** A finished episode with its measurements. */
export interface FinishedEpisode extends Direction {
  coin: string;
  startedAtMs: number;
  /** Seconds from the first sample above the threshold to the first one below it; null when the end was not observed. */
  lifetimeS: number | null;
  /** Seconds observed above the threshold: the lifetime where the end was observed. */
  followedS: number;
  netPct: number;
  peakPct: number;
  /** Net spread 1, 5 and 30 s after the start; null without a quote. */
  left: [s1: number | null, s5: number | null, s30: number | null];
}

export interface Pair extends Direction {
  coin: string;
}

interface Following {
  startedAtMs: number;
  endedAtMs: number | undefined;
  isCut: boolean;
  lastAboveMs: number;
  netPct: number;
  peakPct: number;
  left: FinishedEpisode['left'];
}

interface PairState {
  pair: Pair;
  lastMs: number;
  isAbove: boolean;
  /** Epoch ms of the first sample of the current period above the threshold; null while below. */
  sinceMs: number | null;
  following: Following | undefined;
  restUntilMs: number;
}

const laterS = [1, 5, 30] as const;
/** Tolerance of the samples taken 1, 5 and 30 s after the start, ms: up to `early` before and `late` after that moment. */
const LATER_MS = { early: 300, late: 700 };
const FINISH_MS = 30_000 + LATER_MS.late;

export class Follower {
  readonly #states = new Map<string, PairState>();
  readonly #followed = new Set<PairState>();
  #finished: FinishedEpisode[] = [];

  /** Whether the exact net is needed even below the threshold. */
  isFollowed(key: string): boolean {
    return this.#states.get(key)?.following !== undefined;
  }

  /** @param netPct current net; for a pair that is not followed any number below the threshold is enough */
  see(key: string, pair: Pair, atMs: number, netPct: number): void {
    let state = this.#states.get(key);
    if (state === undefined) {
      state = { pair, lastMs: -Infinity, isAbove: false, sinceMs: null, following: undefined, restUntilMs: -Infinity };
      this.#states.set(key, state);
    }
    const isContinued = atMs - state.lastMs <= GAP_MS;
    if (!isContinued) this.#cut(state);
    const isAbove = netPct >= THRESHOLD_PCT;
    if (!isAbove) state.sinceMs = null;
    else if (state.sinceMs === null || !isContinued) state.sinceMs = atMs;
    // The start time of a spread that already existed at the first sample is unknown.
    const isStart = isAbove && isContinued && !state.isAbove && atMs >= state.restUntilMs;
    if (isStart && state.following === undefined) this.#startEpisode(state, atMs, netPct);
    else if (state.following !== undefined) this.#follow(state, state.following, atMs, netPct, isAbove);
    state.isAbove = isAbove;
    state.lastMs = atMs;
  }

  /** Ends episodes that were not observed for too long. Call it after the pairs of a second. */
  endRound(atMs: number): void {
    for (const state of this.#followed) {
      if (atMs - state.lastMs > GAP_MS) this.#cut(state);
      this.#finish(state, atMs);
    }
  }

  /** Time since which it is above the threshold; null when it is below or was not observed recently. */
  sinceMs(key: string, atMs: number): number | null {
    const state = this.#states.get(key);
    return state === undefined || atMs - state.lastMs > GAP_MS ? null : state.sinceMs;
  }

  /** Episodes finished since the last call. */
  takeFinished(): FinishedEpisode[] {
    const taken = this.#finished;
    this.#finished = [];
    return taken;
  }

  #startEpisode(state: PairState, atMs: number, netPct: number): void {
    state.restUntilMs = atMs + REST_MS;
    state.following = {
      startedAtMs: atMs,
      endedAtMs: undefined,
      isCut: false,
      lastAboveMs: atMs,
      netPct,
      peakPct: netPct,
      left: [null, null, null],
    };
    this.#followed.add(state);
  }

  #follow(state: PairState, following: Following, atMs: number, netPct: number, isAbove: boolean): void {
    const sinceMs = atMs - following.startedAtMs;
    laterS.forEach((seconds, i) => {
      const differenceMs = sinceMs - seconds * 1000;
      if (following.left[i] === null && differenceMs >= -LATER_MS.early && differenceMs <= LATER_MS.late)
        following.left[i] = netPct;
    });
    const isOpen = following.endedAtMs === undefined && !following.isCut;
    if (!isOpen) return;
    if (!isAbove) following.endedAtMs = atMs;
    else {
      following.lastAboveMs = atMs;
      following.peakPct = Math.max(following.peakPct, netPct);
      if (sinceMs >= FOLLOW_MS) this.#cut(state);
    }
  }

  #cut({ following }: PairState): void {
    if (following !== undefined && following.endedAtMs === undefined) following.isCut = true;
  }

  #finish(state: PairState, atMs: number): void {
    const { following, pair } = state;
    if (following === undefined) return;
    const { startedAtMs, endedAtMs, isCut, lastAboveMs, netPct, peakPct, left } = following;
    if ((endedAtMs === undefined && !isCut) || atMs - startedAtMs < FINISH_MS) return;
    const lifetimeS = endedAtMs === undefined ? null : (endedAtMs - startedAtMs) / 1000;
    const followedS = lifetimeS ?? (lastAboveMs - startedAtMs) / 1000;
    this.#finished.push({ ...pair, startedAtMs, lifetimeS, followedS, netPct, peakPct, left });
    state.following = undefined;
    this.#followed.delete(state);
  }
}
