import { describe, expect, it } from 'vitest';
import type { GuardFacts, OpeningSettings } from '../../src/signals/openingRules.ts';
import { isOpenable, type JudgedSignal, type VerdictFacts, verdictsOf } from '../../src/signals/signalVerdict.ts';

const settings: OpeningSettings = {
  auto_open_enabled: true,
  min_auto_conf_pct: 60,
  tuning_conf_floor: null,
  min_conf_on_score: false,
  blacklist: '',
  whitelist: '',
  positions_wanted: 5,
  max_concurrent_positions: 5,
};
const facts: VerdictFacts = {
  items: [],
  isRunOver: false,
  isTooOld: false,
  open: [],
  guards: [],
  settings,
};
/** A checked result that the scan chose. */
const signal = (change: Partial<JudgedSignal> = {}): JudgedSignal => ({
  symbol: 'BTCUSDT',
  interval: '1h',
  direction: 'LONG',
  confidence: 0.7,
  confidence_kind: 'calibrated',
  stopLoss: 98,
  takeProfit: 104,
  horizon_min: 90,
  position: { qty: 1, refused_by: null, message: null, liquidationApprox: 90 },
  outcome: 'ELIGIBLE',
  filtered_by: null,
  ai_state: 'offline',
  rule_check: 'passed',
  ...change,
});
const streak = { name: 'stop_streak', is_tripped: true, limit: 3, value: 3 } satisfies GuardFacts;
const btc = { symbol: 'BTCUSDT', side: 'LONG' };
const other = (symbol: string) => ({ symbol, side: 'LONG' });
const tried = (detail: string | null, outcome = 'NO_MATCH') => ({
  symbol: 'BTCUSDT',
  interval: '1h',
  outcome,
  detail,
  message: 'As found.',
});
const judge = (change: Partial<JudgedSignal>, more: Partial<VerdictFacts>, set: Partial<OpeningSettings> = {}) =>
  verdictsOf([signal(change)], { ...facts, ...more, settings: { ...settings, ...set } })[0];

describe('one verdict per signal, from the state at the moment of showing', () => {
  it.each<
    [string, Partial<JudgedSignal>, Partial<VerdictFacts>, Partial<OpeningSettings>, string, string | null, RegExp]
  >([
    ['nothing is in its way', {}, {}, {}, 'may_open', null, /^May open$/],
    ['not checked yet', { rule_check: 'not_run' }, {}, {}, 'check_due', null, /after its check passes$/],
    ['no direction', { direction: 'NEUTRAL', outcome: 'NEUTRAL' }, {}, {}, 'refused', 'NEUTRAL', /no direction/],
    ['no levels', { stopLoss: null }, {}, {}, 'refused', 'no_levels', /^Stop/],
    [
      'another side than the saved rules enter',
      {},
      { strategy: { value: { direction: 'short' } } },
      {},
      'refused',
      'direction_filter',
      /skips this side/,
    ],
    [
      'no size',
      { position: { qty: 0, refused_by: 'min_notional', message: 'Too small.', liquidationApprox: null } },
      {},
      {},
      'refused',
      'min_notional',
      /^Too small\.$/,
    ],
    [
      'liquidated before its stop',
      { outcome: 'NO_MATCH', filtered_by: 'liquidation_before_stop' },
      {},
      {},
      'refused',
      'liquidation_before_stop',
      /comes before the stop/,
    ],
    [
      'the minimum confidence was raised since the scan',
      {},
      {},
      { min_auto_conf_pct: 80 },
      'refused',
      'min_confidence',
      /^Confidence 70 % is below your minimum of 80 %\.$/,
    ],
    [
      'the minimum confidence was lowered since the scan',
      { outcome: 'LOW_CONF', filtered_by: 'min_confidence' },
      {},
      { min_auto_conf_pct: 50 },
      'may_open',
      null,
      /^May open$/,
    ],
    [
      'a floor of the tuning was set since the scan',
      {},
      {},
      { tuning_conf_floor: 0.75 },
      'refused',
      'tuning_floor',
      /75 %/,
    ],
    ['put on the blacklist since the scan', {}, {}, { blacklist: 'BTCUSDT' }, 'refused', 'blacklisted', /blacklist/],
    [
      'left out of the whitelist since the scan',
      {},
      {},
      { whitelist: 'ETHUSDT' },
      'refused',
      'not_whitelisted',
      /whitelist/,
    ],
    ['newer candles', {}, { isTooOld: true }, {}, 'refused', 'scan_too_old', /new scan/],
    ['the check failed', { rule_check: 'not_passed' }, {}, {}, 'refused', 'rule_check_not_passed', /not passed$/],
    ['its position is open', {}, { open: [btc] }, {}, 'refused', 'duplicate', /already hold this symbol and side/],
    [
      'no slot is free',
      {},
      { open: [other('X'), other('Y')] },
      { max_concurrent_positions: 2 },
      'refused',
      'max_concurrent',
      /^Limit reached \(2\)\. Close one or raise the limit\.$/,
    ],
    [
      'a guard has tripped',
      {},
      { guards: [streak] },
      {},
      'refused',
      'stop_streak_guard',
      /^3 losing stops in a row \(limit 3\)/,
    ],
    ['a guard has healed', {}, { guards: [{ ...streak, is_tripped: false }] }, {}, 'may_open', null, /^May open$/],
    [
      'automatic opening was turned off since the scan',
      {},
      {},
      { auto_open_enabled: false },
      'may_open',
      'auto_open_off',
      /by hand/,
    ],
    [
      'a guard stopped the opening and has healed since',
      {},
      { items: [tried('stop_streak_guard')], isRunOver: true },
      {},
      'may_open',
      'run_over',
      /by hand/,
    ],
    [
      'the guard that stopped the opening still holds',
      {},
      { items: [tried('stop_streak_guard')], isRunOver: true, guards: [streak] },
      {},
      'refused',
      'stop_streak_guard',
      /cooling down/,
    ],
    [
      'a slot was missing at the opening and is free now',
      {},
      { items: [tried('max_concurrent')], isRunOver: true },
      {},
      'may_open',
      'run_over',
      /by hand/,
    ],
    [
      'the price had moved at the opening',
      {},
      { items: [tried('price_moved')], isRunOver: true },
      {},
      'refused',
      'price_moved',
      /^As found\.$/,
    ],
    [
      'the opening failed',
      {},
      { items: [tried(null, 'FAILED')], isRunOver: true },
      {},
      'refused',
      'FAILED',
      /^As found\.$/,
    ],
    ['it opened', {}, { items: [tried(null, 'OPENED')], open: [btc] }, {}, 'opened', null, /^Position opened$/],
  ])('%s', (_, change, more, set, state, reason, text) => {
    const verdict = judge(change, more, set);
    expect(verdict).toMatchObject({ state, reason });
    expect(verdict?.text).toMatch(text);
  });
});

