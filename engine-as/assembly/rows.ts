import { Bar, Tier, Trade } from './records.gen';

// Records that lie one after the other.

export function barAt(bars: usize, index: i32): Bar {
  return changetype<Bar>(bars + <usize>index * offsetof<Bar>());
}

export function tradeAt(trades: usize, index: i32): Trade {
  return changetype<Trade>(trades + <usize>index * offsetof<Trade>());
}

export function tierAt(tiers: usize, index: i32): Tier {
  return changetype<Tier>(tiers + <usize>index * offsetof<Tier>());
}

/** Candle `i` of six columns whose addresses adjoin at `columns`, time first; its own prices stand in for the mark price. */
export function copyCandle(columns: usize, i: i32, bar: Bar): void {
  const at = (<usize>i) << 3;
  bar.time = load<f64>(<usize>load<u32>(columns) + at);
  bar.open = load<f64>(<usize>load<u32>(columns, 4) + at);
  bar.high = load<f64>(<usize>load<u32>(columns, 8) + at);
  bar.low = load<f64>(<usize>load<u32>(columns, 12) + at);
  bar.close = load<f64>(<usize>load<u32>(columns, 16) + at);
  bar.volume = load<f64>(<usize>load<u32>(columns, 20) + at);
  bar.markOpen = bar.open;
  bar.markHigh = bar.high;
  bar.markLow = bar.low;
  bar.atr = NaN;
  bar.fundingAtOpen = 0;
  bar.fundingInside = 0;
  bar.impact = 0;
}
