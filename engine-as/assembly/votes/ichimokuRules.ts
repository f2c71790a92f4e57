import { NEUTRAL_BAND } from '../../abi/defaults';
import { larger, smaller } from '../lanes';
import { at } from '../series';

/** 1 above both spans, -1 below both, 0 inside the cloud. */
export function cloudSide(price: f64, a: f64, b: f64): i32 {
  const band = NEUTRAL_BAND * price;
  return <i32>(price - larger(a, b) > band) - <i32>(smaller(a, b) - price > band);
}

/**
 * The three votes over the lines: `whole` (13 weights) needs the cloud and tenkan against kijun to agree, `align` the
 * order close, tenkan, kijun, `cloud` the side of the cloud.
 */
export function voteIchimoku(
  close: usize,
  tenkan: usize,
  kijun: usize,
  spanA: usize,
  spanB: usize,
  alignFrom: i32,
  cloudFrom: i32,
  length: i32,
  whole: usize,
  align: usize,
  cloud: usize,
): void {
  for (let i = alignFrom; i < length; i++) {
    const price = at(close, i);
    const band = NEUTRAL_BAND * price;
    const lines = at(tenkan, i) - at(kijun, i);
    const above = price - at(tenkan, i);
    const cross = <i32>(lines > band) - <i32>(lines < -band);
    store<i8>(align + <usize>i, <i32>(cross > 0 && above > band) - <i32>(cross < 0 && above < -band));
    if (i < cloudFrom) continue;
    const side = cloudSide(price, at(spanA, i), at(spanB, i));
    store<i8>(cloud + <usize>i, side);
    store<i8>(whole + <usize>i, side === cross ? side : 0);
  }
}
