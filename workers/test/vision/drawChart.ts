import sharp from 'sharp';

/** Draws charts as exchanges and charting sites show them, from known candles: the truth that the chart reader is measured against. */
export interface DrawnCandle {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface ChartStyle {
  name: string;
  /** A line shows closes only; an area is a line with its colour paler below it. */
  kind: 'filled' | 'hollow' | 'line' | 'area';
  width: number;
  height: number;
  background: string;
  grid: string | null;
  text: string;
  up: string;
  down: string;
  volume: 'none' | 'overlay' | 'pane';
  /** Exponential averages of these lengths are drawn over the candles. */
  averages: readonly number[];
  isLog: boolean;
  watermark: string | null;
  hasLastPrice: boolean;
  /** Text that stands in the corner. */
  title?: string;
  /** Thousands of the axis are grouped: 60,123.5. */
  isGrouped?: boolean;
  font?: string;
  /** Edges of candles stand anywhere between two pixels, as scaled browsers draw them. */
  isSmooth?: boolean;
  /** Background at the bottom; the other one is at the top. */
  gradient?: string;
  /** Prices stand at the left. */
  isAxisLeft?: boolean;
  hasCrossHair?: boolean;
  /** Lines of text over the candles. */
  legend?: readonly string[];
}

export interface PictureForm {
  format: 'png' | 'jpeg' | 'webp';
  quality: number;
  /** 1 keeps the drawn size. */
  scale: number;
}

/** The picture and its contents, in pixels of the saved picture. */
export interface DrawnChart {
  bytes: Uint8Array;
  width: number;
  height: number;
  /** Centre of each candle. */
  xs: number[];
  /** Row of a price, down the picture. */
  rowOf: (price: number) => number;
  /** Prices at the axis, from the top. */
  labels: { price: number; y: number }[];
}

const axisWidth = 84;
const timeHeight = 28;
const colours = ['#f7a600', '#7b61ff', '#e0e0e0'];

/** In any font of the machine. */
const textAt = (text: string, x: number, y: number, size: number, fill: string, font = 'sans-serif'): string =>
  `<text x="${x}" y="${y}" font-family="${font}" font-size="${size}" fill="${fill}">${escaped(text)}</text>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const rect = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const line = (x1: number, y1: number, x2: number, y2: number, stroke: string, more = ''): string =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${stroke}" ${more}/>`;

interface Frame {
  plotWidth: number;
  plotHeight: number;
  step: number;
  x: (index: number) => number;
  y: (price: number) => number;
  prices: number[];
}

function frameOf(style: ChartStyle, candles: readonly DrawnCandle[]): Frame {
  const paneHeight = style.volume === 'pane' ? Math.round(style.height * 0.17) : 0;
  const plotWidth = style.width - axisWidth;
  const plotHeight = style.height - timeHeight - paneHeight;
  const move = style.isLog ? Math.log : (price: number) => price;
  const back = style.isLog ? Math.exp : (value: number) => value;
  const high = move(Math.max(...candles.map((candle) => candle.high)));
  const low = move(Math.min(...candles.map((candle) => candle.low)));
  const top = 34;
  const bottom = plotHeight - (style.volume === 'overlay' ? plotHeight * 0.2 : 14);
  const y = (price: number): number => top + ((high - move(price)) / (high - low)) * (bottom - top);
  const step = plotWidth / (candles.length + 3);
  const prices = axisPrices(back(low), back(high), y);
  return { plotWidth, plotHeight, step, x: (index) => (index + 1.5) * step, y, prices };
}

/** Round prices at equal steps, at least 40 pixels apart, as exchanges label their axes. */
function axisPrices(low: number, high: number, y: (price: number) => number): number[] {
  const rough = (high - low) / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const prices: number[] = [];
  for (let price = Math.ceil(low / step) * step; price <= high; price += step) {
    const last = prices.at(-1);
    if (last === undefined || y(last) - y(price) >= 40) prices.push(price);
  }
  return prices.reverse();
}

/** As many decimals as exchanges print for a price of this size. */
export function priceText(price: number, isGrouped = false): string {
  const text = price.toFixed(price >= 1000 ? 1 : price >= 10 ? 2 : price >= 1 ? 4 : 5);
  return isGrouped ? text.replace(/^\d+/, (whole) => whole.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, ',')) : text;
}

