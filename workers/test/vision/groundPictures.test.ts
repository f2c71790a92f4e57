import { describe, expect, it } from 'vitest';
import { groundChart, type GroundMatch, type GroundSeries } from '../../src/vision/ground.ts';
import type { ShapeReading } from '../../src/vision/readChart.ts';
import { type ChartStyle, type DrawnCandle, drawChart, type PictureForm } from './drawChart.ts';
import { candlesOf, isFull, seeded, size, universe } from './markets.ts';
import { nth, readPicture } from './measure.ts';
import { pictureForms } from './pictureSet.ts';
import { chartStyles } from './styles.ts';

/**
 * Drawn pictures in every style and form, through the reader, against a market of 128 symbols on 4 intervals with 5,000 candles each. `npm
 * test` takes every third style in one form each, against a smaller market.
 */
const market = universe(7, size);

const picturesOf: { style: ChartStyle; form: PictureForm }[] = isFull
  ? chartStyles.flatMap((style) => pictureForms.map((form) => ({ style, form })))
  : chartStyles.flatMap((style, at) => (at % 3 === 0 ? [{ style, form: nth(pictureForms, at) }] : []));

interface Search {
  isRead: boolean;
  match: GroundMatch | null;
  /** Candle of the drawn window that most read candles are, less their place: what a right match adds to its start. */
  shift: number;
  cpuMs: number;
}

async function search(style: ChartStyle, form: PictureForm, candles: readonly DrawnCandle[]): Promise<Search> {
  const chart = await drawChart(style, candles, form);
  const reading: ShapeReading = await readPicture(chart.bytes);
  if (reading.kind === 'none' || reading.kind === 'tooFew') return { isRead: false, match: null, shift: 0, cpuMs: 0 };
  const picture = {
    index: reading.candles.map(({ index }) => index),
    // Rows run down the picture.
    close: reading.candles.map(({ close }) => -close),
  };
  const before = process.cpuUsage();
  const match = groundChart(picture, market);
  const { user, system } = process.cpuUsage(before);
  const { step } = reading;
  const shifts = reading.candles.flatMap(({ index, x }) => {
    const at = chart.xs.findIndex((column) => Math.abs(column - x) < step * 0.5);
    return at < 0 ? [] : [at - index];
  });
  shifts.sort((a, b) => a - b);
  return { isRead: true, match, shift: shifts[shifts.length >> 1] ?? 0, cpuMs: (user + system) / 1000 };
}

function costText(costMs: readonly number[]): string {
  const sorted = [...costMs].sort((a, b) => a - b);
  const [middle = NaN, most = NaN] = [sorted[sorted.length >> 1], sorted.at(-1)];
  return `processor time of a search: median ${middle.toFixed(0)} ms, most ${most.toFixed(0)} ms`;
}

/** A window of a series, far enough from its ends. */
function windowOf(random: () => number): { start: number; count: number } {
  const count = 60 + Math.floor(random() * 60);
  return { start: 1 + Math.floor(random() * (size.candles - count - 2)), count };
}

describe('the market of drawn pictures', () => {
  it('is found with its symbol, interval and place, in at least 95 of 100', async () => {
    const random = seeded(55);
    const missed: string[] = [];
    const costMs: number[] = [];
    for (const { style, form } of picturesOf) {
      const at = Math.floor(random() * market.length);
      const window = windowOf(random);
      const candles = candlesOf((market[at] as GroundSeries).close, window, random);
      const { match, shift, cpuMs } = await search(style, form, candles);
      costMs.push(cpuMs);
      if (match?.series !== at || match.start !== window.start + shift)
        missed.push(`${style.name} ${form.format} ${form.quality} x${form.scale}`);
    }
    if (isFull)
      process.stdout.write(
        `found ${picturesOf.length - missed.length} of ${picturesOf.length} drawn pictures; ` +
          `${costText(costMs)}; ` +
          `missed: ${missed.join(', ')}\n`,
      );
    expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(picturesOf.length * 0.05);
    // Two seconds of one core, for the whole market only: a share says nothing about it.
    if (isFull) expect(Math.max(...costMs)).toBeLessThanOrEqual(2000);
  }, 3_600_000);

  it('is never verified for a market that is not ours or was flipped in time', async () => {
    const random = seeded(77);
    // One that moves with ours, as if its coin were missing from our list, and four that do not.
    const strangers = [
      ...universe(7, { symbols: size.symbols + 1, candles: size.candles }).filter(
        ({ symbol }) => symbol === `S${size.symbols}USDT`,
      ),
      ...universe(99, { symbols: 1, candles: size.candles }),
    ];
    const verified: string[] = [];
    const costMs: number[] = [];
    const count = isFull ? 200 : 10;
    for (let i = 0; i < count; i++) {
      const isFlipped = i % 2 === 0;
      const source = isFlipped ? nth(market, Math.floor(random() * market.length)) : nth(strangers, i >> 1);
      const close = isFlipped ? source.close.toReversed() : source.close;
      const style = nth(chartStyles, i);
      const form = nth(pictureForms, i >> 2);
      const { match, isRead, cpuMs } = await search(style, form, candlesOf(close, windowOf(random), random));
      if (isRead) costMs.push(cpuMs);
      if (match !== null) verified.push(`${i} ${style.name} ${form.format}`);
    }
    if (isFull)
      process.stdout.write(
        `verified ${verified.length} of ${count} strange or flipped pictures, ${costMs.length} of them read; ${costText(costMs)}\n`,
      );
    expect(verified).toEqual([]);
    // Guards against a test that passes because no picture was read.
    expect(costMs.length).toBeGreaterThanOrEqual(count * 0.9);
    // A search without a match takes longest.
    if (isFull) expect(Math.max(...costMs)).toBeLessThanOrEqual(2000);
  }, 3_600_000);
});
