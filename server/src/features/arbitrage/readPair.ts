import { venueFees } from '@sextant/engine-as/abi/costs.ts';
import { failWith, ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import { createRejection, type Outcome, reject } from '../../platform/errors.ts';
import type { ExchangeId, Market, TopQuote } from '../market/port.ts';
import type { PairBooksResponse, PairBook } from './contract.ts';
import { bookPerCoin, QUOTE_AGE_MS, SKEW_MS } from './findOpportunities.ts';
import { coinOf, commonStep, type Contract, leastNotional, tableOf } from './sameContract.ts';

type BookWire = z.input<typeof PairBook>;

export interface PairName {
  symbol: string;
  buy: ExchangeId;
  sell: ExchangeId;
}

/** Both contracts of a pair, when each exchange trades the coin. */
export async function findPair(
  market: Pick<Market, 'symbols'>,
  { symbol, buy, sell }: PairName,
): Promise<Outcome<{ coin: string; buy: Contract; sell: Contract }>> {
  const coin = coinOf(symbol)?.coin;
  const lists = await Promise.all(
    [buy, sell].map(async (exchange) => ({ exchange, found: await market.symbols({ exchange }) })),
  );
  for (const { found } of lists) if (!found.ok) return found;
  const table = tableOf(
    Object.fromEntries(lists.flatMap(({ exchange, found }) => (found.ok ? [[exchange, found.value.value]] : []))),
  );
  const contracts = coin === undefined ? undefined : table.byCoin.get(coin);
  for (const exchange of [buy, sell]) {
    if (contracts?.[exchange]?.listing.status === 'trading') continue;
    return reject('symbol_unknown', `${symbol} is not traded on ${exchange}.`, { field: 'symbol' });
  }
  const [bought, sold] = [contracts?.[buy], contracts?.[sell]];
  if (coin === undefined || bought === undefined || sold === undefined)
    return failWith(createRejection('symbol_unknown'));
  return ok({ coin, buy: bought, sell: sold });
}

/** Both order books of a pair, per coin, with the inputs of the engine's sizing. */
export async function readPair(
  market: Pick<Market, 'symbols' | 'tops' | 'orderBook'>,
  pair: PairName,
  userId: string,
): Promise<Outcome<z.input<typeof PairBooksResponse>>> {
  const outcome = await findPair(market, pair);
  if (!outcome.ok) return outcome;
  const { coin, buy, sell } = outcome.value;
  const [bought, sold] = await Promise.all([readLeg(market, buy, userId), readLeg(market, sell, userId)]);
  if (!bought.ok) return bought;
  if (!sold.ok) return sold;
  const [a, b] = [bought.value.atMs, sold.value.atMs];
  const skewMs = a === null || b === null ? null : Math.abs(a - b);
  return ok({
    symbol: `${coin}USDT`,
    buy: bought.value,
    sell: sold.value,
    quantityStep: commonStep(buy, sell),
    minNotionalUsdt: leastNotional(buy, sell),
    skewMs,
    isComparable: skewMs !== null && skewMs <= SKEW_MS,
    skewLimitMs: SKEW_MS,
  });
}

async function readLeg(
  market: Pick<Market, 'tops' | 'orderBook'>,
  { exchange, listing, multiplier }: Contract,
  userId: string,
): Promise<Outcome<BookWire>> {
  const { symbol } = listing;
  const [outcome, tops] = await Promise.all([
    market.orderBook({ exchange, symbol, userId }),
    market.tops({ exchange, symbols: [symbol], streamAgeMs: QUOTE_AGE_MS }),
  ]);
  if (!outcome.ok) return outcome;
  const { value, fetchedAtMs } = outcome.value;
  const { bids, asks } = bookPerCoin(value, multiplier);
  const top: TopQuote | undefined = tops.ok ? tops.value[0] : undefined;
  return ok({
    exchange,
    contract: symbol,
    multiplier,
    bids: levelsOf(bids),
    asks: levelsOf(asks),
    atMs: value.atMs,
    receivedAtMs: fetchedAtMs,
    takerFeeFraction: venueFees[exchange].takerFeeFraction,
    fundingRate: top?.fundingRate ?? null,
    nextFundingAtMs: top?.nextFundingAtMs ?? null,
    fundingIntervalHours: top?.fundingIntervalHours ?? listing.fundingHours,
    stepSize: Number((listing.stepSize * multiplier).toPrecision(12)),
    minNotionalUsdt: listing.minNotional,
  });
}

const levelsOf = (side: Float64Array): [number, number][] =>
  Array.from({ length: side.length / 2 }, (_, i) => [side[2 * i] ?? 0, side[2 * i + 1] ?? 0]);
