import { expect, it } from 'vitest';
import { placeStrips } from '../../src/charts/levelHandles.ts';

it('DESK-159 strips of levels outside the axis stand one beside the other, the farthest outermost', () => {
  // Three targets above the axis, one level in it, two below; 300 px high, strips of 14.
  expect(placeStrips([-10, -50, -30, 120, 400, 350], 300, 14)).toEqual([28, 0, 14, 120, 300, 286]);
  expect(placeStrips([], 300, 14)).toEqual([]);
});
