import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import { intervalMs, type IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { cutCandles } from '@sextant/workers/src/candles/candleColumns.ts';
import { candleWindow } from '@sextant/workers/src/candles/candleWindow.ts';
import { type Contract, leverageAllowed, withContract } from '@sextant/workers/src/candles/contract.ts';
import { contextCount } from '@sextant/workers/src/candles/strategyCandles.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import type { Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import type { PortfolioSymbol } from '@sextant/workers/src/protocol/portfolio.ts';
import { costsFromWire } from '@sextant/workers/src/protocol/wire/costs.ts';
import { createRejection, type Rejection } from '../../../platform/errors.ts';
import { mapLimited } from '../../../platform/mapLimited.ts';
import { inBulk } from '../../../platform/readPriority.ts';
import type { ExchangeId, FuturesSymbol, Market } from '../../market/port.ts';
import { loadSeries } from '../../signals/candles.ts';
import type { leftOutReasons, PortfolioBody } from './contract.ts';

/** Symbols loaded at once, as a scan has it. */
const LOADS_AT_ONCE = 12;

export type LeftOutReason = (typeof leftOutReasons)[number];
export interface LeftOutSymbol {
  symbol: string;
  reason: LeftOutReason;
}

export interface LoadRequest {
  userId: string;
  exchange: ExchangeId;
  interval: IntervalName;
  limit: number;
  /** Epoch ms: only candles closed by then. */
  endTimeMs: number;
  /** False: up to now, so that candles in memory serve. */
  isPast: boolean;
  strategy: Strategy;
  costs: PortfolioBody['costs'];
  /** Margin of the largest position, USDT; the notional of `costs` when absent. */
  baseUsdt?: number;
  signal: AbortSignal;
}

export interface LoadedSymbol extends PortfolioSymbol {
  listing: FuturesSymbol;
  isFundingMissing: boolean;
  areTiersUnknown: boolean;
}

export interface LoadedPortfolio {
  symbols: LoadedSymbol[];
  leftOut: LeftOutSymbol[];
  /** The longest wait that the exchange or the user's share of it required. */
  busy: Rejection | undefined;
}

const busyCodes: ReadonlySet<string> = new Set(['rate_limited', 'upstream_rate_limited', 'overloaded']);

/**
 * Candles and fundings of each symbol by the share that scans have of the exchange, contracts by that of single requests: 128 of them fit
 * into it. One without candles is left out and named; the run continues.
 */
export async function loadPortfolio(
  market: Market,
  symbols: readonly FuturesSymbol[],
  request: LoadRequest,
): Promise<LoadedPortfolio> {
  const found: LoadedPortfolio = { symbols: [], leftOut: [], busy: undefined };
  await mapLimited(symbols, LOADS_AT_ONCE, async (listing) => {
    if (request.signal.aborted) return;
    const loaded = await loadSymbol(market, listing, request);
    if (!('error' in loaded)) found.symbols.push(loaded);
    else if (loaded.error === 'too_large') found.leftOut.push({ symbol: listing.symbol, reason: 'too_large' });
    else {
      const isBusy = busyCodes.has(loaded.error.code);
      found.leftOut.push({ symbol: listing.symbol, reason: isBusy ? 'busy' : 'no_candles' });
      if (isBusy && waitOf(loaded.error) > waitOf(found.busy)) found.busy = loaded.error;
    }
  });
  found.symbols.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  found.leftOut.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  return found;
}

const waitOf = (rejection: Rejection | undefined): number =>
  rejection === undefined ? -1 : (rejection.retryAfterS ?? 0);

async function loadSymbol(
  market: Market,
  listing: FuturesSymbol,
  request: LoadRequest,
): Promise<LoadedSymbol | { error: Rejection | 'too_large' }> {
  const { symbol } = listing;
  const { userId, exchange, interval, limit, endTimeMs, isPast, strategy, signal } = request;
  const one = { exchange, symbol, userId, signal };
  const series = { ...one, purpose: 'scan', ...(isPast || listing.hasEnded === true ? { endTimeMs } : {}) } as const;
  const base = await loadSeries(market, { ...series, interval, limit });
  if (!base.ok) return base;
  // All symbols end with the same candle, although the next one may close while they load.
  const candles = closedBy(base.value.candles, endTimeMs, intervalMs[interval]);
  if (candles.time.length === 0) return { error: createRejection('too_few_candles') };
  const window = candleWindow(candles.time, intervalMs[interval]);
  const context: Candles[] = [];
  for (const { interval: longer } of strategy.intervals.slice(1)) {
    const count = contextCount(window, longer, strategy);
    const more = await loadSeries(market, { ...series, interval: longer, limit: count });
    if (!more.ok) return more;
    context.push(closedBy(more.value.candles, window.untilMs, intervalMs[longer]));
  }
  const stated = await inBulk(() => market.contract(one));
  const contract = stated.ok ? stated.value.value : contractOf(exchange, listing);
  const costs = costsOf(request, contract);
  if (costs === null) return { error: 'too_large' };
  const isCharged = costs.fundingSource === 'history';
  const { fromMs: sinceMs, untilMs } = window;
  const funding = isCharged ? await market.fundingHistory({ ...one, sinceMs, untilMs, purpose: 'scan' }) : undefined;
  return {
    symbol,
    candles,
    context,
    costs: funding?.ok === true ? { ...costs, funding: funding.value.value } : costs,
    listing,
    isFundingMissing: funding?.ok === false,
    areTiersUnknown: contract.tiers === null,
  };
}

const closedBy = (candles: Candles, endTimeMs: number, stepMs: number): Candles =>
  cutCandles(candles, -Infinity, endTimeMs - stepMs + 1);

/** The rules of the listing, where those of the contract did not load: tiers are then unknown. */
const contractOf = (exchange: ExchangeId, listing: FuturesSymbol): Contract => ({
  exchange,
  symbol: listing.symbol,
  tickSize: listing.tickSize,
  stepSize: listing.stepSize,
  minNotional: listing.minNotional ?? 0,
  maxQuantity: listing.maxQuantity ?? 0,
  leverageMax: listing.maxLeverage,
  tiers: null,
});

/** Live positions have at most four decimals, by whichever sizing. */
const STEP_MIN = 0.0001;

/**
 * Costs of one symbol; null when no tier of its contract holds a position of that size. With a base, the notional follows the
 * leverage that the contract grants, as in automatic opening.
 */
function costsOf({ costs, exchange, baseUsdt }: LoadRequest, contract: Contract): Costs | null {
  const { takerFeeFraction, makerFeeFraction } = costs;
  const fees = { ...venueFees[exchange], ...withoutUndefined({ takerFeeFraction, makerFeeFraction }) };
  const granted = Math.max(1, Math.min(costs.leverage, Math.floor(contract.leverageMax ?? costs.leverage)));
  const at = (leverage: number) => {
    const notional = baseUsdt === undefined ? costs.notional : baseUsdt * leverage;
    return withContract({ ...costs, ...fees, leverage, notional }, contract);
  };
  const first = at(granted);
  const whole = first.leverage < granted ? at(first.leverage) : first;
  const { tiers, leverage, notional } = whole;
  if (leverageAllowed({ leverageMax: contract.leverageMax, tiers }, notional) < leverage) return null;
  const stepSize = baseUsdt === undefined ? whole.stepSize : Math.max(whole.stepSize, STEP_MIN);
  return costsFromWire({ ...whole, stepSize, liquidationModel: exchange });
}
