import { ACCOUNT_SKIP_COUNT } from '../../abi/portfolio';
import { Frame, Member, Portfolio } from '../records.gen';

export function frameOf(portfolio: Portfolio, symbol: i32): Frame {
  return changetype<Frame>(load<usize>(portfolio.frames + ((<usize>symbol) << 2)));
}

export function memberOf(portfolio: Portfolio, symbol: i32): Member {
  return changetype<Member>(portfolio.members + <usize>symbol * offsetof<Member>());
}

/** Counts a signal of the symbol that the account skipped. @param reason SKIP_* */
export function countSkip(portfolio: Portfolio, symbol: i32, reason: i32): void {
  const at = portfolio.skips + ((<usize>(symbol * ACCOUNT_SKIP_COUNT + reason)) << 2);
  store<i32>(at, load<i32>(at) + 1);
}

/** Counts of every symbol's skips from zero. */
export function clearSkips(portfolio: Portfolio): void {
  memory.fill(portfolio.skips, 0, (<usize>(portfolio.symbolCount * ACCOUNT_SKIP_COUNT)) << 2);
}
