import { expect, it } from 'vitest';
import { conditionText } from '../../src/alerts/describe.ts';

it('RULE-213 the text of an alert on saved rules has their name where it is known', () => {
  const signal = {
    kind: 'signal',
    exchange: 'binance',
    symbol: 'BTCUSDT',
    interval: '1h',
    strategy_id: 'a',
    direction: 'any',
  } as const;
  expect(conditionText(signal, 'Crossing')).toBe('A signal of Crossing for BTCUSDT 1h');
  expect(conditionText(signal)).toBe('A signal of your strategy for BTCUSDT 1h');
  expect(conditionText({ ...signal, strategy_id: null }, 'Crossing')).toBe('A signal for BTCUSDT 1h');
});
