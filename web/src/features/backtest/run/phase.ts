import type { Counted } from '../LoadProgress.tsx';

/**
 * What the lab is doing. Minutes that settle exits of a slider's run load in the background, beside any phase (`runState.settling`).
 *
 * ```
 * idle ── load ──> loading ── loaded ──> running ── done ──> result
 *   └───── run ─────────────────────────────┘ └── failed ──> error
 * ```
 * Load, run and cancel are possible in each phase.
 */
export type RunPhase =
  | { name: 'idle' }
  /**
   * Candles are on their way; `candles` counts those of a long history. The run on screen, if any, can be run again meanwhile: `failure`
   * says why that failed.
   */
  | { name: 'loading'; candles: Counted | null; failure: string | null }
  /** Contract rules load, or the engine runs. `minutes` counts candles whose minutes the run waits for. */
  | { name: 'running'; progress: Counted | null; minutes: Counted | null }
  | { name: 'result' }
  | { name: 'error'; message: string };

export type RunEvent =
  | { kind: 'load' }
  | { kind: 'candlesCounted'; count: Counted }
  | { kind: 'loaded' }
  | { kind: 'run' }
  | { kind: 'progress'; count: Counted }
  | { kind: 'minutesCounted'; count: Counted | null }
  | { kind: 'done' }
  | { kind: 'failed'; message: string }
  | { kind: 'cancel'; hasRun: boolean };

const running = (): RunPhase => ({ name: 'running', progress: null, minutes: null });

/** The phase after an event; the same object when the event means nothing in this phase. */
export function nextPhase(phase: RunPhase, event: RunEvent): RunPhase {
  if (event.kind === 'load') return { name: 'loading', candles: null, failure: null };
  if (event.kind === 'cancel') return cancelled(phase, event.hasRun);
  return phase.name === 'loading' ? whileLoading(phase, event) : otherwise(phase, event);
}

function cancelled(phase: RunPhase, hasRun: boolean): RunPhase {
  if (!isBusy(phase)) return phase;
  const message = failureOf(phase);
  if (message !== null) return { name: 'error', message };
  return { name: hasRun ? 'result' : 'idle' };
}

type Loading = Extract<RunPhase, { name: 'loading' }>;

/** A slider runs the candles on screen while others load: the loading stays visible, and can be cancelled. */
function whileLoading(phase: Loading, event: RunEvent): RunPhase {
  if (event.kind === 'candlesCounted') return { ...phase, candles: event.count };
  if (event.kind === 'failed') return { ...phase, failure: event.message };
  if (event.kind === 'loaded') return running();
  return phase.failure !== null && event.kind === 'run' ? { ...phase, failure: null } : phase;
}

function otherwise(phase: RunPhase, event: RunEvent): RunPhase {
  if (event.kind === 'run') return running();
  if (event.kind === 'done') return { name: 'result' };
  if (event.kind === 'failed') return { name: 'error', message: event.message };
  if (phase.name !== 'running') return phase;
  if (event.kind === 'progress') return { ...phase, progress: event.count };
  return event.kind === 'minutesCounted' ? { ...phase, minutes: event.count } : phase;
}

/** The failure to show. */
export function failureOf(phase: RunPhase): string | null {
  if (phase.name === 'loading') return phase.failure;
  return phase.name === 'error' ? phase.message : null;
}

/** Whether candles are loaded or a run is made. */
export const isBusy = ({ name }: Pick<RunPhase, 'name'>): boolean => name === 'loading' || name === 'running';
