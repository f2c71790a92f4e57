import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import {
  type SizedSpread as EngineSpread,
  type SpreadResult,
  type SpreadTerms,
} from '@sextant/workers/src/protocol/spread.ts';
import { netAtBest, spread } from '@sextant/workers/src/tasks/spread.ts';
import type { z } from 'zod';
import type { ExchangeId, TopQuote } from '../market/port.ts';
import type { SizedSpread, VenueQuote } from './contract.ts';
import { commonStep, type Contract, EXCHANGES, leastNotional } from './sameContract.ts';

/** The comparison works on best prices per coin. */

export type QuoteWire = z.input<typeof VenueQuote>;

/** A quote of one contract per coin. */
export interface CoinQuote extends QuoteWire {
  exchange: ExchangeId;
  from: Contract;
}

/** Contract prices divided by coins per contract. Digits beyond 15 are rounding noise. */
export function perCoin(top: TopQuote, from: Contract): CoinQuote {
  const { multiplier, listing, exchange } = from;
  const coins = (price: number): number => (multiplier === 1 ? price : Number((price / multiplier).toPrecision(15)));
  return {
    exchange,
    from,
    contract: listing.symbol,
    multiplier,
    bid: coins(top.bid),
    ask: coins(top.ask),
    atMs: top.atMs,
    receivedAtMs: top.receivedAtMs,
    source: top.source,
    fundingRate: top.fundingRate,
    nextFundingAtMs: top.nextFundingAtMs,
    fundingIntervalHours: top.fundingIntervalHours ?? listing.fundingHours,
  };
}

export const quoteToWire = ({ exchange: _exchange, from: _from, ...wire }: CoinQuote): QuoteWire => wire;

export const middleOf = ({ bid, ask }: Pick<CoinQuote, 'bid' | 'ask'>): number => (bid + ask) / 2;

/** Gross spread of the best prices, percent of the buy price. */
export const grossPctOf = (buy: Pick<CoinQuote, 'ask'>, sell: Pick<CoinQuote, 'bid'>): number =>
  ((sell.bid - buy.ask) / buy.ask) * 100;

export interface CoinPair {
  buy: CoinQuote;
  sell: CoinQuote;
  grossPct: number;
}

/** The pair with the highest gross spread and matching timestamps, and the number of pairs dropped for theirs. */
export function bestPair(
  quotes: Partial<Record<ExchangeId, CoinQuote>>,
  skewMsMax: number,
): { pair: CoinPair | null; dropped: number } {
  let pair: CoinPair | null = null;
  let dropped = 0;
  for (const first of EXCHANGES) {
    for (const second of EXCHANGES) {
      const [buy, sell] = [quotes[first], quotes[second]];
      if (buy === undefined || sell === undefined || first === second) continue;
      if (Math.abs(buy.atMs - sell.atMs) > skewMsMax) {
        dropped += first < second ? 1 : 0;
        continue;
      }
      const grossPct = grossPctOf(buy, sell);
      if (pair === null || grossPct > pair.grossPct) pair = { buy, sell, grossPct };
    }
  }
  return { pair, dropped };
}

export type TakerFees = Readonly<Record<ExchangeId, number>>;

/** Costs of the legs of a pair, and the holding time. */
export interface Charges {
  takerFees: TakerFees;
  holdHours: number;
  nowMs: number;
}

function legsOf(
  { buy, sell }: Pick<CoinPair, 'buy' | 'sell'>,
  { takerFees, holdHours, nowMs }: Charges,
): Pick<SpreadTerms, 'buy' | 'sell' | 'holdHours'> {
  const leg = ({ exchange, fundingRate, nextFundingAtMs, fundingIntervalHours }: CoinQuote): SpreadTerms['buy'] => ({
    takerFeeFraction: takerFees[exchange],
    fundingRate,
    hoursToFunding: nextFundingAtMs === null ? null : Math.max(0, nextFundingAtMs - nowMs) / HOUR_MS,
    fundingIntervalHours,
  });
  return { buy: leg(buy), sell: leg(sell), holdHours };
}

/** Charges of both legs with the step sizes and minimum notionals of both contracts. */
export const termsOf = (pair: Pick<CoinPair, 'buy' | 'sell'>, charges: Charges): SpreadTerms => ({
  ...legsOf(pair, charges),
  quantityStep: commonStep(pair.buy.from, pair.sell.from),
  minNotionalUsdt: leastNotional(pair.buy.from, pair.sell.from),
});

/** Runs the kernel. The books were validated when read, so an error is a bug. */
export function sizeSpread(engine: Engine, input: Parameters<typeof spread>[1]): SpreadResult {
  try {
    const result = spread(engine, input);
    if (!result.ok) throw new Error(`the spread kernel rejected: ${result.error.field} ${result.error.message}`);
    return result.value;
  } finally {
    engine.raw.arenaReset();
  }
}

/** Net of the best prices alone, percent: the limit for a size without price impact. */
export function netPctAtBest(engine: Engine, pair: Pick<CoinPair, 'buy' | 'sell'>, charges: Charges): number {
  const { buy, sell } = pair;
  const net = netAtBest(engine, { ask: buy.ask, bid: sell.bid, terms: legsOf(pair, charges) });
  engine.raw.arenaReset();
  // Quotes were validated when read, so an error is a bug.
  if (Number.isNaN(net)) throw new Error(`the spread kernel rejected ${buy.contract} and ${sell.contract}`);
  return net * 100;
}

export const spreadToWire = (sized: EngineSpread): SizedSpread => ({
  notionalUsdt: sized.buyNotionalUsdt,
  quantity: sized.quantity,
  isFilled: sized.isFilled,
  buyPrice: sized.buyPrice,
  sellPrice: sized.sellPrice,
  buyWorstPrice: sized.buyWorstPrice,
  sellWorstPrice: sized.sellWorstPrice,
  buySlippagePct: sized.buySlippageFraction * 100,
  sellSlippagePct: sized.sellSlippageFraction * 100,
  worstLeg: sized.worstLeg,
  grossPct: sized.grossFraction * 100,
  grossUsdt: sized.grossUsdt,
  feesInUsdt: sized.feesInUsdt,
  feesOutUsdt: sized.feesOutUsdt,
  fundingUsdt: sized.fundingUsdt,
  netPct: sized.netFraction * 100,
  netUsdt: sized.netUsdt,
  breakEvenHours: sized.breakEvenHours,
});
