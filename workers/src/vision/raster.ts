/**
 * A picture as the chart reader sees it, and which of its colours draw something. Everything here is a pure function of pixels, so that the
 * same picture is always read the same way.
 */

/** Rows from the top, three bytes (red, green, blue) a pixel. */
export interface Raster {
  width: number;
  height: number;
  rgb: Uint8Array;
}

export type Rgb = readonly [number, number, number];

/** A colour that draws something, and how many pixels voted for it. */
export interface Ink {
  rgb: Rgb;
  votes: number;
}

/** Squared distance of the pixel at byte `at` from a colour. */
export function distance2(rgb: ArrayLike<number>, at: number, colour: Rgb): number {
  const red = (rgb[at] as number) - colour[0];
  const green = (rgb[at + 1] as number) - colour[1];
  const blue = (rgb[at + 2] as number) - colour[2];
  return red * red + green * green + blue * blue;
}

/** Nearer to the background than this, a pixel is background, grid or watermark. */
const contrastMin = 52;

/** The commonest colour of the picture, averaged over the pixels close to it. */
export function backgroundOf({ rgb }: Raster): Rgb {
  const bits = 4;
  // Count and sums of each box of colours side by side: one pass over the pixels.
  const boxes = new Float64Array(4 << (3 * bits));
  for (let at = 0; at < rgb.length; at += 3) {
    const red = rgb[at] as number;
    const green = rgb[at + 1] as number;
    const blue = rgb[at + 2] as number;
    const box = (((red >> (8 - bits)) << (2 * bits)) | ((green >> (8 - bits)) << bits) | (blue >> (8 - bits))) << 2;
    boxes[box] = (boxes[box] as number) + 1;
    boxes[box + 1] = (boxes[box + 1] as number) + red;
    boxes[box + 2] = (boxes[box + 2] as number) + green;
    boxes[box + 3] = (boxes[box + 3] as number) + blue;
  }
  let common = 0;
  for (let box = 4; box < boxes.length; box += 4) if ((boxes[box] as number) > (boxes[common] as number)) common = box;
  const mean = (part: 1 | 2 | 3): number => (boxes[common + part] as number) / (boxes[common] as number);
  return [mean(1), mean(2), mean(3)];
}

/** 1 where a pixel stands out from the background. */
export function foregroundOf({ rgb }: Raster, background: Rgb): Uint8Array {
  const mask = new Uint8Array(rgb.length / 3);
  const [red, green, blue] = [squaresFrom(background[0]), squaresFrom(background[1]), squaresFrom(background[2])];
  for (let pixel = 0, at = 0; pixel < mask.length; pixel++, at += 3) {
    const far2 =
      (red[rgb[at] as number] as number) +
      (green[rgb[at + 1] as number] as number) +
      (blue[rgb[at + 2] as number] as number);
    if (far2 > contrastMin * contrastMin) mask[pixel] = 1;
  }
  return mask;
}

/** Squared distance of each of the 256 values of a part from one value. */
const squaresFrom = (value: number): Float64Array => Float64Array.from({ length: 256 }, (_, at) => (at - value) ** 2);

/** Foreground pixels, row by row: they are few, so later steps iterate over this list only. */
export function pixelsOf(foreground: Uint8Array): Int32Array {
  let count = 0;
  for (let pixel = 0; pixel < foreground.length; pixel++) count += foreground[pixel] as number;
  const pixels = new Int32Array(count);
  for (let pixel = 0, to = 0; to < count; pixel++) if (foreground[pixel] === 1) pixels[to++] = pixel;
  return pixels;
}

/** Shorter vertical strokes are text, grid and curves rather than candles. */
const strokeMin = 4;
const similar = 48;
/** Colours nearer than this are one ink: compression shifts them. */
const inkSpread = 60;
const inksMax = 8;

/**
 * The inks of the picture, commonest first. Only pixels inside vertical strokes of one colour vote: wicks, bodies and the edges of hollow
 * bodies are such strokes, text and thin curves hardly ever are. A stroke over most of the height is a grid line or a frame.
 */
export function inksOf({ width, height, rgb }: Raster, foreground: Uint8Array): Ink[] {
  const votes = new Map<number, [number, number, number, number]>();
  const strokeMax = height * 0.7;
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height;) {
      const first = y * width + x;
      if (foreground[first] === 0) {
        y++;
        continue;
      }
      let end = y + 1;
      while (end < height && foreground[end * width + x] === 1 && isSimilar(rgb, first, end * width + x)) end++;
      if (end - y >= strokeMin && end - y <= strokeMax) vote(votes, rgb, { x, from: y, end, width });
      y = end;
    }
  }
  return mergeInks(
    [...votes.values()].map(([red, green, blue, count]) => ({
      rgb: [red / count, green / count, blue / count],
      votes: count,
    })),
  );
}

function isSimilar(rgb: Uint8Array, first: number, second: number): boolean {
  const a = first * 3;
  const b = second * 3;
  const difference =
    Math.abs((rgb[a] as number) - (rgb[b] as number)) +
    Math.abs((rgb[a + 1] as number) - (rgb[b + 1] as number)) +
    Math.abs((rgb[a + 2] as number) - (rgb[b + 2] as number));
  return difference < similar;
}

