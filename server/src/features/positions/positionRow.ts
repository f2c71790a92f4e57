import type { PositionsTable } from '@sextant/db/src/schema.gen.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { netAtStop } from '@sextant/workers/src/positions/changedLevels.ts';
import type { BookTarget } from '@sextant/workers/src/positions/partialClose.ts';
import { riskedUsdt, riskMultiple } from '@sextant/workers/src/positions/riskMultiple.ts';
import { type ChosenStrategy, SIZING_COSTS } from '@sextant/workers/src/signals/signalRules.ts';
import type { Selectable } from 'kysely';
import type { PositionWire } from './contract.ts';
import { withChanges } from './ownerChanges.ts';
import { numberOrNull } from '../../platform/db/numberOrNull.ts';

export type PositionRow = Selectable<PositionsTable>;

const timeOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Converts a stored position to its wire form. A numeric without a scale is the shortest decimal of an f64, so no bit is lost. */
export function positionToWire(stored: PositionRow): PositionWire {
  const row = withChanges(stored);
  const entry = Number(row.entry_price);
  const qty = Number(row.qty);
  const terms = {
    side: row.side as PositionWire['side'],
    entryPrice: entry,
    qty,
    fees: Number(row.fees),
    funding: Number(row.funding),
    takerFeeFraction: Number(row.taker_fee_fraction),
    realised: Number(row.realised),
  };
  return {
    id: row.id,
    symbol: row.symbol,
    side: row.side as PositionWire['side'],
    interval: row.interval as PositionWire['interval'],
    exchange: row.exchange as PositionWire['exchange'],
    market: row.market as PositionWire['market'],
    source: row.source as PositionWire['source'],
    scan_id: row.scan_id,
    signal_id: row.signal_id,
    entry_price: entry,
    qty,
    entry_value: row.entered === null ? entry * qty : Number(row.entered),
    realised_pnl: Number(row.realised),
    leverage: row.leverage,
    notional: entry * qty,
    margin: Number(row.margin),
    stop_loss: Number(row.stop_loss),
    initial_stop_loss: Number(row.initial_stop_loss),
    take_profit: Number(row.take_profit),
    take_profits: sharesOf(targetsOf(row)),
    liquidation_approx: numberOrNull(row.liquidation_approx),
    confidence: row.confidence,
    risk_multiplier: row.risk_multiplier,
    taker_fee_fraction: Number(row.taker_fee_fraction),
    tick_size: Number(row.tick_size),
    loss_at_stop: Number(row.loss_at_stop),
    loss_at_current_stop: row.closed_at === null ? -netAtStop(terms, Number(row.stop_loss)) : null,
    opened_at: row.opened_at.toISOString(),
    armed_at: timeOrNull(row.armed_at),
    ...trailingOf(row),
    strategy: strategyOf(row),
    exit_due_at: timeOrNull(row.exit_due_at),
    exit_due_reason: row.exit_due_reason as PositionWire['exit_due_reason'],
    ...closeOf(row),
  };
}

type RiskColumns = 'side' | 'entry_price' | 'qty' | 'initial_stop_loss' | 'loss_at_stop' | 'entered';

/** Result of a closed position in multiples of its risk; null while it is open, or when nothing was at risk. */
export function riskMultipleOf(row: Pick<PositionRow, RiskColumns | 'taker_fee_fraction' | 'net_pnl'>): number | null {
  if (row.net_pnl === null) return null;
  const risk = {
    side: row.side as PositionWire['side'],
    entryPrice: Number(row.entry_price),
    quantity: Number(row.qty),
    firstStop: Number(row.initial_stop_loss),
    lossAtFirstStop: Number(row.loss_at_stop),
    isSingle: row.entered === null,
  };
  const costs = { ...SIZING_COSTS, takerFeeFraction: Number(row.taker_fee_fraction) };
  return riskMultiple(Number(row.net_pnl), riskedUsdt(risk, costs));
}

/** Several targets still ahead; null: `take_profit` closes all of it. */
export const targetsOf = ({ targets }: Pick<PositionRow, 'targets'>): BookTarget[] | null =>
  targets as BookTarget[] | null;

/** Shares of what is open: those ahead sum to 1. */
export function sharesOf(targets: BookTarget[] | null): BookTarget[] | null {
  const sum = targets?.reduce((total, { fraction }) => total + fraction, 0) ?? 1;
  return targets?.map(({ price, fraction }) => ({ price, fraction: fraction / sum })) ?? null;
}

export function strategyOf({
  strategy,
  strategy_name: name,
  strategy_version: version,
}: PositionRow): ChosenStrategy | null {
  if (strategy === null || name === null || version === null) return null;
  return { name, version, value: strategy as Strategy };
}

const trailingOf = (row: PositionRow) => ({
  trailing_enabled: row.trailing_enabled,
  trailing_by_owner: row.trailing_by_owner,
  trail_mode: row.trail_mode as PositionWire['trail_mode'],
  trail_callback_pct: row.trail_callback_pct,
  trail_step_pct: row.trail_step_pct,
  trail_atr_mult: row.trail_atr_mult,
  trail_atr_period: row.trail_atr_period,
  trail_activation_pct: row.trail_activation_pct,
  trail_peak: Number(row.trail_peak),
});

const closeOf = (row: PositionRow) => ({
  closed_at: timeOrNull(row.closed_at),
  close_price: numberOrNull(row.close_price),
  close_reason: row.close_reason as PositionWire['close_reason'],
  pnl: numberOrNull(row.pnl),
  roi_pct: numberOrNull(row.roi_pct),
  fees: Number(row.fees),
  funding: Number(row.funding),
  net_pnl: numberOrNull(row.net_pnl),
  return_on_margin_pct: numberOrNull(row.return_on_margin_pct),
  r_multiple: riskMultipleOf(row),
});
