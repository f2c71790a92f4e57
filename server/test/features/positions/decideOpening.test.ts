// Long because it follows one decision from its facts to its message.
import { type Engine, instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FuturesSymbol } from '../../../src/features/market/port.ts';
import { decide, type Facts, type OpeningRequest } from '../../../src/features/positions/decideOpening.ts';
import { guardsOf } from '../../../src/features/guards/guards.ts';
import { skipMessage } from '@sextant/workers/src/signals/skipReasons.ts';
import { openedMessage, openFailedMessage } from '../../../src/features/positions/openMessages.ts';
import { previewToWire } from '../../../src/features/positions/openByHand.ts';
import { runToWire } from '../../../src/features/positions/runRepository.ts';
import type { AutoItem } from '../../../src/features/scan/autoRunItems.ts';
import type { Preferences } from '../../../src/features/preferences/contract.ts';

let kernel: Engine;
beforeAll(async () => {
  kernel = instantiate((await loadModule()).module);
});

const now = Date.UTC(2026, 0, 1, 12);
const preferences = {
  auto_open_enabled: true,
  min_auto_conf_pct: 60,
  tuning_conf_floor: null,
  whitelist: '',
  blacklist: '',
  balance_usdt: 1000,
  leverage: 10,
  risk_tolerance: 'medium',
  dynamic_risk_on: false,
  sizing_mode: 'risk',
  base_usdt: null,
  levels_mode: 'signal',
  stop_loss_pct: 2,
  take_profit_pct: 4,
  max_concurrent_positions: 5,
  risk_min_pct: 0.005,
  risk_max_pct: 0.02,
  risk_smoothing: 0.3,
  risk_perf_lookback: 50,
} as Preferences;
const market: FuturesSymbol = {
  symbol: 'BTCUSDT',
  base: 'BTC',
  tickSize: 0.1,
  stepSize: 0.001,
  minNotional: 5,
  maxQuantity: null,
  maxLeverage: 125,
  listedAtMs: null,
  fundingHours: null,
  status: 'trading',
};
const request: OpeningRequest = {
  source: 'scan',
  symbol: 'BTCUSDT',
  interval: '1h',
  direction: 'LONG',
  confidence: 0.8,
  signalPrice: 100,
  levels: { stopLoss: 98, takeProfit: 104 },
  riskMultiplier: 1,
  sizing: { by: 'settings' },
  levelsOf: 'signal',
  check: 'passed',
};
const funds = { results: new Float64Array(0), realisedUsdt: 0, marginUsdt: 0 };
const facts: Facts = {
  exchange: 'binance',
  preferences,
  market,
  quote: { last: 100, atMs: now },
  openCount: 0,
  isOpen: false,
  guards: [],
  funds,
};
const decided = (more: Partial<OpeningRequest> = {}, about: Partial<Facts> = {}, settings: Partial<Preferences> = {}) =>
  decide(kernel, { ...request, ...more }, { ...facts, preferences: { ...preferences, ...settings }, ...about });
const skipOf = (...args: Parameters<typeof decided>) => {
  const { skip } = decided(...args);
  return skip === null ? 'OPEN' : skip.detail === null ? skip.reason : `${skip.reason} ${skip.detail}`;
};

const tripped = (name: 'daily_loss' | 'stop_streak' | 'drawdown') => [
  { name, is_on: true, is_tripped: true, limit: 1, value: 1, until: null },
];

