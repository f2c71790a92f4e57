export type DataAgeState = 'waiting' | 'live' | 'stale' | 'offline';

interface Known {
  /** Epoch ms at which the exchange last confirmed what is on screen; null before the first answer. */
  confirmedAtMs: number | null;
  isFailing: boolean;
  nowMs: number;
  /** How often it is asked again. */
  intervalMs: number;
}

/** Live up to two intervals of age, then stale; offline as soon as requests fail and what is shown has become old. */
export function dataAgeState({ confirmedAtMs, isFailing, nowMs, intervalMs }: Known): DataAgeState {
  if (confirmedAtMs === null) return isFailing ? 'offline' : 'waiting';
  const isOld = nowMs - confirmedAtMs > 2 * intervalMs;
  if (!isOld) return 'live';
  return isFailing ? 'offline' : 'stale';
}
