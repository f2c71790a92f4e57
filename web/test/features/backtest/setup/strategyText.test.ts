import { expect, it } from 'vitest';
import { strategyText } from '../../../../src/features/backtest/setup/SetupPanel.tsx';

it('the rules are called the tuned votes only while they are those of the scanner', () => {
  expect(strategyText('live', null)).toContain('17 votes with your tuning');
  for (const own of [
    { name: 'Live rules', version: '' },
    { name: 'Mine', version: 'v' },
  ])
    expect(strategyText('live', own)).not.toContain('your tuning');
  expect(strategyText('live', { name: 'Live rules', version: '' })).toContain('with your own weights');
  expect(strategyText('live', { name: 'Mine', version: 'v' })).toMatch(/^The votes of Mine\./);
});
