import sharp from 'sharp';
import { nth, seeded } from './measure.ts';

/** Pictures that users upload by mistake. Drawn by rules, each from a separate seed. */
export interface NotChart {
  kind: string;
  bytes: Uint8Array;
}

type Random = () => number;
const palettes = [
  ['#ffffff', '#222222', '#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#e8e8e8'],
  ['#131722', '#d1d4dc', '#26a69a', '#ef5350', '#f7a600', '#2962ff', '#2a2e39'],
  ['#fafafa', '#333333', '#0ecb81', '#f6465d', '#7b61ff', '#f0b90b', '#dddddd'],
] as const;
type Palette = (typeof palettes)[number];
const words = 'market order the price of a trade and volume is not what you see when data comes from many users'.split(
  ' ',
);

const rect = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${Math.max(0.5, width).toFixed(1)}" height="${Math.max(0.5, height).toFixed(1)}" fill="${fill}"/>`;
const text = (content: string, x: number, y: number, size: number, fill: string): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-family="sans-serif" font-size="${size}" fill="${fill}">${content}</text>`;
const sentence = (random: Random, count: number): string =>
  Array.from({ length: count }, () => nth(words, Math.floor(random() * words.length))).join(' ');

interface Sheet {
  width: number;
  height: number;
  random: Random;
  palette: Palette;
}

function table({ width, height, random, palette }: Sheet): string[] {
  const [rowHeight, columns] = [18 + random() * 14, 4 + Math.floor(random() * 5)];
  const parts: string[] = [];
  for (let y = 30; y < height - rowHeight; y += rowHeight) {
    parts.push(rect(10, y + rowHeight * 0.3, width - 20, 1, palette[6]));
    for (let column = 0; column < columns; column++) {
      const fill = random() < 0.3 ? nth([palette[2], palette[5]], Math.floor(random() * 2)) : palette[1];
      parts.push(text((random() * 90_000).toFixed(column % 3), 14 + (column * (width - 20)) / columns, y, 12, fill));
    }
  }
  return parts;
}

function bars({ width, height, random, palette }: Sheet): string[] {
  const count = 8 + Math.floor(random() * 50);
  const step = (width - 80) / count;
  const isTwoSided = random() < 0.4;
  return Array.from({ length: count }, (_, at) => {
    const size = (0.1 + random() * 0.8) * (height - 90) * (isTwoSided ? 0.5 : 1);
    const isBelow = isTwoSided && random() < 0.5;
    const base = isTwoSided ? height / 2 : height - 40;
    return rect(50 + at * step, isBelow ? base : base - size, step * 0.7, size, isBelow ? palette[3] : palette[2]);
  });
}

function textPage({ width, height, random, palette }: Sheet): string[] {
  const size = 11 + Math.floor(random() * 8);
  const parts = [text(sentence(random, 5), 30, 40, size * 2, palette[1])];
  for (let y = 70; y < height - 20; y += size * 1.6)
    if (random() > 0.1) parts.push(text(sentence(random, Math.floor(width / size / 4)), 30, y, size, palette[1]));
  return parts;
}

function screen({ width, height, random, palette }: Sheet): string[] {
  const parts = [rect(0, 0, width, 48, palette[6]), text('Dashboard', 20, 30, 18, palette[1])];
  for (let y = 70; y < height - 100; y += 110)
    for (let x = 20; x < width - 180; x += 200) {
      parts.push(
        `<rect x="${x}" y="${y}" width="180" height="90" rx="8" fill="${palette[6]}" stroke="${palette[1]}"/>`,
      );
      parts.push(text(sentence(random, 2), x + 12, y + 24, 12, palette[1]));
      parts.push(text((random() * 1000).toFixed(2), x + 12, y + 50, 20, palette[1]));
      parts.push(
        `<rect x="${x + 12}" y="${y + 62}" width="${60 + random() * 60}" height="18" rx="4" fill="${nth(palette, 2 + Math.floor(random() * 4))}"/>`,
      );
    }
  return parts;
}

function pie({ width, height, random, palette }: Sheet): string[] {
  const [x, y, radius] = [width / 2, height / 2, Math.min(width, height) * 0.38];
  let from = 0;
  const parts: string[] = [];
  while (from < Math.PI * 2 - 0.01) {
    const end = Math.min(Math.PI * 2 - 0.001, from + 0.2 + random() * 1.4);
    const point = (angle: number): string =>
      `${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`;
    parts.push(
      `<path d="M${x} ${y} L${point(from)} A${radius} ${radius} 0 ${end - from > Math.PI ? 1 : 0} 1 ${point(end)} Z" fill="${nth(palette, 2 + (parts.length % 4))}"/>`,
    );
    from = end + 0.001;
  }
  return [...parts, text('Portfolio', 20, 30, 18, palette[1])];
}

function map({ width, height, random, palette }: Sheet): string[] {
  const parts: string[] = [];
  for (let road = 0; road < 14; road++) {
    const isAcross = random() < 0.5;
    let [x, y] = isAcross ? [0, random() * height] : [random() * width, 0];
    const points = [`${x},${y}`];
    for (let at = 0; at < 40; at++) {
      x += isAcross ? width / 40 : (random() - 0.5) * 30;
      y += isAcross ? (random() - 0.5) * 30 : height / 40;
      points.push(`${x.toFixed(1)},${y.toFixed(1)}`);
    }
    parts.push(
      `<polyline points="${points.join(' ')}" fill="none" stroke="${nth(palette, 2 + (road % 5))}" stroke-width="${1 + Math.floor(random() * 5)}"/>`,
    );
  }
  for (let place = 0; place < 12; place++)
    parts.push(text(sentence(random, 1), random() * width, random() * height, 12, palette[1]));
  return parts;
}

/** Soft coloured spots on a gradient, as photos have. */
function photo({ width, height, random }: Sheet): string[] {
  const colour = (): string =>
    `hsl(${Math.floor(random() * 360)} ${20 + Math.floor(random() * 60)}% ${20 + Math.floor(random() * 60)}%)`;
  const parts = [
    `<defs><linearGradient id="g" x2="${random().toFixed(2)}" y2="1"><stop offset="0" stop-color="${colour()}"/><stop offset="1" stop-color="${colour()}"/></linearGradient></defs>`,
    `<rect width="${width}" height="${height}" fill="url(#g)"/>`,
  ];
  for (let spot = 0; spot < 60; spot++)
    parts.push(
      `<ellipse cx="${(random() * width).toFixed(0)}" cy="${(random() * height).toFixed(0)}" rx="${(10 + random() * 120).toFixed(0)}" ry="${(10 + random() * 120).toFixed(0)}" fill="${colour()}" opacity="${(0.2 + random() * 0.6).toFixed(2)}"/>`,
    );
  return parts;
}

const kinds: Record<string, (sheet: Sheet) => string[]> = {
  table,
  bars,
  'text page': textPage,
  screen,
  pie,
  map,
  photo,
};

async function noise({ width, height, random }: Sheet): Promise<Uint8Array> {
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at++) data[at] = Math.floor(random() * 256);
  const blurred = sharp(data, { raw: { width, height, channels: 3 } });
  return new Uint8Array(await (random() < 0.5 ? blurred.blur(3).normalise() : blurred).png().toBuffer());
}

/** The `index`-th picture; kinds take turns. */
export async function drawNotChart(index: number): Promise<NotChart> {
  const names = [...Object.keys(kinds), 'noise'];
  const kind = nth(names, index);
  const random = seeded(977 + index * 31);
  for (let skipped = 0; skipped < 8; skipped++) random();
  const palette = nth(palettes, Math.floor(random() * 3));
  const sheet = { width: 480 + Math.floor(random() * 800), height: 320 + Math.floor(random() * 500), random, palette };
  const draw = kinds[kind];
  if (draw === undefined) return { kind, bytes: await noise(sheet) };
  const { width, height } = sheet;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${palette[0]}"/>${draw(sheet).join('')}</svg>`;
  const drawn = sharp(Buffer.from(svg)).flatten();
  return { kind, bytes: new Uint8Array(await (random() < 0.5 ? drawn.png() : drawn.jpeg({ quality: 75 })).toBuffer()) };
}