type Case = [
  what: string,
  expected: string,
  more?: Partial<OpeningRequest>,
  about?: Partial<Facts>,
  settings?: Partial<Preferences>,
];
const cases: Case[] = [
  ['AUTO-005 opens when direction, confidence and quantity are there', 'OPEN'],
  ['AUTO-007 NEUTRAL', 'NEUTRAL', { direction: 'NEUTRAL' }],
  ['AUTO-007 LOW_CONF', 'LOW_CONF min_confidence', { confidence: 0.599 }],
  ['AUTO-006 60 % is enough', 'OPEN', { confidence: 0.6 }],
  [
    'X46 the comparison is in percent and does not lose 0.57 x 100',
    'OPEN',
    { confidence: 0.57 },
    {},
    { min_auto_conf_pct: 57 },
  ],
  ['X1 0 turns it off', 'OPEN', { confidence: 0 }, {}, { min_auto_conf_pct: 0 }],
  ['LOW_CONF by the floor of the tuning', 'LOW_CONF tuning_floor', {}, {}, { tuning_conf_floor: 0.9 }],
  [
    'ZERO_QTY when the smallest position would lose more than the risk',
    'ZERO_QTY min_above_risk',
    {},
    {},
    { balance_usdt: 9 },
  ],
  [
    'AUTO-007 ZERO_QTY when all equity is margin',
    'ZERO_QTY margin_full',
    {},
    { funds: { ...funds, marginUsdt: 1000 } },
  ],
  ['ZERO_QTY when all equity is lost', 'ZERO_QTY margin_full', {}, { funds: { ...funds, realisedUsdt: -1000 } }],
  ['ZERO_QTY below a step of the exchange', 'ZERO_QTY quantity', { sizing: { by: 'quantity', quantity: 0.0009 } }],
  ['ZERO_QTY below the least notional', 'ZERO_QTY min_notional', { sizing: { by: 'quantity', quantity: 0.049 } }],
  ['the least notional itself is enough', 'OPEN', { sizing: { by: 'quantity', quantity: 0.05 } }],
  ['no levels of the signal: those of the settings', 'OPEN', { levels: null }],
  ['no levels anywhere', 'NO_MATCH no_levels', { levels: null }, {}, { stop_loss_pct: 0 }],
  ['no target anywhere', 'NO_MATCH no_levels', { levels: null }, {}, { take_profit_pct: 0 }],
  ['a price 5 % away is near enough', 'OPEN', { signalPrice: 100 / 1.049 }],
  ['more is not', 'NO_MATCH price_moved', { signalPrice: 100 / 1.051 }],
  ['the stop is passed', 'NO_MATCH level_passed', {}, { quote: { last: 98, atMs: now } }],
  ['the target is passed', 'NO_MATCH level_passed', {}, { quote: { last: 104, atMs: now } }],
  ['a short with the levels of a long', 'NO_MATCH level_passed', { direction: 'SHORT' }],
  ['it would be liquidated before its stop', 'NO_MATCH liquidation_before_stop', { leverage: 100 }],
  ['X59 it was not checked', 'NO_MATCH ai_unchecked', { check: 'not_asked' }],
  ['X59 the AI gave no verdict', 'NO_MATCH ai_offline', { check: 'no_verdict' }],
  ['AUTO-008 the AI did not approve', 'NO_MATCH ai_not_approved', { check: 'ai_rejected' }],
  ['X73 the rules did not pass it', 'NO_MATCH rule_check_not_passed', { check: 'rules_not_passed' }],
  ['X68 on the blacklist', 'NO_MATCH blacklisted', {}, {}, { blacklist: 'ETHUSDT,BTCUSDT' }],
  ['X68 not on the whitelist', 'NO_MATCH not_whitelisted', {}, {}, { whitelist: 'ETHUSDT' }],
  ['X68 on both: the blacklist wins', 'NO_MATCH blacklisted', {}, {}, { whitelist: 'BTCUSDT', blacklist: 'BTCUSDT' }],
  ['halted', 'NO_MATCH not_traded', {}, { market: { ...market, status: 'halted' } }],
  ['not listed', 'NO_MATCH not_traded', {}, { market: undefined }],
  ['one of the symbol and side is open', 'NO_MATCH duplicate', {}, { isOpen: true }],
  ['X23 as many as allowed are open', 'NO_MATCH max_concurrent', {}, { openCount: 5 }],
  ['X23 one less', 'OPEN', {}, { openCount: 4 }],
  ['the daily loss guard', 'NO_MATCH daily_loss_guard', {}, { guards: tripped('daily_loss') }],
  ['the stop streak guard', 'NO_MATCH stop_streak_guard', {}, { guards: tripped('stop_streak') }],
  ['the drawdown guard', 'NO_MATCH drawdown_guard', {}, { guards: tripped('drawdown') }],
  ['automatic opening is off', 'NO_MATCH auto_open_off', {}, {}, { auto_open_enabled: false }],
  ['by hand a low confidence is its owner’s business', 'OPEN', { source: 'manual', confidence: 0 }],
  ['by hand no AI check is needed', 'OPEN', { source: 'manual', check: 'ai_rejected' }],
  ['by hand the guards do not hold', 'OPEN', { source: 'manual' }, { guards: tripped('drawdown') }],
  ['by hand there is room for as many as allowed', 'NO_MATCH max_concurrent', { source: 'manual' }, { openCount: 5 }],
  ['by hand one per symbol and side', 'NO_MATCH duplicate', { source: 'manual' }, { isOpen: true }],
  ['by hand not without a direction', 'NEUTRAL', { source: 'manual', direction: 'NEUTRAL' }],
];

