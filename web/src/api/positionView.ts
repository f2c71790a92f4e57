import type { Position } from './types.ts';

/** How a stop trails the price; percent: 0.5 is 0.5 %. It starts after a move of `activationPct` in favour; 0: immediately. */
export type TrailingView =
  | { mode: 'percent'; callbackPct: number; stepPct: number; activationPct: number }
  | { mode: 'atr'; atrMultiplier: number; atrPeriod: number; activationPct: number };

/** A position as shown on screens. Prices in quote currency, money in USDT, times epoch ms. */
export interface PositionView {
  id: string;
  symbol: string;
  exchange: Position['exchange'];
  side: 'LONG' | 'SHORT';
  interval: Position['interval'];
  source: Position['source'];
  /** It followed a signal of a scan or of a chart picture. */
  isOnSignal: boolean;
  /** Market of its prices. */
  market: Position['market'];
  entryPrice: number;
  qty: number;
  /** Value of all its entries. */
  entryValue: number;
  /** Price step of its exchange. */
  tickSize: number;
  leverage: number;
  notional: number;
  margin: number;
  /** Current stop; trailing and its owner move it. */
  stopLoss: number;
  initialStopLoss: number;
  /** The next one, of several. */
  takeProfit: number;
  /** Targets ahead, nearest first, with the share of the position that each closes; null: `takeProfit` closes all of it. */
  takeProfits: { price: number; fraction: number }[] | null;
  liquidationApprox: number | null;
  /** 0 to 1, at the opening. */
  confidence: number;
  /** Taker fee of its entry and exit. */
  takerFeeFraction: number;
  lossAtStop: number;
  /** Net loss at the current stop, funding so far included; negative is a gain. Null when closed. */
  lossAtCurrentStop: number | null;
  openedAt: number;
  /** Time from which it may close automatically; null before. */
  armedAt: number | null;
  trailing: TrailingView | null;
  /** Its owner set trailing, in place of the trailing and break-even of its strategy. */
  isTrailingOwn: boolean;
  /** The saved strategy that opened it; null: Live rules, or by hand. */
  strategy: Position['strategy'];
  /** Time from which it closes at the next price; null: no exit is due. */
  exitDueAt: number | null;
  exitDueReason: Position['exit_due_reason'];
  /** Best price since the entry. */
  trailPeak: number;
  /** Null while open. */
  closedAt: number | null;
  closePrice: number | null;
  closeReason: Position['close_reason'];
  /** Gross result of what was closed before, while the rest is open. */
  realisedPnl: number;
  /** Gross and unleveraged, as the specification has them; null while open. */
  pnl: number | null;
  roiPct: number | null;
  fees: number;
  funding: number;
  netPnl: number | null;
  returnOnMarginPct: number | null;
  /** Net result in multiples of what was risked; null while open. */
  riskMultiple: number | null;
}

const ms = (at: string | null): number | null => (at === null ? null : Date.parse(at));

function trailingOf(wire: Position): TrailingView | null {
  if (!wire.trailing_enabled) return null;
  const activationPct = wire.trail_activation_pct ?? 0;
  if (wire.trail_mode === 'atr') {
    const { trail_atr_mult: atrMultiplier, trail_atr_period: atrPeriod } = wire;
    return { mode: 'atr', atrMultiplier: atrMultiplier ?? NaN, atrPeriod: atrPeriod ?? NaN, activationPct };
  }
  const { trail_callback_pct: callbackPct, trail_step_pct: stepPct } = wire;
  return { mode: 'percent', callbackPct: callbackPct ?? NaN, stepPct: stepPct ?? NaN, activationPct };
}

export const viewOf = (wire: Position): PositionView => ({
  id: wire.id,
  symbol: wire.symbol,
  exchange: wire.exchange,
  side: wire.side,
  interval: wire.interval,
  source: wire.source,
  isOnSignal: wire.source !== 'manual' || wire.scan_id !== null || wire.signal_id !== null,
  market: wire.market,
  entryPrice: wire.entry_price,
  qty: wire.qty,
  entryValue: wire.entry_value,
  tickSize: wire.tick_size,
  leverage: wire.leverage,
  notional: wire.notional,
  margin: wire.margin,
  stopLoss: wire.stop_loss,
  initialStopLoss: wire.initial_stop_loss,
  takeProfit: wire.take_profit,
  takeProfits: wire.take_profits,
  liquidationApprox: wire.liquidation_approx,
  confidence: wire.confidence,
  takerFeeFraction: wire.taker_fee_fraction,
  lossAtStop: wire.loss_at_stop,
  lossAtCurrentStop: wire.loss_at_current_stop,
  openedAt: Date.parse(wire.opened_at),
  armedAt: ms(wire.armed_at),
  trailing: trailingOf(wire),
  isTrailingOwn: wire.trailing_by_owner,
  strategy: wire.strategy,
  exitDueAt: ms(wire.exit_due_at),
  exitDueReason: wire.exit_due_reason,
  trailPeak: wire.trail_peak,
  closedAt: ms(wire.closed_at),
  closePrice: wire.close_price,
  closeReason: wire.close_reason,
  realisedPnl: wire.realised_pnl,
  pnl: wire.pnl,
  roiPct: wire.roi_pct,
  fees: wire.fees,
  funding: wire.funding,
  netPnl: wire.net_pnl,
  returnOnMarginPct: wire.return_on_margin_pct,
  riskMultiple: wire.r_multiple,
});

/** 1 for a long, -1 for a short: multiplied by it, a larger price is better. */
export const sideSign = (side: 'LONG' | 'SHORT'): 1 | -1 => (side === 'LONG' ? 1 : -1);
