import { describe, expect, it } from 'vitest';
import { fillHollow } from '../../src/vision/labels.ts';
import { seeded } from './measure.ts';

/** Labels drawn as characters: `.` none, digits are inks. */
const labelsOf = (rows: readonly string[]): Int8Array =>
  Int8Array.from(rows.join('').split(''), (character) => (character === '.' ? -1 : Number(character)));

/** Independent twin: a flood from the edge of the picture, pixel by pixel, over everything that is not the ink. */
function flooded(labels: Int8Array, width: number, height: number, inkCount: number): Uint8Array {
  const holes = new Uint8Array(labels.length);
  for (let ink = 0; ink < inkCount; ink++) {
    const isOutside = new Set<number>();
    const open: number[] = [];
    const enter = (x: number, y: number): void => {
      const pixel = y * width + x;
      if (x < 0 || y < 0 || x >= width || y >= height || labels[pixel] === ink || isOutside.has(pixel)) return;
      isOutside.add(pixel);
      open.push(pixel);
    };
    for (let x = 0; x < width; x++) for (const y of [0, height - 1]) enter(x, y);
    for (let y = 0; y < height; y++) for (const x of [0, width - 1]) enter(x, y);
    for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const)
        enter(x + dx, y + dy);
    }
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width;) {
        const isIn = (column: number): boolean =>
          column < width && !isOutside.has(y * width + column) && labels[y * width + column] !== ink;
        let end = x;
        while (isIn(end)) end++;
        if (end > x && end - x <= 60) holes.fill(ink + 1, y * width + x, y * width + end);
        x = Math.max(end, x + 1);
      }
    }
  }
  return holes;
}

describe('fillHollow', () => {
  it('fills what one ink encloses, also where it hangs together over a corner of rows, and leaves what is open', () => {
    const rows = [
      '..............', //
      '.0000...1111..',
      '.0..0...1..1..',
      '.0..000.1..1..',
      '.0....0.1.....',
      '.000000.1..1..',
      '........1111..',
      '..............',
    ];
    const labels = labelsOf(rows);
    const holes = fillHollow(labels, { width: 14, height: 8 }, 2);
    const at = (x: number, y: number): [number | undefined, number | undefined] => [
      holes[y * 14 + x],
      labels[y * 14 + x],
    ];
    // The shape of ink 0 is closed, that of ink 1 has a gap at its right side.
    expect([at(2, 2), at(3, 4), at(5, 4)]).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect([at(9, 3), at(10, 4), at(0, 0)]).toEqual([
      [0, -1],
      [0, -1],
      [0, -1],
    ]);
    expect(holes.filter((hole) => hole !== 0)).toHaveLength(8);
  });

  it('leaves an inside that is wider than a body', () => {
    const row = (inside: string): string => `0${inside.repeat(61)}0`;
    const labels = labelsOf([row('0'), row('.'), row('0')]);
    expect(fillHollow(labels, { width: 63, height: 3 }, 1).some((hole) => hole !== 0)).toBe(false);
  });

  it('is equal to a flood from the edge on 400 random pictures', () => {
    const random = seeded(12_345);
    for (let round = 0; round < 400; round++) {
      const [width, height] = [1 + Math.floor(random() * 24), 1 + Math.floor(random() * 18)];
      const inkCount = 1 + Math.floor(random() * 4);
      const dense = 0.2 + random() * 0.7;
      const labels = Int8Array.from({ length: width * height }, () =>
        random() < dense ? Math.floor(random() * inkCount) : -1,
      );
      const expected = flooded(labels, width, height, inkCount);
      expect(fillHollow(labels, { width, height }, inkCount)).toEqual(expected);
    }
  });
});