function background(style: ChartStyle, frame: Frame): string[] {
  const { plotWidth, plotHeight, y, prices } = frame;
  const parts: string[] = [];
  if (style.watermark !== null) {
    parts.push(`<g opacity="0.06">${textAt(style.watermark, plotWidth * 0.25, plotHeight * 0.55, 90, style.text)}</g>`);
  }
  for (const price of prices) {
    const row = Math.round(y(price)) + 0.5;
    if (style.grid !== null) parts.push(line(0, row, plotWidth, row, style.grid));
    parts.push(textAt(priceText(price, style.isGrouped), plotWidth + 10, row + 4.5, 13, style.text, style.font));
  }
  for (let at = plotWidth / 8; at < plotWidth; at += plotWidth / 8) {
    const column = Math.round(at) + 0.5;
    if (style.grid !== null) parts.push(line(column, 0, column, style.height - timeHeight, style.grid));
    parts.push(
      textAt(
        `${String((10 + Math.round(at / 60)) % 24).padStart(2, '0')}:00`,
        column - 16,
        style.height - 9,
        12,
        style.text,
        style.font,
      ),
    );
  }
  return parts;
}

function lineShapes(style: ChartStyle, frame: Frame, candles: readonly DrawnCandle[]): string[] {
  const points = candles.map(
    ({ close }, index) => `${(Math.floor(frame.x(index)) + 0.5).toFixed(1)},${frame.y(close).toFixed(2)}`,
  );
  const [first, last] = [Math.floor(frame.x(0)) + 0.5, Math.floor(frame.x(candles.length - 1)) + 0.5];
  const below = `<polygon points="${points.join(' ')} ${last},${frame.plotHeight} ${first},${frame.plotHeight}" fill="${style.up}" opacity="0.15"/>`;
  return [
    ...(style.kind === 'area' ? [below] : []),
    `<polyline points="${points.join(' ')}" fill="none" stroke="${style.up}" stroke-width="2" stroke-linejoin="round"/>`,
  ];
}

function candleShapes(style: ChartStyle, frame: Frame, candles: readonly DrawnCandle[]): string[] {
  if (style.kind === 'line' || style.kind === 'area') return lineShapes(style, frame, candles);
  const width = Math.max(1, Math.floor(frame.step * 0.72) | 1);
  return candles.flatMap((candle, index) => {
    const isUp = candle.close >= candle.open;
    const fill = isUp ? style.up : style.down;
    const centre = Math.floor(frame.x(index));
    const place = style.isSmooth === true ? (row: number): number => row : Math.round;
    const [high, low] = [place(frame.y(candle.high)), place(frame.y(candle.low))];
    const top = place(frame.y(Math.max(candle.open, candle.close)));
    const bottom = Math.max(top + 1, place(frame.y(Math.min(candle.open, candle.close))));
    const left = centre - (width >> 1);
    if (style.kind === 'hollow' && isUp && bottom - top > 2) {
      return [
        rect(centre, high, 1, Math.max(0, top - high), fill),
        rect(centre, bottom, 1, Math.max(0, low - bottom), fill),
        rect(left + 0.5, top + 0.5, width - 1, bottom - top - 1, 'none', `stroke="${fill}" stroke-width="1"`),
      ];
    }
    return [rect(centre, high, 1, Math.max(1, low - high), fill), rect(left, top, width, bottom - top, fill)];
  });
}

function volumeShapes(style: ChartStyle, frame: Frame, candles: readonly DrawnCandle[]): string[] {
  if (style.volume === 'none') return [];
  const most = Math.max(...candles.map(({ volume }) => volume));
  const isPane = style.volume === 'pane';
  const base = isPane ? style.height - timeHeight : frame.plotHeight;
  const room = isPane ? style.height * 0.14 : frame.plotHeight * 0.16;
  const width = Math.max(1, Math.floor(frame.step * 0.72) | 1);
  return candles.map(({ open, close, volume }, index) => {
    const height = Math.max(1, Math.round((volume / most) * room));
    const left = Math.floor(frame.x(index)) - (width >> 1);
    return rect(
      left,
      base - height,
      width,
      height,
      close >= open ? style.up : style.down,
      isPane ? '' : 'opacity="0.5"',
    );
  });
}

function averageShape(frame: Frame, candles: readonly DrawnCandle[], length: number, stroke: string): string {
  let average = candles[0]?.close ?? 0;
  const points = candles.map(({ close }, index) => {
    average += ((close - average) * 2) / (length + 1);
    return `${frame.x(index).toFixed(1)},${frame.y(average).toFixed(1)}`;
  });
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${stroke}" stroke-width="1.5"/>`;
}

