import { describe, expect, it } from 'vitest';
import { universeSentence } from '../../../src/features/dashboard/MarketCards.tsx';

const none = {
  stock: 0,
  commodity: 0,
  index: 0,
  otherAsset: 0,
  unclassified: 0,
  otherQuote: 0,
  datedFuture: 0,
  malformed: 0,
};

describe('the sentence about the universe', () => {
  it('names how many trade, how many are suspended, and what was left out by reason', () => {
    const left_out = { ...none, stock: 5, commodity: 1, datedFuture: 2 };
    expect(universeSentence({ trading: 1280, suspended: 1, left_out })).toBe(
      '1,280 coin perpetuals trade, 1 is suspended. Left out: 5 stocks, 1 commodity, 2 dated futures.',
    );
  });

  it('says nothing of what there is none of', () => {
    expect(universeSentence({ trading: 1, suspended: 0, left_out: none })).toBe('1 coin perpetual trades.');
  });
});
