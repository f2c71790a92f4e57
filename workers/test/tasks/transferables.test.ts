import { expect, it } from 'vitest';
import { transferablesOf } from '../../src/tasks/transferables.ts';

it('lists a buffer that several columns share once, so that the result can be transferred', () => {
  const shared = new Float64Array(9);
  const response = {
    fan: { low: shared.subarray(0, 3), high: shared.subarray(3) },
    own: new Float64Array(2),
    words: ['a'],
  };
  const buffers = transferablesOf(response);
  expect(buffers).toHaveLength(2);
  expect(structuredClone(response, { transfer: buffers }).fan.high).toHaveLength(6);
});
