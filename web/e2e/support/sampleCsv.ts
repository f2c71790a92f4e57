import { seededRandom } from '../../../workers/test/support/randomRuns.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

/** Candles with trends, turns and pauses, hourly by default, the same for the same seed: the sample of the browser tests. */
export function sampleCsv(seed: number, count: number, { startMs = START, stepMs = HOUR } = {}): string {
  const random = seededRandom(seed);
  const lines = ['time,open,high,low,close,volume'];
  let price = 40_000;
  let drift = 0;
  for (let i = 0; i < count; i++) {
    if (i % 60 === 0) drift = (random() - 0.5) * 0.004;
    const open = price;
    const close = Math.max(1000, open * (1 + drift + (random() - 0.5) * 0.012));
    const high = Math.max(open, close) * (1 + random() * 0.004);
    const low = Math.min(open, close) * (1 - random() * 0.004);
    const cells = [open, high, low, close].map((value) => value.toFixed(1));
    // Rounding may put a high below a close that was rounded up: the widest of the written values wins.
    const written = cells.map(Number);
    cells[1] = Math.max(...written).toFixed(1);
    cells[2] = Math.min(...written).toFixed(1);
    lines.push([startMs + i * stepMs, ...cells, (50 + random() * 950).toFixed(3)].join(','));
    price = Number(cells[3]);
  }
  return `${lines.join('\n')}\n`;
}
