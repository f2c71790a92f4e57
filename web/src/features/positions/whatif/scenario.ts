import { DAY_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { BookPosition } from '@sextant/workers/src/positions/bookTypes.ts';
import type { SizingAccount } from '@sextant/workers/src/positions/sizing.ts';
import type { Candles } from '@sextant/workers/src/protocol.ts';
import type { ReplayResult } from '@sextant/workers/src/protocolPositions.ts';
import { type PositionView, sideSign, type TrailingView } from '../../../api/positionView.ts';
import type { Preferences } from '../../../api/types.ts';
import { enginePosition, engineTrailing, rangeOf } from '../enginePosition.ts';

/** A day after the close: what another stop or target would have met. */
const AFTER_MS = DAY_MS;
/** Five answers of candles; a longer life is replayed from its beginning as far as this goes. */
export const CANDLES_MAX = 5000;

/** What is changed about a closed position; distances in percent of the entry price. */
export interface WhatIf {
  stopPct: number;
  targetPct: number;
  trailing: TrailingView | null;
  /** Null: the recorded size and leverage. */
  sizedBy: { riskPct: number; leverage: number } | null;
}

/** The account an opening of today would be sized on, as if no other position was open. */
export const accountOf = (
  { balance_usdt: balanceUsdt, base_usdt: baseUsdt }: Pick<Preferences, 'balance_usdt' | 'base_usdt'>,
  riskPct: number,
): SizingAccount => ({
  mode: 'risk',
  balanceUsdt,
  riskFraction: riskPct / 100,
  baseUsdt: baseUsdt ?? balanceUsdt,
  freeUsdt: balanceUsdt,
});

const distancePct = (from: number, to: number): number => Number(((Math.abs(to - from) / from) * 100).toFixed(3));

/** The position as it was opened. */
export const whatIfOf = (position: PositionView): WhatIf => ({
  stopPct: distancePct(position.entryPrice, position.initialStopLoss),
  targetPct: distancePct(position.entryPrice, position.takeProfit),
  trailing: position.trailing,
  sizedBy: null,
});

/** The minutes to replay: from the first whole one after the opening. @returns null when none is over yet */
export function windowOf(
  { openedAt, closedAt }: Pick<PositionView, 'openedAt' | 'closedAt'>,
  nowMs: number,
): { startMs: number; endMs: number; count: number; isCut: boolean } | null {
  const startMs = Math.ceil(openedAt / MINUTE_MS) * MINUTE_MS;
  const wantedMs = Math.min(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS, (closedAt ?? nowMs) + AFTER_MS);
  const wanted = Math.floor((wantedMs - startMs) / MINUTE_MS);
  if (wanted < 1) return null;
  const count = Math.min(CANDLES_MAX, wanted);
  return { startMs, endMs: startMs + count * MINUTE_MS, count, isCut: count < wanted };
}

const opened = (position: PositionView): BookPosition => ({
  ...enginePosition(position),
  stopPrice: position.initialStopLoss,
  bestPrice: position.entryPrice,
  isArmed: false,
});

/** For the replay of what was: levels and trailing of the opening. */
export const asItWas = opened;

/** For the replay of what might have been; quantity and liquidation price are the recorded ones until it is sized anew. */
export function asItMightBe(position: PositionView, { stopPct, targetPct, trailing, sizedBy }: WhatIf): BookPosition {
  const at = (pct: number): number => position.entryPrice * (1 + (sideSign(position.side) * pct) / 100);
  return {
    ...opened(position),
    leverage: sizedBy?.leverage ?? position.leverage,
    stopPrice: at(-stopPct),
    initialStopPrice: at(-stopPct),
    targetPrice: at(targetPct),
    trailing: engineTrailing(trailing),
    atr: rangeOf({ ...position, trailing }),
  };
}

/** One way a position ended, or where it stands at the last candle. Money in USDT, funding left out. */
export interface Ending {
  reason: PositionView['closeReason'];
  price: number;
  atMs: number;
  gross: number;
  /** Less both fees; of one that is still open, the exit fee is taken off as if it closed there. */
  net: number;
}

const endingOf = (
  { side, entryPrice, quantity, takerFeeFraction }: BookPosition,
  end: { reason: Ending['reason']; price: number; atMs: number; exitFee: number },
): Ending => {
  const gross = (end.price - entryPrice) * sideSign(side) * quantity;
  const net = gross - takerFeeFraction * entryPrice * quantity - end.exitFee;
  return { reason: end.reason, price: end.price, atMs: end.atMs, gross, net };
};

export function replayEnding(position: BookPosition, candles: Candles, { closed }: ReplayResult): Ending {
  if (closed !== null) return endingOf(position, closed);
  const price = candles.close.at(-1) ?? position.entryPrice;
  const atMs = (candles.time.at(-1) ?? position.entryTimeMs) + MINUTE_MS;
  const exitFee = position.takerFeeFraction * price * position.quantity;
  return endingOf(position, { reason: null, price, atMs, exitFee });
}

/** What is recorded of a closed position; null while it is open. */
export function recordedEnding(position: PositionView): Ending | null {
  const { closePrice, closedAt, closeReason, pnl, fees } = position;
  if (closePrice === null || closedAt === null || pnl === null) return null;
  return { reason: closeReason, price: closePrice, atMs: closedAt, gross: pnl, net: pnl - fees };
}

/** The range known at the close of each minute: that of the last candle that had closed by then. */
export function rangesAt(
  minutes: ArrayLike<number>,
  closesMs: ArrayLike<number>,
  values: ArrayLike<number>,
): Float64Array {
  let known = -1;
  return Float64Array.from(minutes, (openMs) => {
    while (known + 1 < closesMs.length && (closesMs[known + 1] ?? Infinity) <= openMs + MINUTE_MS) known++;
    return known < 0 ? Number.NaN : (values[known] ?? Number.NaN);
  });
}