describe('whether a position is opened', () => {
  it.each(cases)('%s: %s', (_what, expected, more, about, settings) =>
    expect(skipOf(more, about, settings)).toBe(expected),
  );
});

describe('how large it is', () => {
  const quantity = (...args: Parameters<typeof decided>) => decided(...args).draft.quantity;
  // At the stop of 98, filled at 97.9804, one coin loses 2.0196 and 0.0989902 of fees: 2.1185902.
  const perUnit = 2.0196 + 0.0005 * 197.9804;
  const steps = (quantity: number) => Math.floor(quantity * 1000) / 1000;
  it.each([
    ['low', 5],
    ['medium', 10],
    ['high', 20],
  ] as const)('AUTO-012 AUTO-013 X70: with %s risk the stop loses %d USDT of 1000', (risk_tolerance, loss) => {
    expect(quantity({}, {}, { risk_tolerance })).toBe(steps(loss / perUnit));
    expect(quantity({ source: 'manual' }, {}, { risk_tolerance })).toBe(steps(loss / perUnit));
  });
  it('X70: n % of the message is the part of base x leverage that is opened', () => {
    // 10 / 2.1185902 of 100 coins.
    expect(decided().draft.multiplier).toBeCloseTo(0.0472012, 6);
    expect(decided({ riskMultiplier: 0.5 }).draft.multiplier).toBeCloseTo(0.0236006, 6);
  });
  it('X70: a fixed base is base x leverage / entry', () => {
    expect(quantity({}, {}, { sizing_mode: 'fixed', base_usdt: 50 })).toBe(5);
    expect(quantity({ riskMultiplier: 0.5 }, {}, { sizing_mode: 'fixed', base_usdt: 50 })).toBe(2.5);
  });
  it('X70: three openings of one account lose no more than its risk each and never pledge more than its equity', () => {
    let marginUsdt = 0;
    for (const riskFraction of ['low', 'medium', 'high'] as const) {
      const { draft } = decided({}, { funds: { ...funds, marginUsdt } }, { risk_tolerance: riskFraction });
      marginUsdt += draft.plan?.margin ?? 0;
      expect(draft.plan?.lossAtStop).toBeLessThanOrEqual(20);
    }
    expect(marginUsdt).toBeLessThan(200);
  });
  it('AUTO-014 dynamic risk before ten closes: x 0.8', () =>
    expect(quantity({}, {}, { dynamic_risk_on: true })).toBe(steps(8 / perUnit)));
  it('X26 afterwards it moves towards the most that is allowed with every win', () => {
    // Ten wins: performance 1 - 0.7^10 = 0.9717525; 0.008 + 0.9717525 x (0.02 - 0.008) = 0.01966103
    const results = new Float64Array(10).fill(5);
    expect(quantity({}, { funds: { ...funds, results } }, { dynamic_risk_on: true })).toBe(steps(19.66103 / perUnit));
  });
  it.each([
    ['low', 3, 6],
    ['medium', 4, 10],
    ['high', 7, 10],
  ] as const)(
    'AUTO-015 AUTO-016 X70: a chart of %s risk and score %d loses %d USDT at its stop',
    (tolerance, riskScore, loss) =>
      expect(
        quantity({ source: 'vision', sizing: { by: 'chart', riskScore } }, {}, { risk_tolerance: tolerance }),
      ).toBe(steps(loss / perUnit)),
  );
  it('X22 leverage is capped by the symbol; the risk and so the size stay', () => {
    const { draft } = decided({}, { market: { ...market, maxLeverage: 5 } });
    expect([draft.leverage, draft.leverageAsked, draft.plan?.quantity]).toEqual([5, 10, 4.72]);
  });
  it('is rounded down to a step, and the levels to ticks towards the entry', () => {
    const { draft } = decided({
      levels: { stopLoss: 97.96, takeProfit: 104.04 },
      sizing: { by: 'quantity', quantity: 1.2349 },
    });
    expect(draft.plan).toMatchObject({ quantity: 1.234, entryPrice: 100 });
    expect([draft.plan?.stopPrice.toFixed(4), draft.plan?.targetPrice.toFixed(4)]).toEqual(['98.0000', '104.0000']);
  });
  it('takes corrected levels as percent from the entry, for either side', () => {
    const levels = { stopLossPct: 1, takeProfitPct: 3 };
    expect(decided({ levels, levelsOf: 'correction' }).draft.plan).toMatchObject({ stopPrice: 99, targetPrice: 103 });
    expect(decided({ levels, direction: 'SHORT' }).draft.plan).toMatchObject({ stopPrice: 101, targetPrice: 97 });
  });
  it('X23 takes the percent of the settings where they are chosen, but never over a correction or a level that was named', () => {
    const own = { levels_mode: 'own', stop_loss_pct: 3, take_profit_pct: 5 } as const;
    const pricesOf = (more: Partial<OpeningRequest>, settings: Partial<Preferences> = own) => {
      const { plan } = decided(more, {}, settings).draft;
      return [plan?.stopPrice, plan?.targetPrice];
    };
    expect(pricesOf({})).toEqual([97, 105]);
    expect(pricesOf({ direction: 'SHORT', levels: { stopLoss: 102, takeProfit: 96 } })).toEqual([103, 95]);
    expect(pricesOf({}, { ...own, levels_mode: 'signal' })).toEqual([98, 104]);
    expect(pricesOf({}, { ...own, take_profit_pct: 0 })).toEqual([97, 104]);
    expect(pricesOf({ levelsOf: 'correction', levels: { stopLossPct: 1, takeProfitPct: 2 } })).toEqual([99, 102]);
    expect(pricesOf({ source: 'manual', levelsOf: 'owner' })).toEqual([98, 104]);
    expect(pricesOf({ source: 'manual', levelsOf: 'owner', levels: { stopLoss: 99, takeProfit: null } })).toEqual([
      99, 105,
    ]);
  });
});

