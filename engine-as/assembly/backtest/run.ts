import {
  BAR_LENGTH,
  CLOCK_LENGTH,
  FRAME_BAR,
  FRAME_CLOCK,
  FRAME_COUNT,
  FRAME_EQUITY,
  FRAME_FUNDING_AT_OPEN,
  FRAME_FUNDING_INSIDE,
  FRAME_PARTS,
  FRAME_POSITION,
  FRAME_RULES,
  FRAME_SUMMARY,
  FRAME_TIER_COUNT,
  FRAME_TIERS,
  FRAME_TRADES,
  POSITION_LENGTH,
  LIQUIDATION_OKX,
  RULE_IS_TARGET_FIRST,
  RULE_LEVERAGE,
  RULE_LIQUIDATION_MODEL,
  RULE_MAINTENANCE_AMOUNT,
  RULE_MAINTENANCE_MARGIN,
  RULE_NOTIONAL,
  RULE_SCORED_COUNT,
  RULE_TAKER_FEE,
  STATUS_LEVERAGE_TOO_HIGH,
  SUMMARY_AMBIGUOUS_COUNT,
  SUMMARY_LENGTH,
  SUMMARY_NET_PNL,
  SUMMARY_OPTIMISTIC_NET_PNL,
  SUMMARY_PESSIMISTIC_NET_PNL,
  SUMMARY_RUIN_INDEX,
  TIER_MAINTENANCE_AMOUNT,
  TIER_MAINTENANCE_MARGIN,
} from '../../abi/backtest';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaReserve } from '../memory';
import { at, put } from '../series';
import { leverageMax, tierOf } from '../simulate/liquidation';
import { partCountMax } from './bars';
import { column, number, setSlot } from './frame';
import { fundingByBar } from './funding';
import { runPass } from './pass';
import { summarise } from './summary';

/** The whole backtest of one set of rules; contract in abi/backtestExports.ts. Cost: one step per bar held. */
export function backtest(frame: usize): i32 {
  const rules = column(frame, FRAME_RULES);
  const count = number(frame, FRAME_COUNT);
  const scored = at(rules, RULE_SCORED_COUNT);
  if (!(scored >= 1 && scored <= <f64>count)) return STATUS_BAD_PARAMETER;
  if (!isLeverageAllowed(frame)) return STATUS_LEVERAGE_TOO_HIGH;
  if (!reserveScratch(frame)) return STATUS_OUT_OF_MEMORY;

  fundingByBar(frame);
  const summary = column(frame, FRAME_SUMMARY);
  clear(summary);
  const other = arenaReserve((<usize>SUMMARY_LENGTH) << 3);
  if (other === 0) return STATUS_OUT_OF_MEMORY;
  setSlot(frame, FRAME_TRADES, 0);
  const status = runPass(frame, true);
  if (status !== STATUS_OK) return status;
  const isTargetFirst = at(rules, RULE_IS_TARGET_FIRST) > 0;
  const net = at(summary, SUMMARY_NET_PNL);
  const bound = otherNetPnl(frame, other, isTargetFirst);
  put(summary, SUMMARY_OPTIMISTIC_NET_PNL, isTargetFirst ? net : bound);
  put(summary, SUMMARY_PESSIMISTIC_NET_PNL, isTargetFirst ? bound : net);
  return summarise(frame);
}

/** Counts from zero; nothing is ruined yet. */
function clear(summary: usize): void {
  memory.fill(summary, 0, (<usize>SUMMARY_LENGTH) << 3);
  put(summary, SUMMARY_RUIN_INDEX, NaN);
}

/** Net PnL when every ambiguous bar is taken the other way. A second whole pass: an earlier exit changes what follows. */
function otherNetPnl(frame: usize, other: usize, isTargetFirst: bool): f64 {
  const summary = column(frame, FRAME_SUMMARY);
  if (at(summary, SUMMARY_AMBIGUOUS_COUNT) === 0) return at(summary, SUMMARY_NET_PNL);
  const rules = column(frame, FRAME_RULES);
  clear(other);
  setSlot(frame, FRAME_SUMMARY, other);
  put(rules, RULE_IS_TARGET_FIRST, isTargetFirst ? 0 : 1);
  runPass(frame, false);
  put(rules, RULE_IS_TARGET_FIRST, isTargetFirst ? 1 : 0);
  setSlot(frame, FRAME_SUMMARY, summary);
  return at(other, SUMMARY_NET_PNL);
}

/** The tier allows the leverage, and the margin is above the maintenance margin at entry. */
function isLeverageAllowed(frame: usize): bool {
  const rules = column(frame, FRAME_RULES);
  const tiers = column(frame, FRAME_TIERS);
  const tierCount = number(frame, FRAME_TIER_COUNT);
  const notional = at(rules, RULE_NOTIONAL);
  const leverage = at(rules, RULE_LEVERAGE);
  if (!(leverage <= leverageMax(tiers, tierCount, notional))) return false;
  let rate = at(rules, RULE_MAINTENANCE_MARGIN);
  let amount = at(rules, RULE_MAINTENANCE_AMOUNT);
  if (tierCount > 0) {
    const tier = tierOf(tiers, tierCount, notional);
    rate = at(tier, TIER_MAINTENANCE_MARGIN);
    amount = at(tier, TIER_MAINTENANCE_AMOUNT);
  }
  return leverage <= 1 || notional / leverage > maintenanceOf(rules, notional, rate, amount);
}

/** Maintenance margin at entry by the venue's formula: OKX adds the closing fee and has no deduction. */
function maintenanceOf(rules: usize, notional: f64, rate: f64, amount: f64): f64 {
  const isOkx = <i32>at(rules, RULE_LIQUIDATION_MODEL) === LIQUIDATION_OKX;
  return isOkx ? notional * (rate + at(rules, RULE_TAKER_FEE)) : notional * rate - amount;
}

function reserveScratch(frame: usize): bool {
  const count = number(frame, FRAME_COUNT);
  return (
    reserveSlot(frame, FRAME_BAR, BAR_LENGTH) &&
    reserveSlot(frame, FRAME_POSITION, POSITION_LENGTH) &&
    reserveSlot(frame, FRAME_CLOCK, CLOCK_LENGTH) &&
    reserveSlot(frame, FRAME_PARTS, partCountMax(frame) * BAR_LENGTH) &&
    reserveSlot(frame, FRAME_FUNDING_AT_OPEN, count) &&
    reserveSlot(frame, FRAME_FUNDING_INSIDE, count)
  );
}

function reserveSlot(frame: usize, slot: i32, length: i32): bool {
  const address = arenaReserve((<usize>length) << 3);
  setSlot(frame, slot, address);
  return address !== 0;
}
