import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import { type SizedSpread, type SpreadInput, type SpreadResult } from '@sextant/workers/src/protocol/spread.ts';
import type { ArbitrageScan, PairBooks } from '../../api/types.ts';
import { exchangeName } from '../../format/names.ts';
import { formatCount, formatFixed, formatMoney } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';

/** Fees and holding time of the scan: the open pair is computed with the same. */
export type PairTerms = Pick<ArbitrageScan['params'], 'takerFees' | 'holdHours'>;
type Level = readonly [price: number, coins: number];

/** Smallest size of the slider where no exchange names a minimum, USDT. */
const SIZE_MIN_USDT = 10;
/** Sizes of the drawn curve. */
const CURVE_SIZES = 61;

/** Price and coins of each level in turn, the engine's format of a book side. */
const sideOf = (levels: readonly Level[]): Float64Array => Float64Array.from(levels.flat());

/**
 * Sizes the slider spans, USDT of the bought leg: from the larger minimum of both exchanges to what both books hold.
 * Null when a book is empty.
 */
export function sizeRange({ buy, sell, minNotionalUsdt }: PairBooks): { min: number; max: number } | null {
  const cost = buy.asks.reduce((sum, [price, coins]) => sum + price * coins, 0);
  const proceeds = sell.bids.reduce((sum, [price, coins]) => sum + price * coins, 0);
  if (cost === 0 || proceeds === 0) return null;
  const min = Math.max(SIZE_MIN_USDT, Math.ceil(minNotionalUsdt * 1.02));
  return { min, max: Math.max(2 * min, Math.min(cost, proceeds)) };
}

/** The size at a place of the slider, 0 to 1: each step is the same factor. */
export const sizeAt = ({ min, max }: { min: number; max: number }, place: number): number =>
  Number((min * (max / min) ** place).toPrecision(3));

/** The place of a size, 0 to 1. */
export const placeOf = ({ min, max }: { min: number; max: number }, size: number): number =>
  Math.min(1, Math.max(0, Math.log(size / min) / Math.log(max / min)));

/** Sizes of the curve of net against size. */
export const curveSizes = (range: { min: number; max: number }): number[] =>
  Array.from({ length: CURVE_SIZES }, (_, at) => range.min * (range.max / range.min) ** (at / (CURVE_SIZES - 1)));

/** The engine task of an open pair: the same one the service runs for a scan. */
export function spreadInput(
  books: PairBooks,
  { takerFees, holdHours }: PairTerms,
  nowMs: number,
  notionals: readonly number[],
): SpreadInput {
  const legOf = (leg: PairBooks['buy']): SpreadInput['terms']['buy'] => ({
    takerFeeFraction: takerFees[leg.exchange],
    fundingRate: leg.fundingRate,
    hoursToFunding: leg.nextFundingAtMs === null ? null : Math.max(0, leg.nextFundingAtMs - nowMs) / HOUR_MS,
    fundingIntervalHours: leg.fundingIntervalHours,
  });
  return {
    asks: sideOf(books.buy.asks),
    bids: sideOf(books.sell.bids),
    terms: {
      buy: legOf(books.buy),
      sell: legOf(books.sell),
      holdHours,
      quantityStep: books.quantityStep,
      minNotionalUsdt: books.minNotionalUsdt,
    },
    notionals,
  };
}

interface Step {
  /** Coins up to which the price holds. */
  coins: number;
  ask: number;
  bid: number;
}

/** Walks both books together: the marginal price on either side, until one of them ends. */
export function walkBoth(asks: readonly Level[], bids: readonly Level[]): Step[] {
  const steps: Step[] = [];
  let [a, b] = [0, 0];
  let coins = 0;
  let [askLeft, bidLeft] = [asks[0]?.[1] ?? 0, bids[0]?.[1] ?? 0];
  for (;;) {
    const [ask, bid] = [asks[a], bids[b]];
    if (ask === undefined || bid === undefined) return steps;
    const taken = Math.min(askLeft, bidLeft);
    coins += taken;
    steps.push({ coins, ask: ask[0], bid: bid[0] });
    askLeft -= taken;
    bidLeft -= taken;
    if (askLeft <= 0) askLeft = asks[++a]?.[1] ?? 0;
    if (bidLeft <= 0) bidLeft = bids[++b]?.[1] ?? 0;
  }
}

/** Fees of all four orders plus funding paid: percent of the bought leg. */
const costPct = ({ grossFraction, netFraction }: SizedSpread): number => (grossFraction - netFraction) * 100;

const pct = (value: number): string => `${formatFixed(value, 3)}\u00a0%`;

/** One sentence: the condition for this size to be profitable. */
export function verdictText(
  {
    buy,
    sell,
    isComparable,
    skewMs,
    skewLimitMs,
  }: Pick<PairBooks, 'buy' | 'sell' | 'isComparable' | 'skewMs' | 'skewLimitMs'>,
  at: SizedSpread,
  best: SpreadResult['best'],
  holdHours: number,
): string {
  const [bought, sold] = [exchangeName(buy.exchange), exchangeName(sell.exchange)];
  if (!isComparable)
    return skewMs === null
      ? 'One order book has no timestamp, so the two cannot be compared.'
      : `The two books are ${formatDuration(skewMs)} apart, more than ${formatDuration(skewLimitMs)}: the figures below may never have existed together.`;
  if (at.quantity === 0) return 'Below the smallest order both exchanges accept.';
  const smaller = best === null ? '' : ` Up to about ${formatCount(best.buyNotionalUsdt)} USDT it pays.`;
  if (at.grossFraction <= 0)
    return `There is nothing to earn at this size: buying on ${bought} costs at least what ${sold} pays.${smaller}`;
  if (at.netUsdt > 0)
    return `This pays ${formatMoney(at.netUsdt)} USDT if both orders fill at these prices and the price of ${sold} falls to that of ${bought} within ${formatFixed(holdHours, 0)} h, when both legs are closed.`;
  const lack = `The spread is ${pct(at.grossFraction * 100)} and the costs are ${pct(costPct(at))}`;
  if (best !== null) return `${lack} at this size, too large for these books.${smaller}`;
  const funding =
    at.breakEvenHours === null
      ? ''
      : ` Otherwise collect the current funding for ${formatDuration(at.breakEvenHours * HOUR_MS)}.`;
  return `${lack}. It pays only above ${pct(costPct(at))}, once the two prices meet.${funding}`;
}
