import { expect, it } from 'vitest';
import { axisLabels, lineAxisWidth } from '../../src/charts/paneOptions.ts';

it('a label of the axis is left out where that of the last price covers half of it', () => {
  const axis = { format: String, yOf: (value: number) => 200 - value };
  // 104 is 4 px from 100 and 16 px from 120.
  expect(axisLabels([80, 100, 120], { ...axis, marked: 104 })).toEqual(['80', '', '120']);
  expect(axisLabels([80, 100, 120], axis)).toEqual(['80', '100', '120']);
});

it('RULE-211 the axis of a line has room for a round label that is longer than its values', () => {
  const format = (value: number | null | undefined) => `${(value ?? 0).toFixed(2)} %`;
  // Above -9.87 % the axis has -10.00 %: 8 characters of 6.6 px, 8 px from the plot and 4 px from the frame.
  expect(lineAxisWidth({ values: [0, -9.87], format })).toBeGreaterThanOrEqual(8 * 6.6 + 8 + 4);
  expect(lineAxisWidth({ values: [0, -99.5], format })).toBeGreaterThanOrEqual(9 * 6.6 + 8 + 4);
});