describe('what a preview says', () => {
  const preview = (more: Partial<OpeningRequest> = {}, about: Partial<Facts> = {}) =>
    previewToWire({ ...request, ...more }, decided(more, about), {
      quote: facts.quote,
      balanceUsdt: 1000,
      nowMs: now,
      funding: { rate: 0.0001, nextFundingAtMs: now + 3_600_000 },
    });
  it('has loss at the stop, fees, margin and liquidation, worked out by hand', () => {
    // 4 coins at 100: notional 400, margin 40, fee 0.2; at 98, filled at 97.9804: 8.0784 lost and a fee of 0.1959608.
    // Liquidation (40 - 400) / (4 x (0.005 - 1)) = 90.4523, to the tick above: 90.5.
    const result = preview({ sizing: { by: 'quantity', quantity: 4 } });
    expect(result).toMatchObject({ would_open: true, qty: 4, notional: 400, margin: 40, fee_entry: 0.2, risk_pct: 1 });
    expect(result.risk_multiplier).toBeCloseTo(0.04, 12);
    expect(result.loss_at_stop).toBeCloseTo(8.4743608, 9);
    expect(result.loss_at_stop_pct).toBeCloseTo(0.84743608, 9);
    expect(result.fee_exit_at_stop).toBeCloseTo(0.196, 9);
    expect(result.gain_at_target).toBeCloseTo(16 - 0.2 - 0.208, 9);
    expect(result.liquidation_approx).toBeCloseTo(90.5, 9);
    expect(result.warnings).toEqual([]);
    // A preview is of an opening by hand.
    expect(result.message).toBe('Position opened: LONG BTCUSDT (Risk-adjusted: 4%)');
  });
  it.each([
    ['binance', 90.453],
    ['bybit', 90.5],
    ['okx', 90.498],
  ] as const)('has the liquidation price of %s, to the tick above', (exchange, price) => {
    // 10x of 100: 90 / 0.995 = 90.45226; 100 - (10 - 0.5); 90 / (1 - 0.0055) = 90.49774.
    const result = preview({}, { exchange, market: { ...market, tickSize: 0.001 } });
    expect(result.liquidation_approx).toBeCloseTo(price, 9);
  });
  it('warns of a loss above the risk, and of a size that the free equity reduced', () => {
    expect(preview({ sizing: { by: 'quantity', quantity: 5 } }).warnings).toEqual(['loss_above_risk']);
    const result = preview({}, { funds: { ...funds, marginUsdt: 980 } });
    // 20 USDT free: 20 / (100 x 0.1005) = 1.990 coins.
    expect([result.qty, result.warnings]).toEqual([1.99, ['margin_reduced']]);
  });
  it('warns of a stop that the guard lets be, of a cap and of a funding that is near', () => {
    const more = { levels: { stopLoss: 99.9, takeProfit: 104 }, sizing: { by: 'quantity', quantity: 0.1 } } as const;
    const decision = decided(more, { market: { ...market, maxLeverage: 5 } });
    const funding = { rate: 0, nextFundingAtMs: now + 14 * 60_000 };
    const result = previewToWire({ ...request, ...more }, decision, {
      quote: facts.quote,
      balanceUsdt: 1000,
      funding,
      nowMs: now,
    });
    expect(result.warnings).toEqual(['stop_within_guard', 'leverage_capped', 'funding_soon']);
  });
  it('says why nothing opens', () => {
    expect(preview({ leverage: 100 })).toMatchObject({
      would_open: false,
      reason: 'NO_MATCH',
      detail: 'liquidation_before_stop',
      message: 'Liquidation at 99.5 comes before the stop at 98. Lower the leverage.',
    });
  });
});