function lastPrice(style: ChartStyle, frame: Frame, candles: readonly DrawnCandle[]): string[] {
  const last = candles.at(-1);
  if (last === undefined || !style.hasLastPrice) return [];
  const fill = last.close >= last.open ? style.up : style.down;
  const row = Math.round(frame.y(last.close)) + 0.5;
  return [
    line(0, row, frame.plotWidth, row, fill, 'stroke-dasharray="2 3"'),
    rect(frame.plotWidth, row - 10, axisWidth, 20, fill),
    textAt(priceText(last.close, style.isGrouped), frame.plotWidth + 10, row + 4.5, 13, '#ffffff', style.font),
  ];
}

/** Below everything: one colour, or two that run into each other. */
const groundOf = ({ width, height, background: colour, gradient }: ChartStyle): string =>
  gradient === undefined
    ? rect(0, 0, width, height, colour)
    : `<defs><linearGradient id="ground" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colour}"/>` +
      `<stop offset="1" stop-color="${gradient}"/></linearGradient></defs>${rect(0, 0, width, height, 'url(#ground)')}`;

/** Above everything: the lines of a pointer, and a legend. */
function marksOver(style: ChartStyle, frame: Frame): string[] {
  const [column, row] = [Math.round(frame.plotWidth * 0.62) + 0.5, Math.round(frame.plotHeight * 0.43) + 0.5];
  const hair = [
    line(column, 0, column, style.height - timeHeight, style.text, 'stroke-dasharray="4 4" opacity="0.7"'),
    line(0, row, frame.plotWidth, row, style.text, 'stroke-dasharray="4 4" opacity="0.7"'),
  ];
  const legend = (style.legend ?? []).map((text, at) => textAt(text, 14, 44 + at * 18, 12, style.text, style.font));
  return [...(style.hasCrossHair === true ? hair : []), ...legend];
}

/** Prices that are drawn right of the plot stand left of it. */
function turned(parts: readonly string[], style: ChartStyle, frame: Frame): string {
  if (style.isAxisLeft !== true) return parts.join('');
  const shift = (part: string): boolean =>
    part.includes(` x="${frame.plotWidth + 10}"`) || part.includes(` x="${frame.plotWidth}" `);
  const [axis, plot] = [parts.filter(shift), parts.filter((part) => !shift(part))];
  return `<g transform="translate(${axisWidth} 0)">${plot.join('')}</g><g transform="translate(${-frame.plotWidth} 0)">${axis.join('')}</g>`;
}

/** The chart as bytes of a picture, and where everything stands in it. */
export async function drawChart(
  style: ChartStyle,
  candles: readonly DrawnCandle[],
  form: PictureForm,
): Promise<DrawnChart> {
  const frame = frameOf(style, candles);
  const shapes = [
    ...volumeShapes(style, frame, candles),
    ...candleShapes(style, frame, candles),
    ...style.averages.map((length, index) =>
      averageShape(frame, candles, length, colours[index % colours.length] ?? '#f7a600'),
    ),
  ];
  const title = style.title ?? 'BTCUSDT Perpetual · 1h';
  const parts = [
    ...background(style, frame),
    ...shapes,
    ...lastPrice(style, frame, candles),
    ...marksOver(style, frame),
    textAt(title, 14, 22, 15, style.text, style.font),
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${style.width}" height="${style.height}">${groundOf(style)}${turned(parts, style, frame)}</svg>`;
  const width = Math.round(style.width * form.scale);
  const height = Math.round(style.height * form.scale);
  const drawn = sharp(Buffer.from(svg)).flatten({ background: style.background });
  const sized = form.scale === 1 ? drawn : sharp(await drawn.png().toBuffer()).resize(width, height);
  const bytes = await sized.toFormat(form.format, form.format === 'png' ? {} : { quality: form.quality }).toBuffer();
  const rowOf = (price: number): number => frame.y(price) * form.scale;
  return {
    bytes: new Uint8Array(bytes),
    width,
    height,
    xs: candles.map(
      (_, index) => (Math.floor(frame.x(index)) + 0.5 + (style.isAxisLeft === true ? axisWidth : 0)) * form.scale,
    ),
    rowOf,
    labels: frame.prices.map((price) => ({ price, y: rowOf(price) })),
  };
}
