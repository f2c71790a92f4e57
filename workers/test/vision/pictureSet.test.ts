import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPictureWith } from '../../src/node/readChartPicture.ts';
import { startTextReader, type TextReader } from '../../src/node/textReader.ts';
import { imageOf } from './measure.ts';
import { drawNotChart } from './notCharts.ts';
import {
  isFollowed,
  isNamed,
  isPriced,
  pictureCases,
  pictureForms,
  type PictureResult,
  readCase,
  tableOf,
} from './pictureSet.ts';
import { chartStyles, heldOutStyles } from './styles.ts';

/** `npm run test:statistics` reads every style in every form; `npm test` every third style in one form each. */
const isFull = process.env.STATISTICS === 'full';
const cases = isFull
  ? pictureCases(1)
  : chartStyles.flatMap((style, at) =>
      at % 3 === 0 ? pictureCases(1, [style], pictureForms.slice((at / 3) % 6, ((at / 3) % 6) + 1)) : [],
    );

describe('the set of drawn charts', () => {
  let reader: TextReader;
  beforeAll(() => {
    reader = startTextReader(3_600_000);
  });
  afterAll(() => reader.end());

  it('is followed, priced and named as often as docs/vision.md says', async () => {
    const results: PictureResult[] = [];
    for (const picture of cases) results.push(await readCase(picture, reader));
    if (isFull) process.stdout.write(`${tableOf(results)}\n`);
    const share = (holds: (result: PictureResult) => boolean): number => results.filter(holds).length / results.length;
    // Of the six pictures of the share one may miss a goal.
    const least = isFull ? 0.95 : 0.8;
    for (const holds of [isFollowed, isPriced, isNamed]) expect(share(holds)).toBeGreaterThanOrEqual(least);
  }, 3_600_000);

  it('is read in looks that the reader was not made with, too', async () => {
    const results: PictureResult[] = [];
    const forms = isFull ? pictureForms : pictureForms.slice(1, 2);
    // `npm test` takes one of eight looks, without its text.
    const looks = isFull ? heldOutStyles : heldOutStyles.slice(2, 3);
    for (const picture of pictureCases(1, looks, forms)) results.push(await readCase(picture, isFull ? reader : null));
    if (isFull) process.stdout.write(`${tableOf(results)}\n`);
    expect(results.filter(isFollowed).length).toBeGreaterThanOrEqual(results.length * 0.95);
  }, 3_600_000);
});

describe('pictures that are no charts', () => {
  it('are hardly ever taken for one: at most 2 of 200', async () => {
    const taken: string[] = [];
    for (let index = 0; index < (isFull ? 200 : 8); index++) {
      const { kind, bytes } = await drawNotChart(index);
      const reading = await readPictureWith(await imageOf(bytes), null);
      if (reading.kind === 'chart') taken.push(`${kind} ${String(index)}`);
    }
    expect(taken.length, taken.join(', ')).toBeLessThanOrEqual(2);
  }, 3_600_000);
});
