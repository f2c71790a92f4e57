import { Analysis, Frame, Trade } from '../records.gen';
import { isForced } from '../simulate/trade';
import { at, put } from '../series';

/**
 * Largest fall of equity from its highest close so far when every candle that a position was held through counts at its worst price, with
 * the costs of that candle. The candle of an exit counts its open only: the path after the exit is unknown. Candles without volume filled
 * nothing and count their close.
 * @param worst f64[scored], scratch
 */
export function intrabarDrawdown(frame: Frame, worst: usize, out: Analysis): void {
  const rules = frame.rules;
  const scored = <i32>rules.scoredCount;
  for (let i = 0; i < scored; i++) put(worst, i, at(frame.equity, i));
  const tradeCount = <i32>frame.summary.tradeCount;
  for (let k = 0; k < tradeCount; k++) {
    lowerByTrade(frame, changetype<Trade>(frame.trades + <usize>k * offsetof<Trade>()), worst);
  }
  let peak = rules.initialEquity;
  let deepest: f64 = 0;
  for (let i = 0; i < scored; i++) {
    const fall = (peak - at(worst, i)) / peak;
    if (fall > deepest) deepest = fall;
    const close = at(frame.equity, i);
    if (close > peak) peak = close;
  }
  out.intrabarDrawdownFraction = deepest;
}

function lowerByTrade(frame: Frame, trade: Trade, worst: usize): void {
  const start = frame.count - <i32>frame.rules.scoredCount;
  const size = trade.side * trade.quantity;
  const entry = <i32>trade.entryIndex;
  const exit = <i32>trade.exitIndex;
  for (let i = entry; i < exit; i++) {
    if (at(frame.volume, i) > 0) {
      lower(
        worst,
        i - start,
        at(frame.equity, i - start) + size * (worstPrice(frame, trade.side, i) - at(frame.close, i)),
      );
    }
  }
  if (!(at(frame.volume, exit) > 0)) return;
  // A close that is forced at the end comes after the whole candle.
  const price = isForced(trade) ? worstPrice(frame, trade.side, exit) : at(frame.open, exit);
  const last = exit - start;
  if (exit > entry) {
    lower(worst, last, at(frame.equity, last - 1) + size * (price - at(frame.close, exit - 1)));
    return;
  }
  // Nothing is entered after an exit inside the candle: without this trade equity would be unchanged.
  const before = at(frame.equity, last) - trade.netPnl;
  const entryFee = frame.rules.takerFee * (trade.quantity * trade.entryPrice);
  lower(worst, last, before - entryFee + size * (price - trade.entryPrice));
}

function worstPrice(frame: Frame, side: f64, i: i32): f64 {
  return side > 0 ? at(frame.low, i) : at(frame.high, i);
}

function lower(worst: usize, i: i32, value: f64): void {
  if (value < at(worst, i)) put(worst, i, value);
}
