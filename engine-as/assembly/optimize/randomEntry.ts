import { randomDraw, streamKey, uniformOf } from '../random/draw';
import { Market } from '../records.gen';
import { put } from '../series';
import { netPnlOf } from './outcome';
import { prepareEnd } from './runEnd';
import { writeRules } from './runSet';
import { tradeFrom } from './trade';

/**
 * Net PnL of runs with random entries and the exits and costs of `set`, quote currency.
 * @param entryChance chance of an entry at a flat candle
 * @param longShare   share of the entries that are long
 * @param nets        f64[runCount], written: net PnL of each run on candles [start, end)
 */
export function randomEntries(
  market: Market,
  set: usize,
  start: i32,
  end: i32,
  entryChance: f64,
  longShare: f64,
  runCount: i32,
  seed: u64,
  nets: usize,
): void {
  writeRules(market, set);
  prepareEnd(market, end);
  const last = end - 1;
  const initial = market.rules.initialEquity;
  for (let run = 0; run < runCount; run++) {
    const key = streamKey(seed, <u64>run);
    let net: f64 = 0;
    let bar = start;
    while (bar < last && initial + net > 0) {
      // One draw per candle: what happens at it does not depend on how the run came there.
      const isEntry = uniformOf(randomDraw(key, <u64>(2 * bar))) < entryChance;
      bar++;
      if (!isEntry) continue;
      const side: f64 = uniformOf(randomDraw(key, <u64>(2 * bar - 1))) < longShare ? 1 : -1;
      const exit = tradeFrom(market, bar, side, last, initial + net);
      if (exit < 0) continue;
      bar = exit;
      net += netPnlOf();
    }
    put(nets, run, net);
  }
}
