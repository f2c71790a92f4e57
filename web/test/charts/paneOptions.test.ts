import { expect, it } from 'vitest';
import { axisLabels } from '../../src/charts/paneOptions.ts';

it('a label of the axis is left out where that of the last price covers half of it', () => {
  const axis = { format: String, yOf: (value: number) => 200 - value };
  // 104 is 4 px from 100 and 16 px from 120.
  expect(axisLabels([80, 100, 120], { ...axis, marked: 104 })).toEqual(['80', '', '120']);
  expect(axisLabels([80, 100, 120], axis)).toEqual(['80', '100', '120']);
});
