import { expect, it } from 'vitest';
import { transferablesOf } from '../../src/tasks/transferables.ts';

it('names a buffer once that several columns share, so that the answer can be moved', () => {
  const shared = new Float64Array(9);
  const answer = {
    fan: { low: shared.subarray(0, 3), high: shared.subarray(3) },
    own: new Float64Array(2),
    words: ['a'],
  };
  const buffers = transferablesOf(answer);
  expect(buffers).toHaveLength(2);
  expect(structuredClone(answer, { transfer: buffers }).fan.high).toHaveLength(6);
});
