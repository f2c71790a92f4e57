import { findParts } from '../backtest/bars';
import { resetClock } from '../backtest/clock';
import { fundingByBar } from '../backtest/funding';
import { Market } from '../records.gen';
import { at, put } from '../series';
import { intervalOf } from '../stats/dailyReturns';

/**
 * A run on candles [0, end) does not know when the candle after its last one starts: its interval, and the fundings and finer candles
 * inside its last bar, may differ from those of the market. Computed once for all sets that end there.
 */
export function prepareEnd(market: Market, end: i32): void {
  if (market.end === end) return;
  const frame = market.frame;
  const ranges = market.partRanges;
  frame.count = end;
  fundingByBar(frame);
  put(market.endFunding, 0, at(frame.fundingInside, end - 1));
  put(market.interval, 0, intervalOf(frame.time, end));
  if (ranges !== 0) {
    resetClock(frame);
    findParts(frame, end - 1, ranges + ((<usize>market.count) << 3));
  }
  frame.count = market.count;
  market.end = end;
}
