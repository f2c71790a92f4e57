import { unknownContract, withContract } from '@sextant/workers/src/candles/contract.ts';
import { describe, expect, it } from 'vitest';
import { contractWarnings, contractWords } from '../../../../src/features/backtest/results/contractWords.ts';
import { runOf } from '../../../support/runs.ts';

const listed = { ...unknownContract('binance', 'BTCUSDT'), tickSize: 0.1, stepSize: 0.001, minNotional: 100 };
const costs = { ...runOf({}).costs, leverage: 125, notional: 1000, maintenanceMarginFraction: 0.005 };
const plain = (words: string) => words.replaceAll('\u00a0', ' ');

describe('a run on a contract whose leverage tiers are unknown', () => {
  const run = { ...runOf({}), costs: withContract(costs, listed) };

  it('names the rules that are known, and the tiers as unknown', () => {
    expect(plain(contractWords(run))).toMatch(
      /^Rules of BTCUSDT on Binance: step 0.001, tick 0.1, least order .*, leverage tiers unknown$/,
    );
  });

  it('warns that its leverage was lowered and that one maintenance rate counts', () => {
    expect(contractWarnings(run)).toEqual([
      'Leverage lowered from 125x to 20x, the maximum while the leverage tiers are unknown.',
      'Leverage tiers unknown: maintenance margin 0.5 % at every size.',
    ]);
  });
});

it('a run whose rules could not be loaded says that they are unknown', () => {
  const run = { ...runOf({}), costs: withContract(costs, unknownContract('binance', 'BTCUSDT')) };
  expect(contractWords(run)).toBe('Contract rules unknown: sizes and prices are not rounded.');
  expect(contractWarnings(run)).toHaveLength(2);
});

describe('RULE-192 a run that the largest market order of the exchange limits', () => {
  const most = { ...listed, maxQuantity: 120 };
  const trade = (quantity: number) => ({ ...runOf({}).result.trades[0]!, quantity });
  const withTrades = (...quantities: number[]) => {
    const run = runOf({});
    const result = { ...run.result, trades: quantities.map(trade) };
    return { ...run, result, costs: withContract({ ...costs, initialEquity: 1e9 }, most) };
  };

  it('names that order, and how many trades have it', () => {
    expect(plain(contractWords(withTrades(120)))).toMatch(/, largest order 120, leverage tiers unknown$/);
    expect(contractWarnings(withTrades(120, 120, 119.999, 1))).toContain(
      '2 of 4 trades have the largest market order of the exchange, 120.',
    );
  });

  it('says nothing where every trade is smaller', () => {
    expect(contractWarnings(withTrades(119.9, 1)).join()).not.toContain('largest');
  });
});
