import { expect, it } from 'vitest';
import { startCosts } from '../../../../src/features/backtest/costs.ts';
import { candlesWords } from '../../../../src/features/backtest/results/contractWords.ts';
import { runOf } from '../../../support/runs.ts';

const ruled = (exchange: 'binance' | 'bybit') => ({
  ...runOf({}),
  costs: { ...startCosts(), rulesOf: { exchange, symbol: 'BTCUSDT' } },
});

it('the costs of another exchange name the exchange of the candles', () => {
  const { loaded } = runOf({});
  expect(loaded.exchange).toBe('binance');
  const words = 'Candles, funding and mark prices come from Binance.';
  expect(candlesWords(ruled('bybit'))).toBe(words);
  // Not listed there: fees and liquidation formula alone are of the other exchange.
  expect(candlesWords({ loaded, costs: { ...startCosts(), liquidationModel: 'okx' } })).toBe(words);
  expect(candlesWords(ruled('binance'))).toBeNull();
  expect(candlesWords({ loaded, costs: startCosts() })).toBeNull();
  expect(candlesWords({ ...ruled('bybit'), loaded: { ...loaded, exchange: null } })).toBeNull();
});
