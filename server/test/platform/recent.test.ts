import { expect, it } from 'vitest';
import { createRecent } from '../../src/platform/recent.ts';

it('NODE-006 a reading is forgotten when it is old, so that what it said ends', () => {
  let nowMs = 100;
  const recent = createRecent<string>(1000, () => nowMs);
  expect(recent.get()).toBeUndefined();
  recent.set('off');
  nowMs = 1099;
  expect(recent.get()).toBe('off');
  nowMs = 1100;
  expect(recent.get()).toBeUndefined();
  recent.set('on');
  expect(recent.get()).toBe('on');
});
