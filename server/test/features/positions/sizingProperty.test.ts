import { type Engine, instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { Plan } from '@sextant/workers/src/positions/plan.ts';
import { sizePosition } from '@sextant/workers/src/positions/sizing.ts';
import { SIZING_COSTS } from '@sextant/workers/src/signals/signalRules.ts';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { FuturesSymbol } from '../../../src/features/market/port.ts';
import { sizingAccount } from '../../../src/features/sizing/accountSizing.ts';
import {
  decide,
  type Decision,
  type Draft,
  type Facts,
  type OpeningRequest,
} from '../../../src/features/positions/decideOpening.ts';
import { previewToWire } from '../../../src/features/positions/openByHand.ts';
import type { Preferences } from '../../../src/features/preferences/contract.ts';
import { judge } from '../../../src/features/scan/candidates.ts';
import { marketRules } from '../../../src/features/signals/marketRules.ts';
import type { SignalWire } from '../../../src/features/signals/contract.ts';

/** Plain comparisons instead of `expect`, which takes most of the time of 30,000 openings. */
function check(isTrue: boolean, what: string, ...facts: unknown[]): void {
  if (!isTrue) throw new Error(`${what}: ${JSON.stringify(facts)}`);
}

/** Accounts of the property; each opens up to `OPENINGS` positions. */
const ACCOUNTS = 10_000;
const OPENINGS = 5;
const NOISE = 1e-9;

let kernel: Engine;
beforeAll(async () => {
  kernel = instantiate((await loadModule()).module);
});

const pick = <T>(...values: T[]) => fc.constantFrom(...values);
const settings = fc.record({
  balance_usdt: fc.double({ min: 1, max: 1e6, noNaN: true }),
  leverage: fc.integer({ min: 1, max: 125 }),
  risk_tolerance: pick('low' as const, 'medium' as const, 'high' as const),
  sizing_mode: pick('risk' as const, 'risk' as const, 'fixed' as const),
  base_usdt: fc.option(fc.double({ min: 1, max: 1e6, noNaN: true }), { nil: null }),
  levels_mode: pick('signal' as const, 'own' as const),
  stop_loss_pct: fc.double({ min: 0.01, max: 20, noNaN: true }),
  take_profit_pct: fc.double({ min: 0.01, max: 50, noNaN: true }),
  dynamic_risk_on: fc.boolean(),
  risk_min_pct: fc.double({ min: 0.001, max: 0.01, noNaN: true }),
  risk_max_pct: fc.double({ min: 0.01, max: 0.1, noNaN: true }),
});
const signal = fc.record({
  direction: pick('LONG' as const, 'SHORT' as const),
  price: fc.integer({ min: 100, max: 9_999_999 }),
  decimals: fc.integer({ min: 1, max: 6 }),
  stepDecimals: fc.integer({ min: 0, max: 4 }),
  minNotional: pick(null, 5, 20, 100),
  maxLeverage: pick(5, 20, 50, 125),
  stopFraction: fc.double({ min: 0.001, max: 0.15, noNaN: true }),
  riskMultiplier: pick(1, 1, 0.75, 0.5, 0.25),
  isByHand: fc.boolean(),
});
const world = fc.record({
  settings,
  results: fc.array(pick(-5, 0, 8), { maxLength: 20 }),
  realised: fc.double({ min: -1.2, max: 1, noNaN: true }),
  signals: fc.array(signal, { minLength: 1, maxLength: OPENINGS }),
});

const rest = {
  auto_open_enabled: true,
  min_auto_conf_pct: 0,
  tuning_conf_floor: null,
  whitelist: '',
  blacklist: '',
  max_concurrent_positions: 50,
  risk_smoothing: 0.3,
  risk_perf_lookback: 50,
};

type Account = typeof world extends fc.Arbitrary<infer T> ? T : never;
type Given = Account['signals'][number];

const lastOf = ({ price, decimals }: Given): number => Number(`${price}e-${decimals}`);
const signOf = ({ direction }: Given): number => (direction === 'LONG' ? 1 : -1);

const marketOf = ({ decimals, stepDecimals, minNotional, maxLeverage }: Given): FuturesSymbol => ({
  symbol: 'AUSDT',
  base: 'A',
  maxQuantity: null,
  listedAtMs: null,
  fundingHours: null,
  status: 'trading',
  minNotional,
  maxLeverage,
  tickSize: Number(`1e-${decimals}`),
  stepSize: Number(`1e-${stepDecimals}`),
});

function requestOf(each: Given): OpeningRequest {
  const last = lastOf(each);
  const sign = signOf(each);
  return {
    source: each.isByHand ? 'manual' : 'scan',
    symbol: 'AUSDT',
    interval: '1h',
    confidence: 1,
    direction: each.direction,
    signalPrice: last,
    levelsOf: 'signal',
    check: 'passed',
    levels: { stopLoss: last * (1 - sign * each.stopFraction), takeProfit: last * (1 + sign * 0.3) },
    riskMultiplier: each.riskMultiplier,
    sizing: { by: 'settings' },
  };
}

/** A preview must match the opening. */
function checkPreview(request: OpeningRequest, decision: Decision, { quote, preferences }: Facts): void {
  const about = { quote, balanceUsdt: preferences.balance_usdt, funding: null, nowMs: 0 };
  const shown = previewToWire(request, decision, about);
  check(shown.would_open === (decision.skip === null), 'preview', shown.message);
  check(shown.qty === decision.draft.quantity, 'quantity of the preview', shown.qty, decision.draft);
}

/** So must the eligibility of a scan: it sizes by the same account, market and stop; the AI check comes after it. */
function checkEligibility(each: Given, { skip, draft }: Decision, { preferences, funds, market }: Facts): void {
  if (each.riskMultiplier !== 1 || skip?.detail === 'level_passed') return;
  const last = lastOf(each);
  const stop = preferences.levels_mode === 'own' ? preferences.stop_loss_pct / 100 : each.stopFraction;
  const stopPrice = last * (1 - signOf(each) * stop);
  const order = { side: each.direction, price: last, stopPrice, leverage: preferences.leverage, aiMultiplier: 1 };
  const size = sizePosition(sizingAccount(preferences, funds), marketRules(market), order, SIZING_COSTS);
  const signal = {
    symbol: 'AUSDT',
    interval: '1h',
    direction: each.direction,
    confidence: 1,
    stopLoss: 1,
    takeProfit: 1,
    horizon_min: 1,
    position: { qty: size.quantity, refused_by: size.refusal?.detail ?? null },
  } as unknown as SignalWire;
  const rules = { minConfidencePct: 0, confidenceFloor: null, positionsWanted: 1 };
  const [result] = judge([{ signal, isStopNearer: draft.plan?.isStopNearer ?? true }], rules);
  const expected = skip === null ? 'ELIGIBLE null' : `${skip.reason} ${skip.detail}`;
  check(`${result?.outcome} ${result?.filteredBy}` === expected, 'eligibility', result, expected);
}

function checkOpening(
  each: Given,
  { leverage, quantity, multiplier, riskFraction }: Draft,
  plan: Plan,
  facts: Facts,
): void {
  const { preferences, market } = facts;
  // Sizing and the simulator round the same way.
  check(plan.quantity === quantity, 'rounding', plan.quantity, quantity);
  check(Number(plan.quantity.toFixed(each.stepDecimals)) === plan.quantity, 'step', plan.quantity);
  check(plan.notional >= (market?.minNotional ?? 0), 'least notional', plan.notional);
  check(leverage <= each.maxLeverage, 'leverage', leverage);
  check(multiplier > 0, 'multiplier', multiplier);
  const riskUsdt = riskFraction * preferences.balance_usdt;
  const isWithin = plan.lossAtStop <= riskUsdt * (1 + NOISE);
  check(preferences.sizing_mode === 'fixed' || isWithin, 'loss at the stop', plan.lossAtStop, riskUsdt);
}

const seen = { opened: 0, refused: 0, reduced: 0, raised: 0 };

function openAll(given: Account): void {
  const preferences = { ...rest, ...given.settings } as Preferences;
  const funds = {
    results: Float64Array.from(given.results),
    realisedUsdt: given.realised * preferences.balance_usdt,
    marginUsdt: 0,
  };
  const account = { exchange: 'binance' as const, preferences, openCount: 0, isOpen: false, guards: [] };
  for (const each of given.signals) {
    const facts: Facts = { ...account, funds, market: marketOf(each), quote: { last: lastOf(each), atMs: 0 } };
    const request = requestOf(each);
    const decision = decide(kernel, request, facts);
    checkPreview(request, decision, facts);
    checkEligibility(each, decision, facts);
    const { skip, draft } = decision;
    if (skip !== null || draft.plan === null) {
      check(skip !== null, 'an opening has a plan');
      seen.refused += 1;
      continue;
    }
    checkOpening(each, draft, draft.plan, facts);
    // The margin of all open positions stays within the equity after fees.
    funds.marginUsdt += draft.plan.margin;
    funds.realisedUsdt -= draft.plan.entryFee;
    const equity = preferences.balance_usdt + funds.realisedUsdt;
    check(funds.marginUsdt <= equity * (1 + NOISE) + NOISE, 'margin', funds.marginUsdt, equity);
    seen.opened += 1;
    seen.reduced += Number(draft.isReduced);
    const scaledUsdt = draft.riskFraction * preferences.balance_usdt * each.riskMultiplier;
    seen.raised += Number(preferences.sizing_mode === 'risk' && draft.plan.lossAtStop > scaledUsdt * (1 + NOISE));
  }
}

it('X70 over 10,000 accounts: margin within equity, loss within the risk, minimums and steps respected, one result everywhere', () => {
  fc.assert(fc.property(world, openAll), { numRuns: ACCOUNTS, seed: 20261122 });
  // Each case must occur often.
  expect(seen.opened).toBeGreaterThan(5000);
  expect(seen.refused).toBeGreaterThan(1000);
  expect(seen.reduced).toBeGreaterThan(500);
  expect(seen.raised).toBeGreaterThan(10);
}, 120_000);
