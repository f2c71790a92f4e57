import { type Engine, instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { beforeAll, expect, it } from 'vitest';
import { decide, type Facts, type OpeningRequest } from '../../../src/features/positions/decideOpening.ts';
import { trailingOf } from '../../../src/features/positions/openPosition.ts';
import type { Preferences } from '../../../src/features/preferences/contract.ts';

/** Settings of positions: each one changes what is opened. Guards and the universe are tested through the API. */

let kernel: Engine;
beforeAll(async () => {
  kernel = instantiate((await loadModule()).module);
});

const preferences = {
  auto_open_enabled: true,
  min_auto_conf_pct: 60,
  tuning_conf_floor: null,
  whitelist: '',
  blacklist: '',
  balance_usdt: 1000,
  leverage: 10,
  risk_tolerance: 'medium',
  sizing_mode: 'risk',
  base_usdt: null,
  levels_mode: 'signal',
  stop_loss_pct: 3,
  take_profit_pct: 5,
  max_concurrent_positions: 5,
  trailing_enabled: true,
  trail_mode: 'percent',
  trail_callback_pct: 0.5,
  trail_step_pct: 0.25,
  trail_atr_mult: 2,
  trail_atr_period: 14,
  trail_activation_stops: 1,
  dynamic_risk_on: false,
  risk_min_pct: 0.005,
  risk_max_pct: 0.02,
  risk_smoothing: 0.3,
  risk_perf_lookback: 50,
} as Preferences;

const request: OpeningRequest = {
  source: 'scan',
  symbol: 'BTCUSDT',
  interval: '1h',
  direction: 'LONG',
  confidence: 0.8,
  signalPrice: 100,
  levels: { stopLoss: 98, takeProfit: 104 },
  levelsOf: 'signal',
  riskMultiplier: 1,
  check: 'passed',
  sizing: { by: 'settings' },
};

function outcomeOf(settings: Partial<Preferences>, result: number): string {
  const facts: Facts = {
    exchange: 'binance',
    preferences: { ...preferences, ...settings },
    market: {
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
    },
    quote: { last: 100, atMs: 0 },
    openCount: 4,
    isOpen: false,
    guards: [],
    funds: { results: new Float64Array(20).fill(result), realisedUsdt: 0, marginUsdt: 0 },
  };
  const { skip, draft } = decide(kernel, request, facts);
  const { plan } = draft;
  const trailing = plan === null ? null : trailingOf(facts.preferences, plan);
  return JSON.stringify([skip, plan?.quantity, plan?.margin, plan?.stopPrice, plan?.targetPrice, trailing]);
}

const own = { levels_mode: 'own' } as const;
const atr = { trail_mode: 'atr' } as const;
const dynamic = { dynamic_risk_on: true } as const;
const fixed = { sizing_mode: 'fixed', base_usdt: 50 } as const;

it.each<[setting: keyof Preferences, value: unknown, beside?: Partial<Preferences>, result?: number]>([
  ['auto_open_enabled', false],
  ['min_auto_conf_pct', 90],
  ['tuning_conf_floor', 0.9],
  ['whitelist', 'ETHUSDT'],
  ['blacklist', 'BTCUSDT'],
  ['balance_usdt', 2000],
  ['leverage', 20],
  ['risk_tolerance', 'high'],
  ['sizing_mode', 'fixed'],
  ['base_usdt', 20],
  ['base_usdt', 70, fixed],
  ['levels_mode', 'own'],
  ['stop_loss_pct', 1, own],
  ['take_profit_pct', 9, own],
  ['max_concurrent_positions', 4],
  ['trailing_enabled', false],
  ['trail_mode', 'atr'],
  ['trail_callback_pct', 1],
  ['trail_step_pct', 0.5],
  ['trail_atr_mult', 3, atr],
  ['trail_atr_period', 20, atr],
  ['trail_activation_stops', 0],
  ['dynamic_risk_on', true],
  ['risk_min_pct', 0.002, dynamic, -1],
  ['risk_max_pct', 0.04, dynamic, 1],
])('DATA-011 %s turned to %s changes what is opened', (setting, value, beside = {}, result = 0) => {
  expect(outcomeOf({ ...beside, [setting]: value }, result)).not.toBe(outcomeOf(beside, result));
});
