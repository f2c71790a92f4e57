import { expect, it } from 'vitest';
import { viewOf } from '../../src/api/positionView.ts';
import type { Position } from '../../src/api/types.ts';

const wire = {
  id: 'a',
  symbol: 'BTCUSDT',
  side: 'LONG',
  interval: '1h',
  exchange: 'binance',
  market: 'simulated',
  source: 'scan',
  scan_id: null,
  signal_id: null,
  entry_price: 100,
  qty: 2,
  leverage: 10,
  notional: 200,
  margin: 20,
  stop_loss: 99,
  initial_stop_loss: 98,
  take_profit: 104,
  liquidation_approx: 91,
  confidence: 0.7,
  risk_multiplier: 1,
  loss_at_stop: 4.2,
  opened_at: '2026-01-01T00:00:00.000Z',
  armed_at: null,
  trailing_enabled: true,
  trail_mode: 'percent',
  trail_callback_pct: 0.5,
  trail_step_pct: 0.25,
  trail_atr_mult: null,
  trail_atr_period: null,
  trail_peak: 101,
  closed_at: '2026-01-01T01:00:00.000Z',
  close_price: 105,
  close_reason: 'TP',
  pnl: 10,
  roi_pct: 5,
  fees: 0.2,
  funding: 0,
  net_pnl: 9.8,
  return_on_margin_pct: 49,
} as unknown as Position;

it('POS-021 a position has camel-case names in the browser, and times as numbers', () => {
  expect(viewOf(wire)).toMatchObject({
    entryPrice: 100,
    stopLoss: 99,
    takeProfit: 104,
    liquidationApprox: 91,
    openedAt: Date.UTC(2026, 0, 1),
    closePrice: 105,
    closedAt: Date.UTC(2026, 0, 1, 1),
    roiPct: 5,
    trailing: { mode: 'percent', callbackPct: 0.5, stepPct: 0.25 },
  });
});
