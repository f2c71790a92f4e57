import type { EnsembleInput, EnsembleResult, EnsembleTimeframe } from './protocolEnsemble.ts';
import type { TaskResult } from './protocol.ts';

/** Contract of the `signals` task: the ensemble of many symbols in one go, with what a trader asks of each. */

/** What a position at the signal's price would be. Simulated capital; fractions: 0.01 is 1 %. */
export interface SignalSizing {
  balanceUsdt: number;
  leverage: number;
  riskTolerance: 'low' | 'medium' | 'high';
  isDynamicRisk: boolean;
  /** Used where no tier of the venue is known. */
  maintenanceMarginFraction: number;
  takerFeeFraction: number;
  stopSlippageFraction: number;
}

export interface SignalItem {
  symbol: string;
  /** The first one is the base, as in the ensemble. */
  timeframes: EnsembleTimeframe[];
}

export interface SignalsInput {
  items: SignalItem[];
  /** The same for every item. */
  rules: Omit<EnsembleInput, 'timeframes'>;
  sizing: SignalSizing;
}

export interface SignalPosition {
  /** balance x risk per trade x leverage / price, in coins, four decimals; 0 when that is too little. */
  quantity: number;
  /** quantity x price. */
  notionalUsdt: number;
  /** Isolated margin, Binance's formula; null without borrowed money or without a quantity. */
  liquidationPrice: number | null;
  /** Net loss when the stop is hit, USDT, > 0; null without a stop. */
  lossAtStopUsdt: number | null;
}

/** Values at the base's last closed candle; null during warm-up. */
export interface SignalMeta {
  rsi: number | null;
  macd: number | null;
  atr: number | null;
}

export interface Signal {
  ensemble: Omit<EnsembleResult, 'scores'>;
  /** Null when the direction is NEUTRAL. */
  position: SignalPosition | null;
  meta: SignalMeta;
}

export interface SignalRow {
  symbol: string;
  /** Of the base. */
  interval: string;
  /** One item that cannot be scored (too few candles, mostly) leaves the others alone. */
  signal: TaskResult<Signal>;
}

export interface SignalsResult {
  rows: SignalRow[];
  engineHash: string;
}