describe('the reason of a skip, with the number that failed', () => {
  const sentence = (...args: Parameters<typeof decided>): string => {
    const { skip } = decided(...args);
    return skip === null ? 'OPEN' : skipMessage(skip.reason, skip.detail, skip.numbers);
  };
  const guard = (name: 'daily_loss' | 'stop_streak' | 'drawdown', value: number, limit: number) => ({
    guards: [{ name, is_on: true, is_tripped: true, limit, value, until: null }],
  });
  it.each<[string, Parameters<typeof decided>]>([
    ['Confidence 61 % is below your minimum of 70 %.', [{ confidence: 0.61 }, {}, { min_auto_conf_pct: 70 }]],
    ['Confidence 69.996 % is below your minimum of 70 %.', [{ confidence: 0.69996 }, {}, { min_auto_conf_pct: 70 }]],
    ['Confidence 80 % is below your tuning floor of 90 %.', [{}, {}, { tuning_conf_floor: 0.9 }]],
    [
      'Needs 0.503 USDT of margin and fee; 0 USDT is free.',
      [{ levels: { stopLoss: 98, takeProfit: 104 } }, { funds: { ...funds, marginUsdt: 1000 } }, { leverage: 10 }],
    ],
    ["The exchange's minimum order risks 0.106 USDT, above your 0.09 USDT per trade.", [{}, {}, { balance_usdt: 9 }]],
    ['Quantity 0.0009 is below the step of 0.001.', [{ sizing: { by: 'quantity', quantity: 0.0009 } }]],
    [
      'Position of 4.9 USDT is below the exchange minimum of 5 USDT.',
      [{ sizing: { by: 'quantity', quantity: 0.049 } }],
    ],
    ['Price moved 5.26 % from the signal, above 5 %.', [{ signalPrice: 95 }]],
    ['Limit reached (5). Close one or raise the limit.', [{}, { openCount: 5 }]],
    ['Daily loss 5.2 % reached your 5 %. New trades stop until midnight UTC.', [{}, guard('daily_loss', 5.2, 5)]],
    ['3 losing stops in a row (limit 3): cooling down.', [{}, guard('stop_streak', 3, 3)]],
    ['Drawdown 12.5 % reached your 10 %. New trades stop until you resume.', [{}, guard('drawdown', 12.5, 10)]],
    [
      'Keep positions below 10 billion USDT.',
      [{ source: 'manual', sizing: { by: 'quantity', quantity: 1.1e8 } }, {}, { balance_usdt: 1e12 }],
    ],
    ['On your blacklist.', [{}, {}, { blacklist: 'BTCUSDT' }]],
  ])('%s', (text, args) => expect(sentence(...args)).toBe(text));
});

