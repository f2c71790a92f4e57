import type { Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import type { Funding } from './position.ts';

/** Open price x rate of each bar's fundings: at its open, and after it until the next. */
export function fundingByBar({ time, open }: Candles, { funding }: Costs): Funding {
  const count = time.length;
  const sums = { atOpen: new Float64Array(count), inside: new Float64Array(count) };
  if (funding === undefined) return sums;
  const last = time[count - 1] as number;
  const end = last + (last - (time[count - 2] as number));
  let stamp = 0;
  for (let i = 0; i < count; i++) {
    const next = i + 1 < count ? (time[i + 1] as number) : end;
    for (; stamp < funding.time.length; stamp++) {
      const at = Math.floor((funding.time[stamp] as number) / 1000) * 1000;
      if (at >= next) break;
      if (at < (time[i] as number)) continue;
      const sum = at === time[i] ? sums.atOpen : sums.inside;
      sum[i] = (sum[i] as number) + (open[i] as number) * (funding.rate[stamp] as number);
    }
  }
  return sums;
}
