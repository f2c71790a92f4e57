import { describe, expect, it } from 'vitest';
import { byRank, filtered, nextResultSort, sorted } from '../../../src/features/signals/results/ResultTable.tsx';
import {
  bestEligible,
  horizonText,
  isLiquidatedFirst,
  reasonCode,
  reasonText,
  shortRationale,
} from '../../../src/features/signals/results/SignalParts.tsx';
import { signalOf } from '../../support/signals.ts';

const none = { direction: 'All', interval: 'All', minConfidencePct: 0 } as const;

describe('the results of a scan', () => {
  it('name as the best the first that may be opened, or none', () => {
    const refused = signalOf({ symbol: 'A', outcome: 'NO_MATCH', filtered_by: 'liquidation_before_stop' });
    const [b, c] = [signalOf({ symbol: 'B' }), signalOf({ symbol: 'C' })];
    expect(bestEligible([refused, b, c])?.symbol).toBe('B');
    expect(bestEligible([refused])).toBeNull();
    expect(bestEligible([])).toBeNull();
  });

  it('show the horizon in whole hours from an hour on, else in minutes, at least one (SIG-012, X67)', () => {
    expect([90, 60, 59.4, 89, 0.2, null].map(horizonText)).toEqual(['~2h', '~1h', '~59m', '~1h', '~1m', null]);
  });

  it('cut a rationale at 60 characters (SIG-010)', () => {
    expect(shortRationale('x'.repeat(60))).toBeNull();
    expect(shortRationale('x'.repeat(61))).toBe(`${'x'.repeat(60)}…`);
  });

  it('are filtered by direction, interval and confidence, where 0.6 is not less than 60 % (X46)', () => {
    const all = [
      signalOf({ symbol: 'A', confidence: 0.6 }),
      signalOf({ symbol: 'B', confidence: 0.9, direction: 'SHORT', interval: '4h' }),
    ];
    const names = (filter: Parameters<typeof filtered>[1]) => filtered(all, filter).map(({ symbol }) => symbol);
    expect(names({ ...none, minConfidencePct: 60 })).toEqual(['A', 'B']);
    expect(names({ ...none, direction: 'SHORT' })).toEqual(['B']);
    expect(names({ ...none, interval: '1h' })).toEqual(['A']);
  });

  it('are sorted by rank first, and what has no value comes last either way (SIG-009)', () => {
    const all = [
      signalOf({ symbol: 'A', confidence: 0.2, takeProfit: null }),
      signalOf({ symbol: 'B', confidence: 0.9, takeProfit: 3 }),
      signalOf({ symbol: 'C', confidence: 0.5, takeProfit: 4 }),
    ];
    const names = (sort: Parameters<typeof sorted>[1]) => sorted(all, sort).map(({ symbol }) => symbol);
    expect(names(byRank)).toEqual(['B', 'C', 'A']);
    expect(names({ column: 'takeProfit', isDescending: false })).toEqual(['B', 'C', 'A']);
    expect(names({ column: 'takeProfit', isDescending: true })).toEqual(['C', 'B', 'A']);
    expect(nextResultSort(byRank, 'confidence').isDescending).toBe(false);
  });

  it('warn when the liquidation lies between entry and stop', () => {
    const at = (direction: 'LONG' | 'SHORT', stopLoss: number) => isLiquidatedFirst(signalOf({ direction, stopLoss }));
    expect([at('LONG', 90), at('LONG', 95), at('SHORT', 95), at('SHORT', 90)]).toEqual([true, false, true, false]);
  });

  it('say in words why a candidate was left out', () => {
    expect(reasonText(reasonCode('LOW_CONF', 'min_confidence'))).toBe('Below your minimum confidence');
    expect(reasonText(reasonCode('NEUTRAL', null))).toBe('No direction');
  });
});
