import { STATUS_BAD_PARAMETER, STATUS_OK } from '../../abi/status';
import { Spread, SpreadTerms } from '../records.gen';
import { at, put } from '../series';
import { roundDown } from '../simulate/rounding';

// Two exchanges, one coin: buy by the asks of one, sell by the bids of the other. A book is f64[2 * count]: price per coin and coins
// of each level, best first. Formulas: docs/arbitrage.md.

function priceAt(book: usize, level: i32): f64 {
  return at(book, 2 * level);
}

function coinsAt(book: usize, level: i32): f64 {
  return at(book, 2 * level + 1);
}

/** Prices and sizes are positive and finite, and prices run away from the best one. `side` 1: asks, -1: bids. */
function isBook(book: usize, count: i32, side: f64): bool {
  if (count < 0) return false;
  for (let level = 0; level < count; level++) {
    const price = priceAt(book, level);
    const coins = coinsAt(book, level);
    if (!(price > 0) || !(coins > 0) || !isFinite(price) || !isFinite(coins)) return false;
    if (level > 0 && !((price - priceAt(book, level - 1)) * side > 0)) return false;
  }
  return true;
}

function sumOfCoins(book: usize, count: i32): f64 {
  let sum: f64 = 0;
  for (let level = 0; level < count; level++) sum += coinsAt(book, level);
  return sum;
}

/** Coins that `notional` buys from the asks; -1 when all levels together are worth less. */
function coinsFor(asks: usize, count: i32, notional: f64): f64 {
  let left = notional;
  let coins: f64 = 0;
  for (let level = 0; level < count; level++) {
    const price = priceAt(asks, level);
    const size = coinsAt(asks, level);
    if (price * size >= left) return coins + left / price;
    left -= price * size;
    coins += size;
  }
  return -1;
}

/** Cost or proceeds of `quantity` coins: sum of price x coins. */
function valueOf(book: usize, count: i32, quantity: f64): f64 {
  let left = quantity;
  let value: f64 = 0;
  for (let level = 0; level < count && left > 0; level++) {
    const coins = Math.min(left, coinsAt(book, level));
    value += priceAt(book, level) * coins;
    left -= coins;
  }
  return value;
}

/** Price of the last level that `quantity` coins reach. */
function worstPrice(book: usize, count: i32, quantity: f64): f64 {
  let left = quantity;
  let price = priceAt(book, 0);
  for (let level = 0; level < count && left > 0; level++) {
    price = priceAt(book, level);
    left -= coinsAt(book, level);
  }
  return price;
}

/** Fundings until the legs are closed, a funding at that very moment included. */
function fundingCount(firstHours: f64, intervalHours: f64, holdHours: f64): f64 {
  if (!(firstHours >= 0) || !(intervalHours > 0) || firstHours > holdHours) return 0;
  return Math.floor((holdHours - firstHours) / intervalHours) + 1;
}

/** Funding that both legs pay until they are closed, fraction of the middle notional; negative is received. */
function fundingShare(terms: SpreadTerms): f64 {
  const bought = fundingCount(terms.buyFundingHours, terms.buyFundingInterval, terms.holdHours) * terms.buyFundingRate;
  const sold = fundingCount(terms.sellFundingHours, terms.sellFundingInterval, terms.holdHours) * terms.sellFundingRate;
  return bought - sold;
}

function hourlyRate(rate: f64, intervalHours: f64): f64 {
  return intervalHours > 0 ? rate / intervalHours : 0;
}