describe('messages', () => {
  it.each([
    [1, 'Auto position opened: LONG BTCUSDT'],
    [0.5, 'Auto position opened: LONG BTCUSDT (Risk-adjusted: 50%)'],
    [0.999, 'Auto position opened: LONG BTCUSDT'],
  ])('AUTO-010 with a multiplier of %d', (multiplier, text) =>
    expect(openedMessage('LONG', 'BTCUSDT', multiplier)).toBe(text),
  );
  it('AUTO-011 of a partial failure name both counts', () =>
    expect(openFailedMessage(1, 3)).toBe('Auto open failed for 1/3'));
});

describe('a run', () => {
  const run = { id: 'r', scan_id: 's', created_at: new Date(now), finished_at: null, refused: null, is_first: false };
  const item = (outcome: AutoItem['outcome'], message = 'x'): AutoItem => ({
    symbol: 'BTCUSDT',
    interval: '1h',
    side: 'LONG',
    confidence: 0.8,
    outcome,
    detail: null,
    message,
    position_id: null,
  });
  it('says what was opened, and how many of how many failed', () => {
    expect(
      runToWire(run, [
        item('OPENED', 'Auto position opened: LONG BTCUSDT'),
        item('FAILED'),
        item('FAILED'),
        item('LOW_CONF'),
      ]),
    ).toMatchObject({
      opened: 1,
      failed: 2,
      skipped: 1,
      reason: null,
      messages: ['Auto position opened: LONG BTCUSDT', 'Auto open failed for 2/3'],
    });
  });
  it('has the one reason all of its results have, else NO_MATCH', () => {
    expect(runToWire(run, [item('LOW_CONF'), item('LOW_CONF')]).reason).toBe('LOW_CONF');
    expect(runToWire(run, [item('LOW_CONF'), item('NO_MATCH')]).reason).toBe('NO_MATCH');
    expect(runToWire(run, []).reason).toBe('NO_MATCH');
  });
});

