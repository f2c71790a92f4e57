import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { neutralTuning, standardSizing } from '@sextant/workers/src/signals/signalRules.ts';
import type { MarketMode } from '../../config.ts';
import type { ClosedBar, Interval } from '../market/port.ts';
import type { SignalRequest } from '../signals/computeSignal.ts';
import type { SignalWire } from '../signals/contract.ts';

export type SeriesKind = 'signals' | 'candles';

/** One event in its sent form: its data is encoded once for all clients. */
export interface StoredEvent {
  sequence: number;
  atMs: number;
  /** Every candle of the followed series that closed by then is sent with this event or an earlier one. */
  markMs: number;
  key: string;
  event: 'signal' | 'candle' | 'missed';
  data: string;
  /** When the candle of the event closed. */
  closeMs: number;
}

export const eventKey = (kind: SeriesKind, symbol: string, interval: string): string => `${kind} ${symbol} ${interval}`;

/** Candles that close together are computed in runs of this size, two runs at a time, so that the first results are sent early. */
export const batch = { sizeMax: 24, lanes: 2 };
/** A failed signal is computed again before the stream reports it as missed. */
export const retry = { tries: 4, pauseMs: 150 };

export const closeTime = (interval: Interval, openMs: number): number => openMs + intervalMs[interval];
const iso = (timeMs: number): string => new Date(timeMs).toISOString();

const CANDLES = 500;

/** The signal that the stream sends for a series. */
export const requestOf = ({ symbol, interval }: { symbol: string; interval: Interval }): SignalRequest => ({
  exchange: 'binance',
  symbol,
  intervals: [interval],
  limit: CANDLES,
  sizing: standardSizing,
  tuning: neutralTuning,
});

export const candleData = ({ symbol, interval, time, open, high, low, close, volume }: ClosedBar) => ({
  symbol,
  interval,
  candle_close_at: iso(closeTime(interval, time)),
  time,
  open,
  high,
  low,
  close,
  volume,
});

export const signalData = (wire: SignalWire, mode: MarketMode) => ({ ...wire, market: mode });

export const missedData = (
  { symbol, interval, closeMs }: { symbol: string; interval: Interval; closeMs: number },
  code: string | undefined,
) => ({ symbol, interval, candle_close_at: iso(closeMs), code });