function writeSpread(asks: usize, askCount: i32, bids: usize, bidCount: i32, terms: SpreadTerms, out: Spread): void {
  const quantity = out.quantity;
  const bestAsk = priceAt(asks, 0);
  const bestBid = priceAt(bids, 0);
  const bought = valueOf(asks, askCount, quantity);
  const sold = valueOf(bids, bidCount, quantity);
  const middle = (bought + sold) / 2;
  const isEmpty = !(quantity > 0);
  out.buyNotional = bought;
  out.sellNotional = sold;
  out.buyPrice = isEmpty ? bestAsk : bought / quantity;
  out.sellPrice = isEmpty ? bestBid : sold / quantity;
  out.buyWorst = worstPrice(asks, askCount, quantity);
  out.sellWorst = worstPrice(bids, bidCount, quantity);
  // A sum of products divided by its coins may come out a hair beyond the best price.
  out.buySlippage = Math.max(0, out.buyPrice / bestAsk - 1);
  out.sellSlippage = Math.max(0, 1 - out.sellPrice / bestBid);
  out.worstLeg = out.buySlippage > out.sellSlippage ? 1 : out.sellSlippage > out.buySlippage ? -1 : 0;
  out.gross = sold - bought;
  out.grossFraction = isEmpty ? 0 : out.gross / bought;
  out.feesIn = terms.buyTakerFee * bought + terms.sellTakerFee * sold;
  out.feesOut = (terms.buyTakerFee + terms.sellTakerFee) * middle;
  out.funding = fundingShare(terms) * middle;
  out.net = out.gross - out.feesIn - out.feesOut - Math.max(0, out.funding);
  out.netFraction = isEmpty ? 0 : out.net / bought;
  const received =
    hourlyRate(terms.sellFundingRate, terms.sellFundingInterval) -
    hourlyRate(terms.buyFundingRate, terms.buyFundingInterval);
  out.breakEvenHours = isEmpty ? NaN : out.net > 0 ? 0 : received > 0 ? -out.net / (received * middle) : NaN;
}

/** No book on one side: no trade is possible. */
function writeNothing(out: Spread): void {
  memory.fill(changetype<usize>(out), 0, offsetof<Spread>());
  put(changetype<usize>(out), offsetof<Spread>('breakEvenHours') >> 3, NaN);
}

/** The executable size: whole steps of both exchanges, 0 below the least notional. */
function executable(asks: usize, askCount: i32, quantity: f64, terms: SpreadTerms): f64 {
  const rounded = roundDown(quantity, terms.step);
  return rounded > 0 && valueOf(asks, askCount, rounded) >= terms.minNotional ? rounded : 0;
}

/** The spread at the notional of the terms. @returns STATUS_OK or STATUS_BAD_PARAMETER */
export function spreadAt(asks: usize, askCount: i32, bids: usize, bidCount: i32, terms: SpreadTerms, out: Spread): i32 {
  if (!isBook(asks, askCount, 1) || !isBook(bids, bidCount, -1)) return STATUS_BAD_PARAMETER;
  writeNothing(out);
  if (askCount === 0 || bidCount === 0) return STATUS_OK;
  const wanted = coinsFor(asks, askCount, terms.notional);
  const bid = sumOfCoins(bids, bidCount);
  const isDeep = wanted >= 0 && wanted <= bid;
  const most = wanted < 0 ? Math.min(sumOfCoins(asks, askCount), bid) : Math.min(wanted, bid);
  out.quantity = executable(asks, askCount, most, terms);
  out.isFilled = isDeep && out.quantity > 0 ? 1 : 0;
  writeSpread(asks, askCount, bids, bidCount, terms, out);
  return STATUS_OK;
}

/**
 * The spread at the size with the highest net. The gain of one more coin falls with each level, so the walk ends where it is no longer
 * positive. Quantity 0: no size has a positive net. The notional of the terms is not a limit here.
 */
export function bestSpread(
  asks: usize,
  askCount: i32,
  bids: usize,
  bidCount: i32,
  terms: SpreadTerms,
  out: Spread,
): i32 {
  if (!isBook(asks, askCount, 1) || !isBook(bids, bidCount, -1)) return STATUS_BAD_PARAMETER;
  writeNothing(out);
  if (askCount === 0 || bidCount === 0) return STATUS_OK;
  const onMiddle = (terms.buyTakerFee + terms.sellTakerFee + Math.max(0, fundingShare(terms))) / 2;
  const cost = 1 + terms.buyTakerFee + onMiddle;
  const proceeds = 1 - terms.sellTakerFee - onMiddle;
  let ask = 0;
  let bid = 0;
  let askLeft = coinsAt(asks, 0);
  let bidLeft = coinsAt(bids, 0);
  let quantity: f64 = 0;
  while (priceAt(bids, bid) * proceeds - priceAt(asks, ask) * cost > 0) {
    const coins = Math.min(askLeft, bidLeft);
    quantity += coins;
    askLeft -= coins;
    bidLeft -= coins;
    if (askLeft <= 0) {
      if (++ask === askCount) break;
      askLeft = coinsAt(asks, ask);
    }
    if (bidLeft <= 0) {
      if (++bid === bidCount) break;
      bidLeft = coinsAt(bids, bid);
    }
  }
  out.quantity = executable(asks, askCount, quantity, terms);
  out.isFilled = out.quantity > 0 ? 1 : 0;
  writeSpread(asks, askCount, bids, bidCount, terms, out);
  return STATUS_OK;
}