describe('the guards of automatic opening', () => {
  const rules = { balanceUsdt: 1000, dailyLossPct: 5, stopStreak: 3, cooldownMinutes: 60, drawdownPct: 10 };
  const minute = 60_000;
  const close = (minutesAgo: number, reason: string, net: number) => ({
    closedAtMs: now - minutesAgo * minute,
    reason,
    net,
  });
  const at = (closes: ReturnType<typeof close>[], more: Partial<typeof rules> = {}, drawdownSinceMs = 0) =>
    guardsOf({ ...rules, ...more }, closes, { nowMs: now, drawdownSinceMs });
  const state = (name: string, ...args: Parameters<typeof at>) => at(...args).find((guard) => guard.name === name);

  it('are off by default', () => {
    const off = { dailyLossPct: null, stopStreak: null, drawdownPct: null } as never;
    expect(at([close(1, 'SL', -900)], off).map(({ is_on, is_tripped }) => [is_on, is_tripped])).toEqual([
      [false, false],
      [false, false],
      [false, false],
    ]);
  });
  it('daily loss: net of all closes since midnight UTC against the balance, until midnight', () => {
    const closes = [close(13 * 60, 'SL', -400), close(60, 'TP', 20), close(30, 'SL', -70)];
    expect(state('daily_loss', closes)).toMatchObject({
      value: 5,
      is_tripped: true,
      until: '2026-01-02T00:00:00.000Z',
    });
    expect(state('daily_loss', closes, { dailyLossPct: 5.1 })).toMatchObject({ is_tripped: false, until: null });
  });
  it('stop streak: losing stops and liquidations in a row, until the cooldown is over', () => {
    const streak = [close(90, 'TP', 5), close(50, 'SL', -1), close(40, 'LIQ', -1), close(30, 'SL', -1)];
    expect(state('stop_streak', streak)).toMatchObject({
      value: 3,
      is_tripped: true,
      until: '2026-01-01T12:30:00.000Z',
    });
    expect(state('stop_streak', streak, { cooldownMinutes: 30 })).toMatchObject({ value: 3, is_tripped: false });
    // A trailing stop in profit is no loss, and a close by hand ends the streak.
    expect(state('stop_streak', [...streak, close(20, 'SL', 2)])).toMatchObject({ value: 0, is_tripped: false });
    expect(state('stop_streak', [...streak, close(20, 'MANUAL', -2)])).toMatchObject({ value: 0 });
  });
  it.each([
    ['23:59:59.999', Date.UTC(2026, 0, 1, 23, 59, 59, 999), 6, '2026-01-02T00:00:00.000Z'],
    ['midnight UTC itself', Date.UTC(2026, 0, 2), 0, null],
    ['a new year', Date.UTC(2027, 0, 1), 0, null],
  ])('daily loss at %s', (_what, nowMs, value, until) => {
    const closes = [
      { closedAtMs: Date.UTC(2026, 0, 1), reason: 'SL', net: -20 },
      { closedAtMs: Date.UTC(2025, 11, 31, 23, 59, 59, 999), reason: 'SL', net: -500 },
      { closedAtMs: Date.UTC(2026, 0, 1, 23, 59, 59, 998), reason: 'LIQ', net: -40 },
    ].toSorted((a, b) => a.closedAtMs - b.closedAtMs);
    const [daily] = guardsOf(rules, closes, { nowMs, drawdownSinceMs: 0 });
    expect(daily).toMatchObject({ value, is_tripped: until !== null, until });
  });
  it('stop streak: releases at the end of the cooldown to the millisecond, and blocks again with the next losing stop', () => {
    const streak = [close(90, 'SL', -1), close(80, 'SL', -1), close(60, 'SL', -1)];
    expect(state('stop_streak', streak)).toMatchObject({ value: 3, is_tripped: false });
    const [, held] = guardsOf(rules, streak, { nowMs: now - 1, drawdownSinceMs: 0 });
    expect(held).toMatchObject({ is_tripped: true, until: '2026-01-01T12:00:00.000Z' });
    expect(state('stop_streak', [...streak, close(1, 'LIQ', -1)])).toMatchObject({ value: 4, is_tripped: true });
  });
  it('no guard trips before the first close', () =>
    expect(at([]).map(({ value, is_tripped }) => [value, is_tripped])).toEqual([
      [0, false],
      [0, false],
      [0, false],
    ]));
  it('drawdown: fall of balance and realised PnL from their peak, until its owner goes on', () => {
    const closes = [close(300, 'TP', 250), close(200, 'SL', -125)];
    expect(state('drawdown', closes)).toMatchObject({ value: 10, is_tripped: true, until: null }); // 125 of 1250
    expect(state('drawdown', closes, {}, now - 100 * minute)).toMatchObject({ value: 0, is_tripped: false });
  });
});
