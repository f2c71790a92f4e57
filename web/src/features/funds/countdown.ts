import { useEffect, useState } from 'react';
import { serverClock } from '../../api/serverClock.ts';

const TICK_MS = 1000;

interface Term {
  created_at: string;
  expires_at: string;
}

/**
 * Whole seconds until the payment expires, rounded up; 0 from then on. Never more than the full seconds of its term: the clock of
 * the server is known to a fraction of a second only, so that 15 minutes would begin at 15:01.
 */
export function secondsLeft({ created_at: createdAt, expires_at: expiresAt }: Term, nowMs: number): number {
  const endMs = Date.parse(expiresAt);
  const termS = Math.floor((endMs - Date.parse(createdAt)) / 1000);
  return Math.max(0, Math.min(termS, Math.ceil((endMs - nowMs) / 1000)));
}

/** `14:59`; with hours from the first full one on: `23:59:59`. */
export function countdownText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Counts down every second by the clock of the server; null without a payment. */
export function useSecondsLeft(payment: Term | null): number | null {
  const [nowMs, setNowMs] = useState(serverClock.now);
  const isRunning = payment !== null;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNowMs(serverClock.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return payment === null ? null : secondsLeft(payment, nowMs);
}
