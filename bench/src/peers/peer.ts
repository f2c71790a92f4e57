import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';

/** Candles the way the npm packages take them: plain arrays, and one object per candle. Made once, outside any timing. */
export interface PeerCandles {
  close: number[];
  high: number[];
  low: number[];
  volume: number[];
  bars: { open: number; high: number; low: number; close: number; volume: number }[];
}

export function toPeerCandles({ open, high, low, close, volume }: Candles): PeerCandles {
  const bars = Array.from(close, (price, i) => ({
    open: open[i] as number,
    high: high[i] as number,
    low: low[i] as number,
    close: price,
    volume: volume[i] as number,
  }));
  return { close: [...close], high: [...high], low: [...low], volume: [...volume], bars };
}

/** The nine indicators that every package has, with the parameters used here. */
export const peerIds = ['sma', 'ema', 'rsi', 'macd', 'boll', 'atr', 'cci', 'obv', 'mfi'] as const;
export type PeerId = (typeof peerIds)[number];

/** One output of an indicator (the MACD line, the upper band); aligned with the candles at the end. */
export type PeerColumn = ArrayLike<number | null | undefined>;
export type PeerResponses = Record<PeerId, PeerColumn>;

/** How a package's result relates to ours, and why it may differ. */
export interface Expectation {
  /** `same`; `from`: the seed differs and has faded by that candle; `shifted`: by the first volume; `rounded`: to two digits; `other`: another definition. */
  kind: 'same' | 'from' | 'shifted' | 'rounded' | 'other';
  candle?: number;
  why?: string;
  /** Candles where the package's rule differs; they are not compared. */
  isOther?: (candles: PeerCandles, candle: number) => boolean;
}

export interface Peer {
  /** The npm package. */
  name: string;
  each: Record<PeerId, (candles: PeerCandles) => PeerColumn>;
  expected: Record<PeerId, Expectation>;
  /** Values that are absent at the start, where the package puts the first result first and fills up at the end. */
  absent?: Record<PeerId, number>;
  /** Indicators that the package cannot repeat, and why. */
  broken?: Partial<Record<PeerId, string>>;
}

/** All nine. */
export const runPeer = ({ each }: Peer, candles: PeerCandles): PeerResponses =>
  Object.fromEntries(peerIds.map((id) => [id, each[id](candles)])) as PeerResponses;

/** Aligned with the candles at the end. */
export const alignedColumn = ({ absent }: Peer, id: PeerId, column: PeerColumn): PeerColumn =>
  absent === undefined ? column : Array.from(column).slice(0, column.length - absent[id]);

export const same: Expectation = { kind: 'same' };
/** An average seeded by its first value instead of the mean of its first period fades out of an EMA of 50 in 400 candles. */
export const seededByFirst: Expectation = { kind: 'from', candle: 400, why: 'average seeded by its first value' };
export const obvFromZero: Expectation = { kind: 'shifted', why: 'starts at 0 instead of the first volume' };
