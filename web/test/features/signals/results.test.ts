import { reasonCode, reasonText } from '@sextant/workers/src/signals/signalVerdict.ts';
import { describe, expect, it } from 'vitest';
import type { AutoRun, Scan, ScanSignal } from '../../../src/api/types.ts';
import { byRank, filtered, nextResultSort, sorted } from '../../../src/features/signals/results/ResultTable.tsx';
import { horizonText, isLiquidatedFirst, shortRationale } from '../../../src/features/signals/results/SignalParts.tsx';
import { bestEligible, factsOf, usedLevels, verdictsIn } from '../../../src/features/signals/results/verdict.ts';
import { scanParams, signalOf } from '../../support/signals.ts';

const none = { direction: 'All', interval: 'All', minConfidencePct: 0 } as const;

describe('the results of a scan', () => {
  const settings = {
    auto_open_enabled: true,
    min_auto_conf_pct: 0,
    tuning_conf_floor: null,
    min_conf_on_score: false,
    blacklist: '',
    whitelist: '',
    positions_wanted: 5,
    max_concurrent_positions: 5,
  };
  const account = { run: null, open: [], guards: [], settings };
  const scan = { scan_id: 's', finished_at: '2026-01-01T00:00:00.000Z', params: scanParams } as Scan;
  const finishedMs = Date.parse('2026-01-01T00:00:00.000Z');
  type Account = Parameters<typeof factsOf>[1];
  const verdictIn =
    (more: Partial<Account> = {}, nowMs = finishedMs) =>
    (signal: ScanSignal) =>
      verdictsIn([signal], factsOf(scan, { ...account, ...more }, nowMs))(signal);
  const slots = (max_concurrent_positions: number) => ({ settings: { ...settings, max_concurrent_positions } });

  it('name as the best the first that may be opened, or none', () => {
    const rejected = signalOf({ symbol: 'A', outcome: 'NO_MATCH', filtered_by: 'liquidation_before_stop' });
    const [b, c] = [signalOf({ symbol: 'B' }), signalOf({ symbol: 'C' })];
    expect(bestEligible([rejected, b, c], verdictIn())?.symbol).toBe('B');
    expect(bestEligible([rejected], verdictIn())).toBeNull();
    expect(bestEligible([], verdictIn())).toBeNull();
    // One whose check was not passed may not open: the next one is the best.
    expect(bestEligible([{ ...b, rule_check: 'not_passed' }, c], verdictIn())?.symbol).toBe('C');
    // Nor one that is open already, nor any without a free slot or after newer candles.
    expect(bestEligible([b, c], verdictIn({ open: [{ symbol: 'B', side: 'LONG' }] }))?.symbol).toBe('C');
    expect(bestEligible([b, c], verdictIn({ ...slots(1), open: [{ symbol: 'X', side: 'LONG' }] }))).toBeNull();
    expect(bestEligible([b, c], verdictIn({}, finishedMs + 3_600_001))).toBeNull();
  });

  it('state one outcome of a signal: that it may open, or the first reason it may not', () => {
    const item = { symbol: 'BTCUSDT', interval: '1h', side: 'LONG', confidence: 0.5, position_id: null } as const;
    const run = (change: Partial<AutoRun['items'][number]>, scan_id = 's') =>
      ({
        scan_id,
        finished_at: '2026-01-01T00:00:01.000Z',
        items: [{ ...item, outcome: 'NO_MATCH', detail: null, message: 'No.', ...change }],
      }) as AutoRun;
    const text = (change: Partial<ScanSignal>, tried: AutoRun | null = null) =>
      verdictIn({ run: tried })(signalOf(change)).text;
    expect(text({})).toBe('May open after its check passes');
    expect(text({ rule_check: 'passed' })).toBe('May open');
    expect(text({ rule_check: 'not_passed' })).toBe('Rule check: not passed');
    expect(text({ rule_check: null, ai_state: 'rejected' })).toBe('AI: not approved');
    // The result of the scan comes before the result of the check.
    const low = verdictIn({ settings: { ...settings, min_auto_conf_pct: 60 } });
    expect(low(signalOf({ rule_check: 'not_passed' })).text).toBe('Confidence 50 % is below your minimum of 60 %.');
    // What opening found in the market stays, and only that of this scan.
    const moved = { detail: 'price_moved', message: 'The price is 7 % away.' } as const;
    expect(text({ rule_check: 'passed' }, run(moved))).toBe('The price is 7 % away.');
    expect(verdictIn({ run: run(moved) })(signalOf())).toMatchObject({ state: 'refused', reason: 'price_moved' });
    expect(text({ rule_check: 'passed' }, run(moved, 'another'))).toBe('May open');
    // What it found in the account is judged again: the slot that was missing is free.
    const full = { detail: 'max_concurrent', message: 'Limit reached (5). Close one or raise the limit.' } as const;
    expect(text({ rule_check: 'passed' }, run(full))).toBe(
      'May open by hand: the automatic openings of this scan are done',
    );
    expect(text({}, run({ outcome: 'OPENED' }))).toBe('Position opened');
  });

  it('name the setting where a slot is missing, in the words of the opening itself', () => {
    const open = ['X', 'Y', 'BTCUSDT'].map((symbol) => ({ symbol, side: 'SHORT' }));
    expect(verdictIn({ open, ...slots(3) })(signalOf({ rule_check: 'passed' }))).toEqual({
      state: 'refused',
      reason: 'max_concurrent',
      text: 'Limit reached (3). Close one or raise the limit.',
    });
    expect(verdictIn({ open, ...slots(3) })(signalOf({ rule_check: 'passed', direction: 'SHORT' })).reason).toBe(
      'duplicate',
    );
    expect(verdictIn({ open, ...slots(4) })(signalOf({ rule_check: 'passed' })).state).toBe('may_open');
  });

  it('follow a guard that trips, and one that releases by itself without another request', () => {
    const until = '2026-01-01T00:00:30.000Z';
    const guards = [{ name: 'stop_streak' as const, is_on: true, is_tripped: true, limit: 3, value: 3, until }];
    const at = (nowMs: number) => verdictIn({ guards }, nowMs)(signalOf({ rule_check: 'passed' }));
    expect(at(finishedMs)).toEqual({
      state: 'refused',
      reason: 'stop_streak_guard',
      text: '3 losing stops in a row (limit 3): cooling down.',
    });
    expect(at(Date.parse(until)).state).toBe('may_open');
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
