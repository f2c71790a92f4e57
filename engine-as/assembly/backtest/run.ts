import { LIQUIDATION_OKX, STATUS_LEVERAGE_TOO_HIGH } from '../../abi/backtest';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { arenaReserve } from '../memory';
import { Bar, Clock, Frame, Position, Rules, Summary } from '../records.gen';
import { leverageMax, tierOf } from '../simulate/liquidation';
import { partCountMax } from './bars';
import { fundingByBar } from './funding';
import { liquidityByBar } from './liquidity';
import { runPass } from './pass';
import { summarise } from './summary';

/** The whole backtest of one set of rules; contract in abi/backtestExports.ts. Cost: one step per bar held. */
export function backtest(frame: Frame): i32 {
  const rules = frame.rules;
  const count = frame.count;
  const scored = rules.scoredCount;
  if (!(scored >= 1 && scored <= <f64>count)) return STATUS_BAD_PARAMETER;
  if (!isLeverageAllowed(frame)) return STATUS_LEVERAGE_TOO_HIGH;
  if (!reserveScratch(frame) || !liquidityByBar(frame)) return STATUS_OUT_OF_MEMORY;

  fundingByBar(frame);
  const summary = frame.summary;
  clear(summary);
  const room = arenaReserve(offsetof<Summary>());
  if (room === 0) return STATUS_OUT_OF_MEMORY;
  frame.trades = 0;
  const status = runPass(frame, true);
  if (status !== STATUS_OK) return status;
  const isTargetFirst = rules.isTargetFirst > 0;
  const net = summary.netPnl;
  const bound = otherNetPnl(frame, changetype<Summary>(room), isTargetFirst);
  summary.optimisticNetPnl = isTargetFirst ? net : bound;
  summary.pessimisticNetPnl = isTargetFirst ? bound : net;
  return summarise(frame);
}

/** Counts from zero; nothing is ruined yet. */
export function clear(summary: Summary): void {
  memory.fill(changetype<usize>(summary), 0, offsetof<Summary>());
  summary.ruinIndex = NaN;
}

/** Net PnL when every ambiguous bar is taken the other way. A second whole pass: an earlier exit changes what follows. */
function otherNetPnl(frame: Frame, other: Summary, isTargetFirst: bool): f64 {
  const summary = frame.summary;
  if (summary.ambiguousCount === 0) return summary.netPnl;
  const rules = frame.rules;
  clear(other);
  frame.summary = other;
  rules.isTargetFirst = isTargetFirst ? 0 : 1;
  runPass(frame, false);
  rules.isTargetFirst = isTargetFirst ? 1 : 0;
  frame.summary = summary;
  return other.netPnl;
}

/** The tier allows the leverage, and the margin is above the maintenance margin at entry. */
export function isLeverageAllowed(frame: Frame): bool {
  const rules = frame.rules;
  const tiers = frame.tiers;
  const tierCount = frame.tierCount;
  const notional = rules.notional;
  const leverage = rules.leverage;
  if (!(leverage <= leverageMax(tiers, tierCount, notional))) return false;
  let rate = rules.maintenanceMargin;
  let amount = rules.maintenanceAmount;
  if (tierCount > 0) {
    const tier = tierOf(tiers, tierCount, notional);
    rate = tier.maintenanceMargin;
    amount = tier.maintenanceAmount;
  }
  return leverage <= 1 || notional / leverage > maintenanceOf(rules, notional, rate, amount);
}

/** Maintenance margin at entry by the venue's formula: OKX adds the closing fee and has no deduction. */
function maintenanceOf(rules: Rules, notional: f64, rate: f64, amount: f64): f64 {
  const isOkx = <i32>rules.liquidationModel === LIQUIDATION_OKX;
  return isOkx ? notional * (rate + rules.takerFee) : notional * rate - amount;
}

/** Room for a pass over the frame's candles; false without memory. */
export function reserveScratch(frame: Frame): bool {
  const bytes = (<usize>frame.count) << 3;
  const bar = arenaReserve(offsetof<Bar>());
  const position = arenaReserve(offsetof<Position>());
  const clock = arenaReserve(offsetof<Clock>());
  if (bar === 0 || position === 0 || clock === 0) return false;
  frame.bar = changetype<Bar>(bar);
  frame.position = changetype<Position>(position);
  frame.clock = changetype<Clock>(clock);
  frame.parts = arenaReserve(<usize>partCountMax(frame) * offsetof<Bar>());
  frame.fundingAtOpen = arenaReserve(bytes);
  frame.fundingInside = arenaReserve(bytes);
  return frame.parts !== 0 && frame.fundingAtOpen !== 0 && frame.fundingInside !== 0;
}
