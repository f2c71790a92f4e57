import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { indicatorEntry, indicatorIds, resolveParameters } from '@sextant/engine-as/abi/registry.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { type AlertCondition, levelRuleOf } from '@sextant/workers/src/alerts/conditions.ts';
import type { Side } from '@sextant/workers/src/alerts/decide.ts';
import { strategyOfFormula } from '@sextant/workers/src/alerts/values.ts';
import { oneOf } from '@sextant/workers/src/core/oneOf.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { UserTx } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { ExchangeId, Market } from '../market/port.ts';
import { checkAlertRules } from '../signals/storedRules.ts';

const wrong = (field: string, message: string): Outcome<never> =>
  reject('validation_failed', message, { field: `condition.${field}` });

/** Checks what the shape of a condition cannot say: symbols, indicators, formulas. Without the database. */
export async function checkCondition(
  market: Pick<Market, 'symbols'>,
  condition: AlertCondition,
): Promise<Outcome<AlertCondition>> {
  if (condition.kind === 'liquidation') return ok(condition);
  const exchanges: ExchangeId[] =
    condition.kind === 'spread'
      ? [condition.buy, condition.sell]
      : condition.kind === 'news'
        ? ['binance']
        : [condition.exchange];
  if (condition.kind === 'spread' && condition.buy === condition.sell)
    return wrong('sell', 'sell must be another exchange than buy.');
  for (const exchange of exchanges) {
    const universe = await market.symbols({ exchange });
    if (!universe.ok) return universe;
    const isTraded = universe.value.value.some(
      ({ symbol, status }) => symbol === condition.symbol && status === 'trading',
    );
    if (!isTraded)
      return reject('symbol_unknown', `${condition.symbol} is not traded on ${exchange}.`, {
        field: 'condition.symbol',
      });
  }
  if (condition.kind === 'indicator') return checkIndicator(condition);
  if (condition.kind === 'formula') {
    const strategy = strategyOfFormula(condition);
    return strategy.ok ? ok(condition) : wrong('expression', `expression ${strategy.error}.`);
  }
  return ok(condition);
}

/** The condition with every parameter, so that a later default does not change it. */
function checkIndicator(condition: Extract<AlertCondition, { kind: 'indicator' }>): Outcome<AlertCondition> {
  const entry = indicatorEntry(condition.indicator);
  if (entry === undefined) return wrong('indicator', `indicator must be ${oneOf(indicatorIds)}.`);
  const resolved = resolveParameters(entry, condition.params);
  if (!resolved.ok) return wrong(`params.${resolved.name}`, `params.${resolved.name} ${resolved.message}.`);
  // Its values depend on where the candles start: a level would mean another thing at each close.
  if (entry.memory === 'cumulative')
    return wrong(
      'indicator',
      `${entry.id} sums up all candles since their start and has no fixed level. Choose another one.`,
    );
  const outputs = entry.outputs.map(({ name }) => name);
  if (!outputs.includes(condition.output)) return wrong('output', `output must be ${oneOf(outputs)}.`);
  return ok({ ...condition, params: { ...resolved.params } });
}

/** Checks that the position or strategy of a condition belongs to the user. */
export async function checkOwned(tx: UserTx, condition: AlertCondition): Promise<Outcome<null>> {
  if (condition.kind === 'liquidation') {
    const row = await tx
      .selectFrom('positions')
      .select(['closed_at', 'liquidation_approx'])
      .where('id', '=', condition.position_id)
      .executeTakeFirst();
    if (row === undefined || row.closed_at !== null)
      return wrong('position_id', 'position_id must be an open position.');
    if (row.liquidation_approx === null)
      return wrong('position_id', 'This position cannot be liquidated: it borrows nothing.');
  }
  if (condition.kind === 'signal' && condition.strategy_id !== null) {
    const row = await tx
      .selectFrom('strategies')
      .select(['name', 'value'])
      .where('id', '=', condition.strategy_id)
      .executeTakeFirst();
    if (row === undefined) return wrong('strategy_id', 'strategy_id must be a saved strategy of yours.');
    const isFit = checkAlertRules({ name: row.name, value: row.value as Strategy });
    if (!isFit.ok) return wrong('strategy_id', isFit.error.message);
  }
  return ok(null);
}

/** From when on the condition is judged, and the side of a price that is known then. */
export async function startOf(
  market: Pick<Market, 'prices' | 'readQuote'>,
  condition: AlertCondition,
  nowMs: number,
): Promise<{ side: Side; sinceMs: number }> {
  if (condition.kind === 'news') return { side: 'below', sinceMs: nowMs };
  if (condition.kind === 'indicator' && condition.when === 'cross') {
    // The last close before shows from which side the value comes.
    const stepMs = intervalMs[condition.interval];
    return { side: null, sinceMs: Math.floor(nowMs / stepMs) * stepMs };
  }
  if (condition.kind !== 'price' || condition.when !== 'cross') return { side: null, sinceMs: nowMs };
  const { exchange, symbol } = condition;
  const quote = market.readQuote({ exchange, symbol }) ?? (await fetchQuote(market, exchange, symbol));
  if (quote === undefined) return { side: null, sinceMs: nowMs };
  const { level } = levelRuleOf(condition);
  // Never later than now: a price of the next moment must count.
  const sinceMs = Math.min(nowMs, quote.atMs);
  return { side: quote.last > level ? 'above' : quote.last < level ? 'below' : null, sinceMs };
}

async function fetchQuote(market: Pick<Market, 'prices'>, exchange: ExchangeId, symbol: string) {
  const prices = await market.prices({ exchange, symbols: [symbol] });
  return prices.ok ? prices.value.value[0] : undefined;
}
