import { expect, it } from 'vitest';
import { exampleHistory } from '../../../src/features/trackRecord/exampleHistory.ts';

// By docs/performance.md, worked out by hand: 0.05 % fee on the price of each side; a stop slips by 0.02 % of its price, a target does not.
it('HIST-177 the example of the sandbox has the outcomes of the public record', () => {
  const [, won, lost] = exampleHistory.signals.map(({ outcome }) => outcome);
  expect(won).toMatchObject({ outcome: 'TP', exit_price: 2940, basis: '1m', is_ambiguous: false });
  // 60 of 3,000 less 0.05 % of 1 + 0.98.
  expect(won?.net_fraction).toBeCloseTo(0.02 - 0.00099, 12);
  expect(lost).toMatchObject({ outcome: 'SL', basis: '1m', is_ambiguous: false });
  // 89,100 slips by 17.82; 917.82 of 90,000 and 0.05 % of 1 + 89,082.18 / 90,000.
  expect(lost?.exit_price).toBeCloseTo(89_082.18, 8);
  expect(lost?.net_fraction).toBeCloseTo(-0.010198 - 0.000994901, 12);
});
