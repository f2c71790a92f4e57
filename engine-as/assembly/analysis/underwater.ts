import { Analysis } from '../records.gen';
import { at } from '../series';

/** How deep in money and how long equity was below its highest close so far; the peak starts at `initial`. */
export function underwaterFigures(equity: usize, length: i32, initial: f64, out: Analysis): void {
  let peak = initial;
  let deepest: f64 = 0;
  let below = 0;
  let stretch = 0;
  let longest = 0;
  for (let i = 0; i < length; i++) {
    const value = at(equity, i);
    if (value >= peak) {
      peak = value;
      stretch = 0;
      continue;
    }
    if (peak - value > deepest) deepest = peak - value;
    below++;
    stretch++;
    if (stretch > longest) longest = stretch;
  }
  out.maxDrawdownUsdt = deepest;
  out.longestUnderwaterCandles = <f64>longest;
  out.underwaterFraction = <f64>below / <f64>length;
}
