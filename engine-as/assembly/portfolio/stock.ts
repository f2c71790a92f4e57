import { Account, Portfolio, Position, Rules } from '../records.gen';
import { frameOf, memberOf } from './members';

/** Net PnL of the closed positions: the contributions of the symbols, added in their order. */
export function sumNetPnl(portfolio: Portfolio): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < portfolio.symbolCount; k++) sum += frameOf(portfolio, k).summary.netPnl;
  return sum;
}

export function realisedEquity(portfolio: Portfolio): f64 {
  return portfolio.limits.initialEquity + portfolio.account.netPnl;
}

/** Writes balance, free equity, exposures and the loss at all stops of the account as it is now, symbols in their order. */
export function takeStock(portfolio: Portfolio): void {
  const account = portfolio.account;
  let costs: f64 = 0;
  let margin: f64 = 0;
  let count: f64 = 0;
  let long: f64 = 0;
  let short: f64 = 0;
  let atStops: f64 = 0;
  for (let k = 0; k < portfolio.symbolCount; k++) {
    const member = memberOf(portfolio, k);
    if (member.isOpen === 0) continue;
    const frame = frameOf(portfolio, k);
    const position = frame.position;
    const notional = position.quantity * member.close;
    costs += position.fees + position.funding;
    margin += position.margin;
    count += 1;
    if (position.side > 0) long += notional;
    else short += notional;
    atStops += lossAtStop(frame.rules, position);
  }
  const balance = realisedEquity(portfolio) - costs;
  account.balance = balance;
  account.free = balance - margin;
  account.margin = margin;
  account.openCount = count;
  account.longNotional = long;
  account.shortNotional = short;
  account.atStops = atStops;
}

/**
 * Net loss of a position from its entry to its stop, costs of both fills included; 0 where the stop locks a gain in. The formula of live
 * positions (`lossAtStop` in workers/src/positions/sizing.ts).
 */
export function lossAtStop(rules: Rules, position: Position): f64 {
  const side = position.side;
  const entry = position.entryPrice;
  const fill = position.stopPrice * (1 - side * rules.stopSlippage);
  const perUnit = side * (entry - fill) + rules.takerFee * (entry + fill);
  return Math.max(0, position.quantity * perUnit);
}

/** State of an account before its first candle. */
export function clearAccount(portfolio: Portfolio): void {
  const account = portfolio.account;
  memory.fill(changetype<usize>(account), 0, offsetof<Account>());
  account.day = NaN;
  account.closedEquity = portfolio.limits.initialEquity;
  account.closedPeak = portfolio.limits.initialEquity;
}
