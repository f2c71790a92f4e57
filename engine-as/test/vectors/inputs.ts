import { type Columns, flatMarket, goldenWalk } from '../candles.ts';
import { gridMarket, plantedMarket } from '../patterns/markets.ts';

/** The candles that TA-Lib was run on (talib.c). They are made with exact operations only, so every machine makes the same. */
export const vectorInputs: Record<string, () => Columns> = {
  walk: () => goldenWalk(1000),
  flat: () => flatMarket(1000),
  patternWalk: () => goldenWalk(1200, 4242),
  patternGrid: () => gridMarket(2000, 11),
  patternPlanted: () => plantedMarket(600, 12),
};

if (import.meta.main) {
  for (const [name, make] of Object.entries(vectorInputs)) {
    const { open, high, low, close, volume } = make();
    const rows = Array.from(close, (_, i) => [open[i], high[i], low[i], close[i], volume[i]].join(' '));
    process.stdout.write(`${name} ${rows.length}\n${rows.join('\n')}\n`);
  }
}
