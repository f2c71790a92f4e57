import { PORTFOLIO_SYMBOLS_MAX } from '../../abi/portfolio';
import { STATUS_LEVERAGE_TOO_HIGH } from '../../abi/backtest';
import { STATUS_BAD_PARAMETER, STATUS_OK, STATUS_OUT_OF_MEMORY } from '../../abi/status';
import { fundingByBar } from '../backtest/funding';
import { liquidityByBar } from '../backtest/liquidity';
import { isLeverageAllowed, reserveScratch } from '../backtest/run';
import { arenaReserve } from '../memory';
import { Account, Frame, Member, Portfolio } from '../records.gen';
import { frameOf } from './members';

/** Prepares the inputs that are the same for every set of rules; contract in abi/portfolioExports.ts. */
export function portfolioPrepare(portfolio: Portfolio): i32 {
  const symbols = portfolio.symbolCount;
  if (symbols < 1 || symbols > PORTFOLIO_SYMBOLS_MAX || portfolio.stepCount < 1) return STATUS_BAD_PARAMETER;
  for (let k = 0; k < symbols; k++) {
    const status = prepareFrame(frameOf(portfolio, k));
    if (status === STATUS_OK) continue;
    portfolio.failed = k;
    return status;
  }
  const members = arenaReserve(<usize>symbols * offsetof<Member>());
  const account = arenaReserve(offsetof<Account>());
  const ranked = arenaReserve((<usize>symbols) << 2);
  if (members === 0 || account === 0 || ranked === 0) return STATUS_OUT_OF_MEMORY;
  portfolio.members = members;
  portfolio.account = changetype<Account>(account);
  portfolio.ranked = ranked;
  return STATUS_OK;
}

function prepareFrame(frame: Frame): i32 {
  const scored = frame.rules.scoredCount;
  if (!(scored >= 1 && scored <= <f64>frame.count)) return STATUS_BAD_PARAMETER;
  if (!isLeverageAllowed(frame)) return STATUS_LEVERAGE_TOO_HIGH;
  if (!reserveScratch(frame) || !liquidityByBar(frame)) return STATUS_OUT_OF_MEMORY;
  fundingByBar(frame);
  return STATUS_OK;
}
