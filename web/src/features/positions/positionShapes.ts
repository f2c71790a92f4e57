import { type IntervalName, intervals, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { BookPosition, BookTrailing } from '@sextant/workers/src/positions/bookTypes.ts';
import { stopSpanOf } from '@sextant/workers/src/positions/strategyExits.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { PositionView, TrailingView } from '../../api/positionView.ts';
import type { ChartLevel, ChartModel, ChartTrade } from '../../charts/chartModel.ts';
import { priceDecimals } from '../../format/number.ts';

/** Converts the position to the engine's format, with its current levels. */
export const enginePosition = (position: PositionView): BookPosition => ({
  id: position.id,
  side: position.side,
  entryTimeMs: position.openedAt,
  entryPrice: position.entryPrice,
  quantity: position.qty,
  leverage: position.leverage,
  stopPrice: position.stopLoss,
  targetPrice: position.takeProfit,
  liquidationPrice: position.liquidationApprox,
  bestPrice: position.trailPeak,
  isArmed: position.armedAt !== null,
  tickSize: position.tickSize,
  takerFeeFraction: position.takerFeeFraction,
  trailing: engineTrailing(position.trailing),
  atr: rangeOf(position),
  initialStopPrice: position.initialStopLoss,
  breakEvenR: movingStrategy(position)?.breakEvenR ?? 0,
  stopSpanMs: stopSpan(position),
});

/** The strategy whose rules move the stop; null: its owner replaced them, or there is none. */
const movingStrategy = ({ strategy, isTrailingOwn }: PositionView) =>
  isTrailingOwn ? null : (strategy?.value ?? null);

function stopSpan(position: PositionView): number | null {
  const strategy = movingStrategy(position);
  return strategy === null ? null : stopSpanOf(strategy);
}

export function engineTrailing(trailing: TrailingView | null): BookTrailing {
  if (trailing === null) return { mode: 'off' };
  const activationFraction = trailing.activationPct / 100;
  if (trailing.mode === 'atr') return { mode: 'atr', atrMultiplier: trailing.atrMultiplier, activationFraction };
  const { callbackPct, stepPct } = trailing;
  return { mode: 'percent', callbackFraction: callbackPct / 100, stepFraction: stepPct / 100, activationFraction };
}

export const rangeOf = ({ trailing, interval }: PositionView): BookPosition['atr'] =>
  trailing?.mode === 'atr' ? { interval, period: trailing.atrPeriod } : null;

/** A stop and the time it became active, epoch ms. */
interface StopMove {
  atMs: number;
  to: number;
}

export type ChartInterval = Exclude<IntervalName, '1d'>;
export const chartIntervals = intervals.filter((interval) => interval !== '1d');

/** The finest candles of which a life fills at most two thirds of the chart. */
const livesUpTo: [number, ChartInterval][] = [
  // The stop moves by the minute: in five-minute candles its path in a young position would be a single stroke.
  [60 * MINUTE_MS, '1m'],
  [750 * MINUTE_MS, '5m'],
  [2250 * MINUTE_MS, '15m'],
  [9000 * MINUTE_MS, '1h'],
];

export const intervalFor = (lifeMs: number): ChartInterval =>
  livesUpTo.find(([mostMs]) => lifeMs <= mostMs)?.[1] ?? '4h';

/** Number of candles to show: an hour and a half for a young position, so that its minutes are wide enough to see. */
export const candleCountFor = (lifeMs: number, interval: ChartInterval): number =>
  interval === '1m' && lifeMs <= 60 * MINUTE_MS ? 90 : 240;

/** The stop active at the end of each candle of the position's life; null before and after it. */
export function stopsOf(
  position: Pick<PositionView, 'initialStopLoss' | 'openedAt' | 'closedAt'>,
  moves: readonly StopMove[],
  times: ArrayLike<number>,
  stepMs: number,
): (number | null)[] {
  return Array.from(times, (openMs) => {
    const endMs = openMs + stepMs;
    if (endMs <= position.openedAt || (position.closedAt !== null && openMs > position.closedAt)) return null;
    return moves.findLast(({ atMs }) => atMs <= endMs)?.to ?? position.initialStopLoss;
  });
}

const indexAt = (times: ArrayLike<number>, atMs: number): number => {
  let index = 0;
  while (index + 1 < times.length && (times[index + 1] ?? Infinity) <= atMs) index++;
  return index;
};

/** Stop and targets as they are edited, each with its label. */
export interface MovedLevels {
  stop: number;
  stopLabel: string;
  /** Nearest first. */
  targets: readonly { price: number; label: string }[];
}

/** Id of the line of a target, by its place; `targetOfLevel` reads it. */
export const targetLevelId = (at: number): string => (at === 0 ? 'target' : `target:${at}`);

/** Place of the target whose line has this id; null: it is no target. */
export function targetOfLevel(id: string): number | null {
  const match = /^target(?::(?<at>\d+))?$/.exec(id);
  return match === null ? null : Number(match.groups?.['at'] ?? 0);
}

interface Life {
  position: PositionView;
  moves: readonly StopMove[];
  /** Last price of an open position; null when there is none. */
  price: number | null;
  /** Net result so far, for the colour of its line. */
  net: number | null;
  /** Whether a forming candle follows the last closed one. */
  isForming?: boolean;
  /** Decimals of the symbol's tick size, where it is known. */
  decimals?: number | undefined;
  /** Levels that its owner moves and has not saved, in place of the stored ones. */
  moved?: MovedLevels | null;
}

/** Candles with the entry, the levels and the way of the stop. */
export function positionModel(
  candles: Candles,
  stepMs: number,
  { position, moves, price, net, isForming = false, decimals, moved = null }: Life,
): ChartModel {
  const { side, entryPrice, openedAt, closedAt, closePrice } = position;
  // The forming candle opens at the last close.
  const formingMs = (candles.time.at(-1) ?? NaN) + stepMs;
  const time = isForming ? [...candles.time, formingMs] : candles.time;
  const end = closePrice ?? price;
  const isInSight = closedAt === null || closedAt >= (candles.time[0] ?? Infinity);
  const trade: ChartTrade[] =
    end === null || !isInSight
      ? []
      : [
          {
            side,
            entryPrice,
            exitPrice: end,
            netPnl: net ?? 0,
            entryIndex: indexAt(time, openedAt),
            exitIndex: closedAt === null ? time.length - 1 : indexAt(time, closedAt),
          },
        ];
  return {
    candles,
    priceDecimals: priceDecimals(entryPrice, decimals),
    scoredFrom: 0,
    trades: trade,
    panes: [],
    levels: levelsOf(position, moved),
    stops: stopsOf(position, moves, time, stepMs),
  };
}

function levelsOf(
  { takeProfit, takeProfits, entryPrice, stopLoss, liquidationApprox }: PositionView,
  moved: MovedLevels | null,
): ChartLevel[] {
  const stored = (takeProfits ?? [{ price: takeProfit }]).map(({ price }, at) => ({
    price,
    label: at === 0 ? 'target' : `target ${at + 1}`,
  }));
  return [
    ...(moved?.targets ?? stored).map(({ price, label }, at): ChartLevel => ({
      id: targetLevelId(at),
      price,
      label,
      colour: 'up',
    })),
    { price: entryPrice, label: 'entry', colour: 'accent' },
    { id: 'stop', price: moved?.stop ?? stopLoss, label: moved?.stopLabel ?? 'stop', colour: 'down' },
    ...(liquidationApprox === null
      ? []
      : [{ price: liquidationApprox, label: 'liquidation', colour: 'down' } as const]),
  ];
}
