import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import {
  closePosition,
  grossPnl,
  netPnl,
  openPosition,
  stepPosition,
  type Funding,
  type Position,
  type Reason,
  type Rules,
} from './position.ts';
import { fundingByBar } from './funding.ts';
import { summarise, type TwinSummary } from './summary.ts';

export interface TwinTrade {
  side: number;
  entryIndex: number;
  exitIndex: number;
  entryPrice: number;
  exitPrice: number;
  reason: Reason;
  grossPnl: number;
  fees: number;
  funding: number;
  slippage: number;
  netPnl: number;
  isAmbiguous: boolean;
}

export interface TwinResult {
  trades: TwinTrade[];
  equity: Float64Array;
  summary: TwinSummary;
}

/** One backtest over the last `scoredCount` candles: decide on the closed bar, fill at the next open. */
export function backtestTwin(candles: Candles, score: Float64Array, rules: Rules, scoredCount: number): TwinResult {
  const funding = fundingByBar(candles, rules.costs);
  const equity = new Float64Array(scoredCount);
  const trades: TwinTrade[] = [];
  const pass = { candles, score, rules, funding, scoredCount };
  const net = runPass({ ...pass, isTargetFirst: false }, trades, equity);
  const isAmbiguous = trades.some((trade) => trade.isAmbiguous);
  const optimisticNetPnl = isAmbiguous ? runPass({ ...pass, isTargetFirst: true }, [], undefined) : net;
  return { trades, equity, summary: summarise(candles, trades, equity, rules.costs, net, optimisticNetPnl) };
}

interface Pass {
  candles: Candles;
  score: Float64Array;
  rules: Rules;
  funding: Funding;
  scoredCount: number;
  isTargetFirst: boolean;
}

/** Walks the scored candles once, filling `trades` and, when wanted, `equity`. Returns the net PnL. */
function runPass(pass: Pass, trades: TwinTrade[], equity: Float64Array | undefined): number {
  const { candles, score, rules, funding, scoredCount, isTargetFirst } = pass;
  const { entryThreshold } = rules.params;
  const count = candles.close.length;
  const start = count - scoredCount;
  let position: Position | undefined;
  let pending = 0;
  let net = 0;
  for (let i = start; i < count; i++) {
    const realised = rules.costs.initialEquity + net;
    if (pending !== 0 && (candles.volume[i] as number) > 0) {
      position = openPosition(rules, candles, i, pending, realised);
    }
    const close = candles.close[i] as number;
    if (position !== undefined) {
      let reason = stepPosition(rules, position, candles, i, funding, isTargetFirst);
      if (reason === undefined && i === count - 1) {
        reason = closePosition(rules, position, close, 'END');
      }
      if (reason !== undefined) {
        const trade = tradeOf(position, i, reason);
        trades.push(trade);
        net += trade.netPnl;
        position = undefined;
      }
    }
    if (equity !== undefined) {
      const realised = rules.costs.initialEquity + net;
      equity[i - start] = position === undefined ? realised : realised + netPnl(position, close);
    }
    const value = score[i] as number;
    const isDone = position !== undefined || !(rules.costs.initialEquity + net > 0);
    pending = isDone ? 0 : value >= entryThreshold ? 1 : value <= -entryThreshold ? -1 : 0;
  }
  return net;
}

function tradeOf(position: Position, exitIndex: number, reason: Reason): TwinTrade {
  const { side, entryIndex, entryPrice, exitPrice, fees, funding, slippage, isAmbiguous } = position;
  return {
    side,
    entryIndex,
    exitIndex,
    entryPrice,
    exitPrice,
    reason,
    grossPnl: grossPnl(position, exitPrice),
    fees,
    funding,
    slippage,
    netPnl: netPnl(position, exitPrice),
    isAmbiguous,
  };
}
