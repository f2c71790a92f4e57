import { expect } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Trade } from '@sextant/workers/src/protocol/backtest.ts';
import type { PortfolioLimits } from '@sextant/workers/src/protocol/portfolio.ts';
import { limitsRow, pushAccount, readAccount } from '@sextant/workers/src/tasks/portfolio/account.ts';
import { accountTradesOf, skipNames, skipsOf } from '@sextant/workers/src/tasks/portfolio/readAccount.ts';
import { rulesOf, tierRows, writeExits } from '@sextant/workers/src/tasks/rules.ts';
import { candleFields } from '@sextant/workers/src/candles/candleColumns.ts';
import { STATUS_OK } from '../../abi/status.ts';
import { summarySlot } from '../../abi/records.ts';
import { plainExits, type Run } from '../backtest/support/kernel.ts';
import type { ReferenceAccountTrade, ReferenceSymbol } from '../reference/portfolio.ts';

export interface SymbolRun extends Run {
  symbol: string;
  scoredCount: number;
}

export interface PortfolioRun {
  symbols: SymbolRun[];
  limits: PortfolioLimits;
  initialEquity: number;
}

function rulesOfSymbol({ params, costs, exits, scoredCount }: SymbolRun): Float64Array<ArrayBuffer> {
  const rules = rulesOf(params, costs, scoredCount);
  writeExits(rules, { ...plainExits(params), ...exits });
  return rules;
}

export const referenceSymbols = ({ symbols }: PortfolioRun): ReferenceSymbol[] =>
  symbols.map((each) => {
    const { symbol, candles, score, costs, scoredCount, atr, range, markPrices } = each;
    const tiers = costs.tiers ?? [];
    return {
      symbol,
      candles,
      score,
      costs,
      scoredCount,
      rules: rulesOfSymbol(each),
      tiers: tierRows(tiers),
      tierCount: tiers.length,
      ...(atr && { atr }),
      ...(range && { range }),
      ...(markPrices && { markPrices }),
    };
  });

/** The kernel on given scores, its result in the form of the reference. */
export function runPortfolio(engine: Engine, { symbols, limits, initialEquity }: PortfolioRun) {
  engine.raw.arenaReset();
  const members = symbols.map((each) => {
    const { candles, score, costs, scoredCount, atr, range, markPrices } = each;
    const prepared = {
      columns: candleFields.map((name) => engine.push(candles[name])),
      scoreAt: engine.push(score),
      rules: rulesOfSymbol(each),
      trailingRangeAt: atr === undefined ? 0 : engine.push(atr),
      levelRangeAt: range === undefined ? 0 : engine.push(range),
    };
    return { input: { candles, costs, scoredCount, ...(markPrices && { markPrices }) }, prepared };
  });
  const account = pushAccount(engine, members, limitsRow(limits, initialEquity));
  expect(engine.raw.portfolioPrepare(account.portfolioAt)).toBe(STATUS_OK);
  expect(engine.raw.portfolioRun(account.portfolioAt)).toBe(STATUS_OK);
  const run = readAccount(account);
  const names = symbols.map(({ symbol }) => symbol);
  const whole = accountTradesOf(run.trades, names);
  const skips = new Map<string, number>();
  names.forEach((symbol, k) => {
    const counts = skipsOf(run.summaries[k]!, run.skips[k]!);
    for (const name of skipNames) if (counts[name] > 0) skips.set(`${symbol} ${name}`, counts[name]);
  });
  return {
    whole,
    trades: whole.map(plainTrade),
    time: [...account.clock],
    equity: [...run.equity],
    exposure: account.clock.reduce<{ long: number; short: number; margin: number; open: number }[]>((list, _, k) => {
      const [long, short] = [run.longNotional[k]!, run.shortNotional[k]!];
      list.push({ long, short, margin: run.margin[k]!, open: run.openCount[k]! });
      return list;
    }, []),
    skips,
    netPnl: run.summaries.reduce((sum, summary) => sum + summary[summarySlot.netPnl]!, 0),
  };
}

const plainTrade = (trade: Trade & { symbol: string }): ReferenceAccountTrade => ({
  symbol: trade.symbol,
  exitTime: trade.exitTimeMs,
  side: trade.side === 'LONG' ? 1 : -1,
  entryIndex: trade.entryIndex,
  exitIndex: trade.exitIndex,
  entryPrice: trade.entryPrice,
  exitPrice: trade.exitPrice,
  quantity: trade.quantity,
  reason: trade.closeReason,
  fees: trade.fees,
  funding: trade.funding,
  slippage: trade.slippage,
  netPnl: trade.netPnl,
  margin: trade.margin,
  isAmbiguous: trade.isAmbiguous,
  stop: trade.stopLossPrice,
  target: trade.takeProfitPrice,
});
