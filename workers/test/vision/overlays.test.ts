import { describe, expect, it } from 'vitest';
import type { IndicatorLine } from '../../src/vision/reading.ts';
import { drawChart, type DrawnChart } from './drawChart.ts';
import { percentile95, readPicture } from './measure.ts';
import { type PictureCase, pictureCases, pictureForms } from './pictureSet.ts';
import { chartStyles } from './styles.ts';

/** `npm run test:statistics` reads every style of candles in every form; `npm test` three styles as PNG. */
const isFull = process.env.STATISTICS === 'full';
const styles = chartStyles.filter(({ kind }) => kind === 'filled' || kind === 'hollow');
const shown = ['exchange pane', 'hollow light', 'plain'];
const cases = isFull
  ? pictureCases(1, styles)
  : pictureCases(
      1,
      styles.filter(({ name }) => shown.includes(name)),
      pictureForms.slice(0, 1),
    );

interface OverlayResult {
  hasVolume: boolean;
  /** 95th percentile of the errors of the bars, as a share of the highest bar; null without a reading. */
  volumeError: number | null;
  linesDrawn: number;
  linesRead: number;
  /** Lines that are near a drawn one at 70 % of the candles, and the 95th percentile of their errors as a share of the price range. */
  lineErrors: number[];
  /** Lines that are near no drawn one. */
  linesFalse: number;
}

/** Exponential averages as drawChart draws them. */
function averagesOf({ style, candles }: PictureCase): number[][] {
  return style.averages.map((length) => {
    let average = candles[0]?.close ?? 0;
    return candles.map(({ close }) => (average += ((close - average) * 2) / (length + 1)));
  });
}

async function readOverlays(picture: PictureCase): Promise<OverlayResult> {
  const { style, candles } = picture;
  const chart = await drawChart(style, candles, picture.form);
  const reading = await readPicture(chart.bytes);
  const none = { hasVolume: style.volume !== 'none', linesDrawn: style.averages.length, lineErrors: [] };
  if (reading.kind !== 'candles') return { ...none, volumeError: null, linesRead: 0, linesFalse: 0 };
  const places = reading.candles.map(({ x }) => chart.xs.findIndex((at) => Math.abs(at - x) < reading.step * 0.5));
  const most = Math.max(...candles.map(({ volume }) => volume));
  const highest = Math.max(...(reading.volume?.heights ?? []));
  const bars = reading.volume?.heights.flatMap((height, at) => {
    const truth = candles[places[at]!];
    return truth === undefined ? [] : [Math.abs(truth.volume / most - height / highest)];
  });
  const range =
    chart.rowOf(Math.min(...candles.map(({ low }) => low))) - chart.rowOf(Math.max(...candles.map(({ high }) => high)));
  const truths = averagesOf(picture);
  const matches = reading.indicators.map((line) => nearestOf(line, truths, { chart, places, range }));
  return {
    ...none,
    volumeError: bars === undefined ? null : percentile95(bars),
    linesRead: reading.indicators.length,
    lineErrors: matches.filter(({ seen, middle }) => middle < 0.01 && seen >= 0.7).map(({ error95 }) => error95),
    linesFalse: matches.filter(({ middle }) => middle >= 0.01).length,
  };
}

function nearestOf(
  line: IndicatorLine,
  truths: readonly number[][],
  { chart, places, range }: { chart: DrawnChart; places: readonly number[]; range: number },
): { middle: number; error95: number; seen: number } {
  const fits = truths.map((truth) => {
    const errors = line.rows
      .flatMap((row, at) => {
        const value = truth[places[at]!];
        return row === null || value === undefined ? [] : [Math.abs(row - chart.rowOf(value)) / range];
      })
      .sort((a, b) => a - b);
    const middle = errors[errors.length >> 1] ?? Infinity;
    return { middle, error95: percentile95(errors), seen: errors.length / line.rows.length };
  });
  return fits.reduce((best, fit) => (fit.middle < best.middle ? fit : best), { middle: Infinity, error95: 1, seen: 0 });
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

describe('volume and lines over the candles', () => {
  it('are read as drawn, and none is read where none is drawn', async () => {
    const results: OverlayResult[] = [];
    for (const picture of cases) results.push(await readOverlays(picture));
    const count = (holds: (result: OverlayResult) => boolean): number => results.filter(holds).length;
    const volumes = count(({ hasVolume }) => hasVolume);
    const right = count(({ hasVolume, volumeError }) => hasVolume && (volumeError ?? 1) <= 0.03);
    const invented = count(({ hasVolume, volumeError }) => !hasVolume && volumeError !== null);
    const drawn = results.reduce((sum, { linesDrawn }) => sum + linesDrawn, 0);
    const errors = results.flatMap(({ lineErrors }) => lineErrors);
    const foreign = results.reduce((sum, { linesFalse }) => sum + linesFalse, 0);
    if (isFull)
      process.stdout.write(
        `volume within 3 %: ${right} of ${volumes}, invented ${invented}; lines at 70 % of the candles: ${errors.length} of ${drawn}, ` +
          `median of their errors ${(median(errors) * 100).toFixed(2)} %, lines of nothing: ${foreign}\n`,
      );
    expect(right).toBeGreaterThanOrEqual(volumes * (isFull ? 0.85 : 1));
    expect(invented).toBe(0);
    expect(errors.length).toBeGreaterThanOrEqual(drawn * (isFull ? 0.6 : 1));
    expect(median(errors)).toBeLessThan(0.005);
    expect(foreign).toBeLessThanOrEqual(isFull ? 5 : 0);
  }, 3_600_000);
});
