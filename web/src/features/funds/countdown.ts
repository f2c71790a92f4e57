import { useEffect, useState } from 'react';
import { serverClock } from '../../api/serverClock.ts';

const TICK_MS = 1000;

/** Whole seconds until then, rounded up; 0 from then on. */
export const secondsLeft = (expiresAt: string, nowMs: number): number =>
  Math.max(0, Math.ceil((Date.parse(expiresAt) - nowMs) / 1000));

/** `14:59`; with hours from the first full one on: `23:59:59`. */
export function countdownText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Counts down every second by the clock of the server; null without a moment. */
export function useSecondsLeft(expiresAt: string | null): number | null {
  const [nowMs, setNowMs] = useState(serverClock.now);
  useEffect(() => {
    if (expiresAt === null) return;
    const timer = setInterval(() => setNowMs(serverClock.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [expiresAt]);
  return expiresAt === null ? null : secondsLeft(expiresAt, nowMs);
}
