import { describe, expect, it } from 'vitest';
import type { AutoRun, ScanSignal } from '../../../src/api/types.ts';
import { byRank, filtered, nextResultSort, sorted } from '../../../src/features/signals/results/ResultTable.tsx';
import { horizonText, isLiquidatedFirst, shortRationale } from '../../../src/features/signals/results/SignalParts.tsx';
import { bestEligible, usedLevels, verdictOf } from '../../../src/features/signals/results/verdict.ts';
import { reasonCode, reasonText } from '../../../src/features/signals/results/words.ts';
import { scanParams, signalOf } from '../../support/signals.ts';

const none = { direction: 'All', interval: 'All', minConfidencePct: 0 } as const;

describe('the results of a scan', () => {
  it('name as the best the first that may be opened, or none', () => {
    const refused = signalOf({ symbol: 'A', outcome: 'NO_MATCH', filtered_by: 'liquidation_before_stop' });
    const [b, c] = [signalOf({ symbol: 'B' }), signalOf({ symbol: 'C' })];
    expect(bestEligible([refused, b, c], 's', null)?.symbol).toBe('B');
    expect(bestEligible([refused], 's', null)).toBeNull();
    expect(bestEligible([], 's', null)).toBeNull();
    // One whose check was not passed may not open: the next one is the best.
    expect(bestEligible([{ ...b, rule_check: 'not_passed' }, c], 's', null)?.symbol).toBe('C');
  });

  it('state one outcome of a signal: that it may open, or the first reason it may not', () => {
    const item = { symbol: 'BTCUSDT', interval: '1h', side: 'LONG', confidence: 0.5, position_id: null } as const;
    const run = (change: Partial<AutoRun['items'][number]>, scan_id = 's') =>
      ({ scan_id, items: [{ ...item, outcome: 'NO_MATCH', detail: null, message: 'No.', ...change }] }) as AutoRun;
    const text = (change: Partial<ScanSignal>, tried: AutoRun | null = null) =>
      verdictOf(signalOf(change), 's', tried).text;
    expect(text({})).toBe('May open once its check has passed');
    expect(text({ rule_check: 'passed' })).toBe('May open');
    expect(text({ rule_check: 'not_passed' })).toBe('Rule check: not passed');
    expect(text({ rule_check: null, ai_state: 'rejected' })).toBe('AI: not approved');
    // What the scan found comes before what the check said.
    const low = { outcome: 'LOW_CONF', filtered_by: 'min_confidence', rule_check: 'not_passed' } as const;
    expect(text(low)).toBe('Below your minimum confidence');
    // What opening found comes before both, and only that of this scan.
    const full = { detail: 'max_concurrent', message: '5 positions are open and you allow 5.' } as const;
    expect(text({ rule_check: 'passed' }, run(full))).toBe('5 positions are open and you allow 5.');
    expect(verdictOf(signalOf(), 's', run(full))).toMatchObject({ isOpenable: false, detail: 'max_concurrent' });
    expect(text({ rule_check: 'passed' }, run(full, 'another'))).toBe('May open');
    expect(text({}, run({ outcome: 'OPENED' }))).toBe('Position opened');
  });

  it('show the levels a position gets: your own percent where your settings say so, except of saved rules', () => {
    const own = { levels_mode: 'own', stop_loss_pct: 1, take_profit_pct: 0 } as const;
    const live = { params: scanParams };
    // 1 % below a price of 100; without an own target the signal's stands.
    expect(usedLevels(signalOf(), live, own)).toEqual({ stopLoss: 99, takeProfit: 104 });
    expect(usedLevels(signalOf({ direction: 'SHORT' }), live, { ...own, take_profit_pct: 5 })).toEqual({
      stopLoss: 101,
      takeProfit: 95,
    });
    expect(usedLevels(signalOf(), live, { ...own, levels_mode: 'signal' })).toEqual({ stopLoss: 98, takeProfit: 104 });
    const saved = { params: { ...scanParams, strategy: { name: 'Mine' } } } as unknown as typeof live;
    expect(usedLevels(signalOf(), saved, own)).toEqual({ stopLoss: 98, takeProfit: 104 });
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
