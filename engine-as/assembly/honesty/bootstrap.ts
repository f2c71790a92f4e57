import { randomBelow, streamKey } from '../random/draw';
import { addressOf, at, put } from '../series';

/**
 * Equity paths from blocks of the measured equity changes, drawn with replacement from a circle, so that runs of wins and
 * losses up to the block length survive. Changes are added (fixed position size, no compounding).
 * Source: Politis, Romano, A Circular Block-Resampling Procedure for Stationary Data (1992).
 *
 * @param changes         f64[length], equity change of each observation, quote currency
 * @param initialEquity   quote currency, > 0
 * @param blockLength     1..length
 * @param checkpointCount equity is noted at this many evenly spaced places of a path, the last one being its end
 * @param finals          f64[pathCount]: final equity
 * @param drawdowns       f64[pathCount]: largest fall from the running peak, fraction of the peak (above 1 when equity ends below 0)
 * @param fan             f64[checkpointCount * pathCount]: checkpoint after checkpoint
 */
export function equityBootstrap(
  changes: usize,
  length: i32,
  initialEquity: f64,
  blockLength: i32,
  pathCount: i32,
  seed: u64,
  checkpointCount: i32,
  finals: usize,
  drawdowns: usize,
  fan: usize,
): void {
  for (let path = 0; path < pathCount; path++) {
    const key = streamKey(seed, <u64>path);
    let equity = initialEquity;
    let peak = initialEquity;
    let drawdown: f64 = 0;
    let source = 0;
    let checkpoint = 0;
    let noteAt = length / checkpointCount;
    for (let t = 0; t < length; t++) {
      if (t % blockLength == 0) source = <i32>randomBelow(key, <u64>(t / blockLength), <u32>length);
      equity += at(changes, source);
      source = source + 1 == length ? 0 : source + 1;
      if (equity > peak) peak = equity;
      const fall = (peak - equity) / peak;
      if (fall > drawdown) drawdown = fall;
      while (t + 1 == noteAt && checkpoint < checkpointCount) {
        put(addressOf(fan, checkpoint * pathCount), path, equity);
        checkpoint++;
        noteAt = <i32>((<i64>length * <i64>(checkpoint + 1)) / <i64>checkpointCount);
      }
    }
    put(finals, path, equity);
    put(drawdowns, path, drawdown);
  }
}
