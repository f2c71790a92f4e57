import { describe, expect, it } from 'vitest';
import { mapLimited } from '../../src/platform/mapLimited.ts';

describe('mapLimited', () => {
  it('returns results in order and never runs more at once than allowed', async () => {
    let running = 0;
    let most = 0;
    const work = async (value: number): Promise<number> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return value * 10;
    };
    expect(await mapLimited([1, 2, 3, 4, 5, 6, 7], 3, work)).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(most).toBe(3);
  });
});
