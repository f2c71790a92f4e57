import { DAY_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { z } from 'zod';
import type { GuardState } from './contract.ts';

export type Guard = z.input<typeof GuardState>;

export interface GuardRules {
  balanceUsdt: number;
  /** Percent of the balance; null means off, here and below. */
  dailyLossPct: number | null;
  stopStreak: number | null;
  cooldownMinutes: number;
  drawdownPct: number | null;
}

/** A close of all or a part of a position, as the guards count it. */
export interface GuardedClose {
  closedAtMs: number;
  reason: string;
  /** What this close realised, costs included, USDT. */
  net: number;
  /** Net of the whole position that this close ended; null: a part stays open. Absent: it had no parts, so it is `net`. */
  positionNet?: number | null;
}

const at = (ms: number): string => new Date(ms).toISOString();

/**
 * The current guards of automatic opening.
 * @param closes oldest first; the drawdown is measured over those at or after `drawdownSinceMs`
 */
export function guardsOf(
  rules: GuardRules,
  closes: readonly GuardedClose[],
  { nowMs, drawdownSinceMs }: { nowMs: number; drawdownSinceMs: number },
): Guard[] {
  return [
    dailyLoss(rules, closes, nowMs),
    stopStreak(rules, closes, nowMs),
    drawdown(
      rules,
      closes.filter(({ closedAtMs }) => closedAtMs >= drawdownSinceMs),
    ),
  ];
}

/** Net loss realised since midnight UTC. Resets at the next midnight. */
function dailyLoss({ balanceUsdt, dailyLossPct: limit }: GuardRules, closes: readonly GuardedClose[], nowMs: number) {
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const net = closes.reduce((total, each) => total + (each.closedAtMs >= midnightMs ? each.net : 0), 0);
  const value = (Math.max(0, -net) / balanceUsdt) * 100;
  const isTripped = limit !== null && value >= limit;
  return guard('daily_loss', limit, value, isTripped, isTripped ? at(midnightMs + DAY_MS) : null);
}

/** Positions lost to stops and liquidations in a row, including the last that ended; parts neither add to it nor break it. Resets a cooldown after the last of them. */
function stopStreak(
  { stopStreak: limit, cooldownMinutes }: GuardRules,
  closes: readonly GuardedClose[],
  nowMs: number,
): Guard {
  const ended = closes.filter(({ positionNet }) => positionNet !== null);
  const isLosingStop = ({ reason, net, positionNet }: GuardedClose) =>
    (reason === 'SL' || reason === 'LIQ') && (positionNet ?? net) < 0;
  const value = ended.length - 1 - ended.findLastIndex((close) => !isLosingStop(close));
  const untilMs = (ended.at(-1)?.closedAtMs ?? 0) + cooldownMinutes * MINUTE_MS;
  const isTripped = limit !== null && value >= limit && nowMs < untilMs;
  return guard('stop_streak', limit, value, isTripped, isTripped ? at(untilMs) : null);
}

/** Drawdown of balance and realised net PnL from their peak. Holds until the owner resumes. */
function drawdown({ balanceUsdt, drawdownPct: limit }: GuardRules, closes: readonly GuardedClose[]): Guard {
  let equity = balanceUsdt;
  let peak = equity;
  for (const { net } of closes) {
    equity += net;
    peak = Math.max(peak, equity);
  }
  const value = ((peak - equity) / peak) * 100;
  return guard('drawdown', limit, value, limit !== null && value >= limit, null);
}

const guard = (
  name: Guard['name'],
  limit: number | null,
  value: number,
  isTripped: boolean,
  until: string | null,
): Guard => ({ name, is_on: limit !== null, is_tripped: isTripped, limit, value, until });