function vote(
  votes: Map<number, [number, number, number, number]>,
  rgb: Uint8Array,
  { x, from, end, width }: { x: number; from: number; end: number; width: number },
): void {
  // The ends of a stroke are blended with what stands above and below.
  for (let y = from + 1; y < end - 1; y++) {
    const at = (y * width + x) * 3;
    const red = rgb[at] as number;
    const green = rgb[at + 1] as number;
    const blue = rgb[at + 2] as number;
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
    const sums = votes.get(key);
    if (sums === undefined) votes.set(key, [red, green, blue, 1]);
    else {
      sums[0] += red;
      sums[1] += green;
      sums[2] += blue;
      sums[3]++;
    }
  }
}

export function mergeInks(all: Ink[]): Ink[] {
  const inks: Ink[] = [];
  for (const ink of all.sort((a, b) => b.votes - a.votes)) {
    const near = inks.findIndex((other) => distance2(other.rgb, 0, ink.rgb) < inkSpread * inkSpread);
    const result = inks[near];
    if (result === undefined) inks.push(ink);
    else {
      const votes = result.votes + ink.votes;
      const mix = (part: 0 | 1 | 2): number => (result.rgb[part] * result.votes + ink.rgb[part] * ink.votes) / votes;
      inks[near] = { rgb: [mix(0), mix(1), mix(2)], votes };
    }
  }
  const total = inks.reduce((sum, ink) => sum + ink.votes, 0);
  return inks
    .sort((a, b) => b.votes - a.votes)
    .filter(({ votes }) => votes > total * 0.005)
    .slice(0, inksMax);
}

/** Share of an ink in the pixel at byte `at`, 0 to 1; 0 when the pixel is no blend of background and ink. */
export function coverAt(rgb: ArrayLike<number>, at: number, background: Rgb, ink: Rgb): number {
  let dot = 0;
  let length2 = 0;
  let own2 = 0;
  for (let part = 0; part < 3; part++) {
    const along = (ink[part] as number) - (background[part] as number);
    const own = (rgb[at + part] as number) - (background[part] as number);
    dot += along * own;
    length2 += along * along;
    own2 += own * own;
  }
  const share = dot / length2;
  const beside2 = own2 - share * share * length2;
  return beside2 < Math.min(70 * 70, length2 * 0.2) ? Math.max(0, Math.min(1, share)) : 0;
}

const brightness = (red: number, green: number, blue: number): number => 0.299 * red + 0.587 * green + 0.114 * blue;

/** Brightness of a pixel, 0 at the background and 1 at the ink; always 0 where the two are nearly equally bright. */
export function lumaOf({ rgb }: Raster, background: Rgb, ink: Rgb): (pixel: number) => number {
  const from = brightness(...background);
  const span = brightness(...ink) - from;
  if (Math.abs(span) < 25) return () => 0;
  return (pixel) => {
    const at = pixel * 3;
    return (brightness(rgb[at] as number, rgb[at + 1] as number, rgb[at + 2] as number) - from) / span;
  };
}

/**
 * How much of a pixel is covered by the ink, 0 to 1: its place on the line from background to ink, 0 where it lies beside that line. Gives
 * the position of a blurred edge in fractions of a pixel. Computed on demand: edges are few of all pixels.
 */
export function coverageOf({ rgb }: Raster, background: Rgb, ink: Rgb): (pixel: number) => number {
  const along = [ink[0] - background[0], ink[1] - background[1], ink[2] - background[2]] as const;
  const length2 = along[0] * along[0] + along[1] * along[1] + along[2] * along[2];
  const besideMax2 = Math.min(70 * 70, length2 * 0.2);
  return (pixel) => {
    const at = pixel * 3;
    const red = (rgb[at] as number) - background[0];
    const green = (rgb[at + 1] as number) - background[1];
    const blue = (rgb[at + 2] as number) - background[2];
    const share = (red * along[0] + green * along[1] + blue * along[2]) / length2;
    if (share < 0.1) return 0;
    const beside2 = red * red + green * green + blue * blue - share * share * length2;
    return beside2 < besideMax2 ? Math.fround(Math.min(1, share)) : 0;
  };
}

/** More pixels add no information about a chart, and cost time. */
const pixelsMax = 2_400_000;

/** The picture, halved until it is small enough: each pixel the mean of four. `scale`: size of one pixel in pixels of the original. */
export function shrunk(raster: Raster): { raster: Raster; scale: number } {
  let [result, scale] = [raster, 1];
  while (result.width * result.height > pixelsMax) [result, scale] = [halved(result), scale * 2];
  return { raster: result, scale };
}

function halved({ width, height, rgb }: Raster): Raster {
  const [w, h] = [width >> 1, height >> 1];
  const out = new Uint8Array(w * h * 3);
  for (let y = 0, to = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const from = (2 * y * width + 2 * x) * 3;
      const below = from + width * 3;
      for (let part = 0; part < 3; part++, to++) {
        const sum =
          (rgb[from + part] as number) +
          (rgb[from + 3 + part] as number) +
          (rgb[below + part] as number) +
          (rgb[below + 3 + part] as number);
        out[to] = (sum + 2) >> 2;
      }
    }
  }
  return { width: w, height: h, rgb: out };
}
