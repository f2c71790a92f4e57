import { expect, it } from 'vitest';
import { sparklinePoints } from '../../src/features/dashboard/WatchTable.tsx';

it('runs from edge to edge, the lowest value at the bottom', () =>
  expect(sparklinePoints([1, 3, 2], 100, 23)).toBe('0.0,21.5 50.0,1.5 100.0,11.5'));

it('is a line through the middle when nothing moves', () =>
  expect(sparklinePoints([5, 5], 100, 24)).toBe('0.0,12.0 100.0,12.0'));

it('has no shape below two points', () => expect(sparklinePoints([1, NaN], 100, 24)).toBeNull());
