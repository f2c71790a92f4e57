import { DAY_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { BookPosition } from '@sextant/workers/src/positions/bookTypes.ts';
import { rangesAt } from '@sextant/workers/src/positions/rangesAt.ts';
import type { SizeRejection, SizingAccount, SizingMarket } from '@sextant/workers/src/positions/sizing.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { ReplayResult, SizeInput } from '@sextant/workers/src/protocol/positions.ts';
import { intervalToMs } from '../../../api/candles.ts';
import { WordedError } from '../../../api/failure.ts';
import { fetchCandles } from '../../../data/market.ts';
import { type PositionView, sideSign, type TrailingView } from '../../../api/positionView.ts';
import type { Preferences } from '../../../api/types.ts';
import { enginePool } from '../../../engine/enginePool.ts';
import { formatMoney } from '../../../format/number.ts';
import { enginePosition, engineTrailing, rangeOf } from '../positionShapes.ts';

/** Candles before the opening that the first range needs to settle. */
const WARMUP_COUNT = 200;

/** Sizing inputs of an opening today: the saved settings, and the order rules of the exchange for the symbol. */
export interface SizingBasis {
  preferences: Preferences;
  market: SizingMarket;
}

export interface WhatIfResponse {
  recorded: Ending;
  /** The same position replayed: a difference to the record was decided by a price between candles. */
  replayed: Ending;
  changed: Ending;
  /** Size of the changed position. */
  size: ChangedSize;
  /** Candles that were replayed, and whether there would have been more. */
  count: number;
  isCut: boolean;
}

export interface ChangedSize {
  quantity: number;
  leverage: number;
  /** With stop slippage and both fees, USDT; null: the recorded size was used. */
  lossAtStopUsdt: number | null;
  /** Smaller than the risk allows, because the balance is too low. */
  isReduced: boolean;
  isLargestOrder: boolean;
}

/**
 * Replays a closed position with its recorded and with changed settings, on the same candles.
 * @param basis null: unknown, so nothing can be resized
 * @throws Error with a message for the page
 */
export async function runWhatIf(
  position: PositionView,
  change: WhatIf,
  basis: SizingBasis | null,
  nowMs: number,
): Promise<WhatIfResponse> {
  const recorded = recordedEnding(position);
  const window = windowOf(position, nowMs);
  if (recorded === null || window === null)
    throw new WordedError('No whole minute has passed since the opening. Try again in a minute.');
  const { exchange, symbol } = position;
  const { candles } = await fetchCandles({
    exchange,
    symbol,
    interval: '1m',
    limit: window.count,
    endTimeMs: window.endMs,
  });
  if (candles.time.length === 0) throw new WordedError('The exchange has no candles for this position.');
  const pool = await enginePool();
  const live = async (lived: BookPosition): Promise<Ending> => {
    const ranges = lived.atr === null ? null : await rangesFor(pool, position, lived.atr, candles);
    const result = await pool.run('replay', { position: lived, candles, spanMs: MINUTE_MS, ranges });
    if (!result.ok) throw new WordedError(result.error.message);
    return replayEnding(lived, candles, result.value);
  };
  const sized = await sizeChanged(pool, { exchange, position: asItMightBe(position, change) }, change, basis);
  const [replayed, changed] = await Promise.all([live(asItWas(position)), live(sized.position)]);
  return { recorded, replayed, changed, size: sized.size, count: candles.time.length, isCut: window.isCut };
}

async function sizeChanged(
  pool: EnginePool,
  { exchange, position }: Pick<SizeInput, 'exchange' | 'position'>,
  { sizedBy }: WhatIf,
  basis: SizingBasis | null,
): Promise<{ position: BookPosition; size: ChangedSize }> {
  const { quantity, leverage } = position;
  if (sizedBy === null)
    return { position, size: { quantity, leverage, lossAtStopUsdt: null, isReduced: false, isLargestOrder: false } };
  if (basis === null) throw new WordedError('Could not load your settings or the symbol rules. Try again.');
  const account = accountOf(basis.preferences, sizedBy.riskPct);
  const result = await pool.run('size', { position, exchange, account, market: basis.market });
  if (!result.ok) throw new WordedError(result.error.message);
  const { size } = result.value;
  if (size.refusal !== null) throw new WordedError(rejectionText(size.refusal));
  const { lossAtStopUsdt, isReduced, isLargestOrder } = size;
  return {
    position: result.value.position,
    size: { quantity: size.quantity, leverage: size.leverage, lossAtStopUsdt, isReduced, isLargestOrder },
  };
}

/** Sizing by risk fails for one of two reasons: the loss or the margin of the smallest position. */
function rejectionText({ detail, value, limit }: SizeRejection): string {
  const [has, wants] = [formatMoney(value), formatMoney(limit)];
  return detail === 'margin_full'
    ? `The smallest position needs a margin of ${wants} USDT with its fee, and the balance is ${has} USDT.`
    : `The exchange's smallest position would lose ${has} USDT at this stop, more than the ${wants} USDT at risk. Raise the risk or move the stop nearer.`;
}

async function rangesFor(
  pool: EnginePool,
  { exchange, symbol }: Pick<PositionView, 'exchange' | 'symbol'>,
  { interval, period }: NonNullable<BookPosition['atr']>,
  minutes: Candles,
): Promise<Float64Array> {
  const spanMs = intervalToMs(interval);
  const startMs = minutes.time[0] ?? 0;
  const endTimeMs = (minutes.time.at(-1) ?? startMs) + MINUTE_MS;
  const limit = Math.ceil((endTimeMs - startMs) / spanMs) + WARMUP_COUNT + period;
  const { candles } = await fetchCandles({
    exchange,
    symbol,
    limit,
    endTimeMs,
    interval: interval as PositionView['interval'],
  });
  const result = await pool.run('indicators', { candles, requests: [{ id: 'atr', params: { period } }] });
  if (!result.ok) throw new WordedError(result.error.message);
  const values = Object.values(result.value.series['atr'] ?? {})[0] ?? new Float64Array();
  const closesMs = candles.time.map((openMs) => openMs + spanMs);
  return rangesAt(minutes.time, closesMs, values);
}

/** A day after the close, to see what another stop or target would have met. */
const AFTER_MS = DAY_MS;
/** Five responses of candles; a longer life is replayed from its start up to this many. */
export const CANDLES_MAX = 5000;

/** Changes to a closed position; distances in percent of the entry price. */
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

/** The minutes to replay: from the first whole one after the opening. @returns null when none has closed yet */
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

/** For the replay of the recorded position: levels and trailing at the opening. */
const asItWas = (position: PositionView): BookPosition => ({
  ...enginePosition(position),
  stopPrice: position.initialStopLoss,
  bestPrice: position.entryPrice,
  isArmed: false,
});

/** For the replay with changed settings; quantity and liquidation price are the recorded ones until it is resized. */
export function asItMightBe(position: PositionView, { stopPct, targetPct, trailing, sizedBy }: WhatIf): BookPosition {
  const at = (pct: number): number => position.entryPrice * (1 + (sideSign(position.side) * pct) / 100);
  return {
    ...asItWas(position),
    leverage: sizedBy?.leverage ?? position.leverage,
    stopPrice: at(-stopPct),
    initialStopPrice: at(-stopPct),
    targetPrice: at(targetPct),
    trailing: engineTrailing(trailing),
    atr: rangeOf({ ...position, trailing }),
  };
}

/** End of a position, or its state at the last candle. Money in USDT, without funding. */
export interface Ending {
  reason: PositionView['closeReason'];
  price: number;
  atMs: number;
  gross: number;
  /** After both fees; an open position is charged the exit fee as if it closed there. */
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

/** The recorded ending of a closed position; null while it is open. */
export function recordedEnding(position: PositionView): Ending | null {
  const { closePrice, closedAt, closeReason, pnl, fees } = position;
  if (closePrice === null || closedAt === null || pnl === null) return null;
  return { reason: closeReason, price: closePrice, atMs: closedAt, gross: pnl, net: pnl - fees };
}