describe('signals that wait behind better ones of the scan', () => {
  const [first, second, third] = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'].map((symbol) => signal({ symbol }));
  const all = [first!, second!, third!];
  const states = (
    signals: readonly JudgedSignal[],
    more: Partial<VerdictFacts> = {},
    set: Partial<OpeningSettings> = {},
  ) =>
    verdictsOf(signals, { ...facts, ...more, settings: { ...settings, ...set } }).map(({ state, reason }) => [
      state,
      reason,
    ]);
  const may = ['may_open', null];

  it('read as waiting, with the next step, not as rejected', () => {
    const filtered_by = 'positions_wanted';
    const signals = [first!, second!, { ...third!, outcome: 'NO_MATCH' as const, filtered_by }];
    expect(states(signals, {}, { positions_wanted: 2 })).toEqual([may, may, ['waiting', filtered_by]]);
    const [, , last] = verdictsOf(signals, { ...facts, settings: { ...settings, positions_wanted: 2 } });
    expect(last?.text).toBe('Waits for a slot: better signals come first. Raise the limit to open more');
    expect(last !== undefined && isOpenable(last)).toBe(false);
    // The setting was raised since the scan.
    expect(states(signals, {}, { positions_wanted: 3 })).toEqual([may, may, may]);
  });

  it('follow when a better one is rejected', () => {
    const signals = [{ ...first!, rule_check: 'not_passed' as const }, second!, third!];
    const wanted = { positions_wanted: 1 };
    expect(states(all, {}, wanted)).toEqual([may, ['waiting', 'positions_wanted'], ['waiting', 'positions_wanted']]);
    expect(states(signals, {}, wanted)).toEqual([
      ['refused', 'rule_check_not_passed'],
      may,
      ['waiting', 'positions_wanted'],
    ]);
  });

  it('wait for the better interval of their symbol', () => {
    const longer = signal({ interval: '4h', outcome: 'NO_MATCH', filtered_by: 'same_symbol' });
    expect(states([first!, longer])).toEqual([may, ['waiting', 'same_symbol']]);
    expect(states([{ ...first!, rule_check: 'not_passed' }, longer])[1]).toEqual(may);
  });

  it('count the free slots: two signals never share the last one', () => {
    const open = [{ symbol: 'X', side: 'LONG' }];
    expect(states(all, { open }, { max_concurrent_positions: 2 })).toEqual([
      may,
      ['waiting', 'max_concurrent'],
      ['waiting', 'max_concurrent'],
    ]);
  });

  it('do not wait for unchecked ones, which an opening now would skip', () => {
    const unchecked = { ...first!, rule_check: 'not_run' as const };
    const wanted = { positions_wanted: 1 };
    expect(states([unchecked, second!], {}, wanted)).toEqual([['check_due', null], may]);
    expect(states([unchecked, { ...second!, rule_check: 'not_run' }], {}, wanted)[1]?.[0]).toBe('waiting');
  });

  it('open by hand once automatic opening is over or off', () => {
    const wanted = { positions_wanted: 1 };
    expect(states(all, { isRunOver: true }, wanted)[2]).toEqual(['may_open', 'run_over']);
    expect(states(all, {}, { ...wanted, auto_open_enabled: false })[2]).toEqual(['may_open', 'auto_open_off']);
  });
});
