import sharp from 'sharp';
import type { DrawnCandle } from '../drawChart.ts';
import type { LibraryPicture } from './libraryCharts.ts';

/**
 * Charts with the proportions and colours of mplfinance, which npm does not have: a figure of 800 x 575 with the margins of matplotlib, a
 * frame, labels at the left or right, rotated dates, bodies with an edge.
 */
export interface MplStyle {
  name: string;
  face: string;
  grid: string;
  isDashed: boolean;
  up: string;
  down: string;
  edge: string | null;
  isAxisRight: boolean;
}

export const mplStyles: readonly MplStyle[] = [
  {
    name: 'mplfinance, default',
    face: '#DCE3EF',
    grid: '#ffffff',
    isDashed: false,
    up: '#ffffff',
    down: '#000000',
    edge: '#000000',
    isAxisRight: false,
  },
  {
    name: 'mplfinance, charles',
    face: '#ffffff',
    grid: '#b0b0b0',
    isDashed: true,
    up: '#006340',
    down: '#a02128',
    edge: null,
    isAxisRight: true,
  },
  {
    name: 'mplfinance, yahoo',
    face: '#fafafa',
    grid: '#e6e6e6',
    isDashed: false,
    up: '#00b060',
    down: '#fe3032',
    edge: null,
    isAxisRight: true,
  },
  {
    name: 'mplfinance, classic',
    face: '#ffffff',
    grid: '#cccccc',
    isDashed: true,
    up: '#ffffff',
    down: '#000000',
    edge: '#000000',
    isAxisRight: false,
  },
];

const figure = { width: 1200, height: 720, left: 150, right: 120, top: 86, bottom: 130 };

export async function drawMplfinance(style: MplStyle, candles: readonly DrawnCandle[]): Promise<LibraryPicture> {
  const { width, height, left, right, top, bottom } = figure;
  const plot = { width: width - left - right, height: height - top - bottom };
  const high = Math.max(...candles.map((candle) => candle.high));
  const low = Math.min(...candles.map((candle) => candle.low));
  const pad = (high - low) * 0.05;
  const y = (price: number): number => top + ((high + pad - price) / (high - low + 2 * pad)) * plot.height;
  const step = plot.width / (candles.length + 1);
  const x = (at: number): number => left + (at + 1) * step;
  const parts = [`<rect x="${left}" y="${top}" width="${plot.width}" height="${plot.height}" fill="${style.face}"/>`];
  const dash = style.isDashed ? 'stroke-dasharray="4 2"' : '';
  for (let label = 0; label < 7; label++) {
    const price = low + ((high - low) * (label + 0.5)) / 7;
    const row = y(price);
    const at = style.isAxisRight ? left + plot.width + 8 : left - 70;
    parts.push(
      `<line x1="${left}" x2="${left + plot.width}" y1="${row}" y2="${row}" stroke="${style.grid}" ${dash}/>`,
      `<text x="${at}" y="${row + 5}" font-family="sans-serif" font-size="14" fill="#262626">${price.toFixed(1)}</text>`,
    );
  }
  for (let label = 0; label < 8; label++) {
    const column = left + (plot.width * (label + 0.5)) / 8;
    parts.push(
      `<line x1="${column}" x2="${column}" y1="${top}" y2="${top + plot.height}" stroke="${style.grid}" ${dash}/>`,
      `<text transform="translate(${column - 60} ${height - bottom + 90}) rotate(-45)" font-family="sans-serif" font-size="14" fill="#262626">Jan 0${label + 1}, 06:00</text>`,
    );
  }
  const side = style.isAxisRight ? width - 30 : 40;
  parts.push(
    `<text transform="translate(${side} ${height / 2}) rotate(-90)" font-family="sans-serif" font-size="16" fill="#262626">Price</text>`,
    `<rect x="${left}" y="${top}" width="${plot.width}" height="${plot.height}" fill="none" stroke="#262626"/>`,
  );
  candles.forEach((candle, at) => parts.push(...candleParts(style, candle, { x: x(at), step, y })));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#ffffff"/>${parts.join('')}</svg>`;
  return {
    bytes: new Uint8Array(await sharp(Buffer.from(svg)).png().toBuffer()),
    xs: candles.map((_, at) => x(at)),
    rows: candles.map(({ close }) => y(close)),
  };
}

function candleParts(
  style: MplStyle,
  { open, high, low, close }: DrawnCandle,
  { x, step, y }: { x: number; step: number; y: (price: number) => number },
): string[] {
  const fill = close >= open ? style.up : style.down;
  const edge = style.edge ?? fill;
  // Matplotlib moves straight edges to pixels.
  const snap = (place: number): number => Math.floor(place) + 0.5;
  const [top, bottom] = [snap(y(Math.max(open, close))), snap(y(Math.min(open, close)))];
  const [left, right, centre] = [snap(x - step * 0.35), snap(x + step * 0.35), snap(x)];
  return [
    `<line x1="${centre}" x2="${centre}" y1="${y(high)}" y2="${top}" stroke="${edge}" stroke-width="1"/>`,
    `<line x1="${centre}" x2="${centre}" y1="${bottom}" y2="${y(low)}" stroke="${edge}" stroke-width="1"/>`,
    `<rect x="${left}" y="${top}" width="${right - left}" height="${Math.max(0.5, bottom - top)}" fill="${fill}" stroke="${edge}" stroke-width="1"/>`,
  ];
}
