import { liveExits, liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';
import { limitsOfAuto } from '@sextant/workers/src/signals/autoLimits.ts';
import { describe, expect, it } from 'vitest';
import {
  type AutoSettings,
  baseOfAuto,
  thresholdOfAuto,
} from '../../../../src/features/backtest/portfolio/autoAccount.ts';
import type { Auto } from '../../../../src/features/backtest/portfolio/autoOf.ts';
import { RunPortfolioBody } from '../../../../src/features/backtest/portfolio/contract.ts';
import { type Plan, planOf } from '../../../../src/features/backtest/portfolio/plan.ts';
import { defaultAuto } from '../../../../src/features/sandbox/defaultAuto.ts';
import { unmeasured } from '../../../../src/features/signals/confidenceBasis.ts';

const auto = (settings: Partial<AutoSettings> = {}, more: Partial<Auto> = {}): Auto => ({
  ...defaultAuto,
  ...more,
  settings: { ...defaultAuto.settings, ...settings },
});
const basis = { of: unmeasured };

function planFor(settings: Partial<AutoSettings> = {}, body: object = {}, more: Partial<Auto> = {}): Plan {
  const plan = planOf(RunPortfolioBody.parse(body), auto(settings, more), basis);
  if (!plan.ok) throw new Error(plan.error.message);
  return plan.value;
}

describe('RULE-111 a portfolio run as Auto', () => {
  it.each<[Partial<AutoSettings>, Partial<ReturnType<typeof limitsOfAuto>>]>([
    [{ max_concurrent_positions: 3 }, { positionsMax: 3 }],
    [{ positions_wanted: 2 }, { openingsMax: 2 }],
    [{ guard_daily_loss_pct: 4 }, { dailyLossPct: 4 }],
    [{ guard_stop_streak: 6 }, { stopStreak: 6 }],
    [{ guard_cooldown_minutes: 90 }, { cooldownMinutes: 90 }],
    [{ guard_drawdown_pct: 12 }, { drawdownPct: 12 }],
  ])('takes %j as %j and nothing else', (settings, want) => {
    const before = planFor().limits;
    expect(before).toMatchObject({ dailyLossPct: 0, stopStreak: 0, drawdownPct: 0, skipsStopBeyondLiquidation: true });
    expect(planFor(settings).limits).toEqual({ ...before, ...want });
  });

  it('has the balance, the base, the leverage and the risk of the settings', () => {
    const plan = planFor({ balance_usdt: 5000, base_usdt: 400, leverage: 7, risk_tolerance: 'high' });
    expect(plan).toMatchObject({ baseUsdt: 400, costs: { initialEquity: 5000, leverage: 7, notional: 2800 } });
    expect(plan.strategy.sizing).toEqual({ mode: 'risk', riskFraction: 0.02, isCompounding: false });
    expect(planFor({ sizing_mode: 'fixed' }).strategy.sizing.mode).toBe('fixed');
    expect(baseOfAuto({ ...defaultAuto.settings, balance_usdt: 700, base_usdt: null })).toBe(700);
  });

  it('has own levels and trailing where they are set', () => {
    expect(planFor().strategy).toMatchObject({ stop: liveExits.stop, target: liveExits.target });
    const own = { levels_mode: 'own', stop_loss_pct: 3, take_profit_pct: 5 } as const;
    const { strategy } = planFor(own);
    expect([strategy.stop, strategy.target]).toEqual([
      { mode: 'percent', fraction: 0.03 },
      { mode: 'percent', fraction: 0.05 },
    ]);
    expect(planFor({ ...own, stop_loss_pct: 0 }).strategy.stop).toEqual(liveExits.stop);
    const trailing = {
      trailing_enabled: true,
      trail_callback_pct: 0.8,
      trail_step_pct: 0.4,
      trail_activation_stops: 2,
    };
    expect(planFor({ ...own, ...trailing }).strategy.trailing).toMatchObject({
      mode: 'percent',
      callbackFraction: 0.008,
      stepFraction: 0.004,
      activationFraction: 0.06,
    });
    const byRange = { trail_mode: 'atr', trail_atr_mult: 3, trail_atr_period: 21 } as const;
    expect(planFor({ ...own, ...trailing, ...byRange }).strategy).toMatchObject({
      atrPeriod: 21,
      trailing: { mode: 'atr', atrMultiple: 3, stepFraction: 0, activationFraction: 0.06 },
    });
  });

  it('names what it cannot do', () => {
    const notes = (settings: Partial<AutoSettings>) => planFor(settings).notes.join(' ');
    expect(notes({ dynamic_risk_on: true })).toContain('Dynamic risk is left out');
    expect(notes({ trailing_enabled: true })).toContain('Trailing is left out: its start follows an ATR stop');
    const other = {
      trailing_enabled: true,
      trail_activation_stops: 0,
      trail_mode: 'atr',
      trail_atr_period: 30,
    } as const;
    expect(notes(other)).toContain('Trailing is left out: its ATR period differs');
    expect(notes({})).toContain('Auto also trades 15m and 4h; this run enters on 1h only.');
    expect(notes({ interval_opts: { '15m': false, '1h': true, '4h': false } })).toBe('');
  });

  it('enters from the score that the minimum confidence accepts', () => {
    const strategy = liveRules(['1h']);
    const at = (settings: Partial<AutoSettings>, more: Partial<Parameters<typeof thresholdOfAuto>[2]> = {}) =>
      thresholdOfAuto(strategy, auto(settings).settings, { basis: unmeasured('1h'), isSaved: false, ...more });
    expect(at({ min_auto_conf_pct: 0 })).toEqual({ threshold: strategy.entryThreshold, notes: [] });
    // 1 - (1 - s)^2 = 0.64 at s = 0.4, and 0.75 at 0.5.
    expect(at({ min_auto_conf_pct: 64 }).threshold).toBeCloseTo(0.4, 5);
    expect(at({ min_auto_conf_pct: 0, tuning_conf_floor: 0.75 }).threshold).toBeCloseTo(0.5, 5);
    // The score of a saved strategy is held to it only if the user says so.
    expect(at({ min_auto_conf_pct: 64 }, { isSaved: true }).threshold).toBe(strategy.entryThreshold);
    expect(at({ min_auto_conf_pct: 64, min_conf_on_score: true }, { isSaved: true }).threshold).toBeCloseTo(0.4, 5);
    // A measured chance rises with the score: 0.5 at raw 0, 0.7 at raw 1.
    const points = [
      { raw: 0, chance: 0.5 },
      { raw: 1, chance: 0.7 },
    ];
    const measured = at({ min_auto_conf_pct: 65 }, { basis: { kind: 'calibrated', points } });
    expect(1 - (1 - measured.threshold) ** 2).toBeCloseTo(0.75, 4);
    expect(measured.notes.join()).toContain('as measured today');
    const never = at({ min_auto_conf_pct: 90 }, { basis: { kind: 'calibrated', points } });
    expect(never).toMatchObject({ threshold: 1 });
    expect(never.notes.join()).toContain('No score reaches your minimum confidence');
  });

  it('runs the saved strategy that Auto trades, else Live rules with the tuning, and longer intervals vote', () => {
    const saved = { id: 'x', name: 'Mine', version: 'v', value: { ...liveRules(['15m', '1h']), entryThreshold: 0.4 } };
    const plan = planFor({}, {}, { strategy: saved });
    expect(plan).toMatchObject({
      interval: '15m',
      strategyName: 'Mine',
      strategy: { entryThreshold: 0.4, weights: saved.value.weights, intervals: saved.value.intervals },
    });
    // Once its chance is measured, the minimum confidence applies to it: 0.5 at raw 0, 0.7 at raw 1.
    const points = [
      { raw: 0, chance: 0.5 },
      { raw: 1, chance: 0.7 },
    ];
    const strategyBases = [{ ...unmeasured('15m'), kind: 'calibrated' as const, points }];
    const measured = planFor({ min_auto_conf_pct: 68 }, {}, { strategy: saved, strategyBases });
    expect(1 - (1 - measured.strategy.entryThreshold) ** 2).toBeCloseTo(0.9, 4);
    const wrong = planOf(RunPortfolioBody.parse({ interval: '4h' }), auto({}, { strategy: saved }), basis);
    expect(wrong).toMatchObject({ ok: false, error: { field: 'interval' } });
    const tuning = { ...neutralTuning, rsi: 1.5 };
    expect(planFor({}, { interval: '1h' }, { tuning }).strategy).toMatchObject({
      weights: liveRules(['1h'], tuning).weights,
      intervals: [
        { interval: '1h', weight: 1 },
        { interval: '4h', weight: 0.5 },
      ],
    });
  });

  it('keeps to the request otherwise: limits, account and threshold', () => {
    const sent = { limits: { positionsMax: 9 }, costs: { initialEquity: 123, notional: 50, leverage: 2 } };
    const plan = planFor({ balance_usdt: 5000 }, { ...sent, strategy: liveRules(['1h']) });
    expect(plan).toMatchObject({ isAuto: false, costs: sent.costs, limits: { positionsMax: 9, openingsMax: 0 } });
    expect(plan.baseUsdt).toBeUndefined();
    // With `asAuto` only the limits are those of the request.
    const both = planFor({ balance_usdt: 5000 }, { ...sent, asAuto: true });
    expect(both).toMatchObject({ isAuto: true, costs: { initialEquity: 5000 }, limits: { positionsMax: 9 } });
  });

  it('takes own rules as text, and says where they are wrong', () => {
    const plan = planFor({}, { rules: 'long when rsi(14) < 30', interval: '4h' });
    expect(plan).toMatchObject({ interval: '4h', strategy: { rules: 'long when rsi(14) < 30', entryThreshold: 1 } });
    const wrong = planOf(RunPortfolioBody.parse({ rules: 'long when rsy(14) < 30' }), auto(), basis);
    expect(wrong).toMatchObject({ ok: false, error: { code: 'validation_failed', field: 'rules' } });
    expect(wrong.ok ? '' : wrong.error.message).toContain('line 1, column 11');
  });
});
