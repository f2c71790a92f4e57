import { summarySlot, TRADE_LENGTH, tradeSlot } from '@sextant/engine-as/abi/records.ts';
import { fail, type TaskResult } from '../../protocol/taskResult.ts';
import type { MadeResult, RulesRun } from '../../protocol/honesty.ts';
import type { SingleRun } from '../optimize/market.ts';
import type { Engine } from '../../engine/engine.ts';
import { ok } from '../../core/result.ts';
import { scoreWhole, validateStrategyInput } from '../backtestStrategy.ts';
import type { RandomEntries } from '../optimize/setEvaluator.ts';
import { runRandomEntriesOn } from '../optimize/rulesEvaluator.ts';
import { firstScored, pushRulesMarket, runScored } from '../strategy/market.ts';
import type { Shown } from './strategy.ts';

/** A result made by hand in the form of a run. What the candles alone decide is that of the run. */
function singleOf({ trades, equity, heldBarCount }: MadeResult, { status, summary }: SingleRun): SingleRun {
  const rows = new Float64Array(trades.length * TRADE_LENGTH);
  trades.forEach(({ entryPrice, exitPrice, quantity }, at) => {
    rows[at * TRADE_LENGTH + tradeSlot.entryPrice] = entryPrice;
    rows[at * TRADE_LENGTH + tradeSlot.exitPrice] = exitPrice;
    rows[at * TRADE_LENGTH + tradeSlot.quantity] = quantity;
  });
  const own = summary.slice();
  own[summarySlot.tradeCount] = trades.length;
  own[summarySlot.longCount] = trades.filter(({ side }) => side === 'LONG').length;
  own[summarySlot.heldBarCount] = heldBarCount;
  own[summarySlot.grossPnl] = trades.reduce((sum, { grossPnl }) => sum + grossPnl, 0);
  own[summarySlot.netPnl] = trades.reduce((sum, { netPnl }) => sum + netPnl, 0);
  own[summarySlot.funding] = 0;
  return { status, summary: own, trades: rows, equity, unknownBars: [] };
}

/** A run of rules on its scored candles, or a result made there by hand, in the form that the figures read. */
export function showRules(engine: Engine, run: RulesRun['run'], made?: MadeResult): TaskResult<Shown> {
  const valid = validateStrategyInput(run);
  if (!valid.ok) return valid;
  const market = pushRulesMarket(engine, run);
  const { strategy, costs, scoredCount } = run;
  const window = { start: market.count - scoredCount, end: market.count };
  const scored = scoreWhole(market, run);
  if (!scored.ok) return scored;
  const single = runScored(market, strategy, window);
  if (!single.ok) return single;
  if (made !== undefined && made.equity.length !== scoredCount)
    return fail('bad_input', `made.equity has ${made.equity.length} values, must have ${scoredCount}`, 'made.equity');
  const firstDecision = firstScored(market, strategy.weights);
  const runRandomEntries = (entries: RandomEntries): Float64Array =>
    runRandomEntriesOn(market, strategy, window, entries);
  const shown = made === undefined ? single.value : singleOf(made, single.value);
  return ok({ engine, costs, window, single: shown, firstDecision, runRandomEntries });
}
