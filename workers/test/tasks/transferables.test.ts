import { expect, it } from 'vitest';
import { transferablesOf } from '../../src/tasks/transferables.ts';

it('lists a buffer that several columns share once, so that the result can be transferred', () => {
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
