/** The slow twin of assembly/arbitrage: objects instead of memory, one sum after the other. */

export interface Level {
  price: number;
  coins: number;
}

interface Leg {
  takerFee: number;
  fundingRate: number;
  /** Negative: none is known. */
  fundingHours: number;
  fundingInterval: number;
}

export interface Terms {
  notional: number;
  holdHours: number;
  step: number;
  minNotional: number;
  buy: Leg;
  sell: Leg;
}

const NOISE = 1e-9;

function roundDown(value: number, unit: number): number {
  if (!(unit > 0)) return value;
  const count = Math.floor(value / unit + NOISE);
  const parts = Math.floor(1 / unit + 0.5);
  return Math.abs(parts * unit - 1) <= NOISE ? count / parts : count * unit;
}

const sum = (levels: readonly Level[]): number => levels.reduce((total, { coins }) => total + coins, 0);

/** Coins taken from each level until there are `quantity`. */
function taken(levels: readonly Level[], quantity: number): Level[] {
  const out: Level[] = [];
  let left = quantity;
  for (const { price, coins } of levels) {
    if (!(left > 0)) break;
    const part = Math.min(left, coins);
    out.push({ price, coins: part });
    left -= part;
  }
  return out;
}

const valueOf = (levels: readonly Level[]): number =>
  levels.reduce((total, { price, coins }) => total + price * coins, 0);

function wantedCoins(asks: readonly Level[], notional: number): number | undefined {
  let left = notional;
  let coins = 0;
  for (const level of asks) {
    if (level.price * level.coins >= left) return coins + left / level.price;
    left -= level.price * level.coins;
    coins += level.coins;
  }
  return undefined;
}

/** Fundings of one leg, counted one by one. */
function fundings({ fundingHours, fundingInterval }: Leg, holdHours: number): number {
  if (fundingHours < 0 || !(fundingInterval > 0)) return 0;
  return fundingHours > holdHours ? 0 : Math.floor((holdHours - fundingHours) / fundingInterval) + 1;
}

const hourly = ({ fundingRate, fundingInterval }: Leg): number =>
  fundingInterval > 0 ? fundingRate / fundingInterval : 0;

function breakEven({ buy, sell }: Terms, net: number, middle: number): number {
  if (net > 0) return 0;
  const received = hourly(sell) - hourly(buy);
  return received > 0 ? -net / (received * middle) : NaN;
}

export function spreadOf(
  asks: readonly Level[],
  bids: readonly Level[],
  terms: Terms,
  quantity: number,
  isFilled: boolean,
) {
  const { buy, sell, holdHours } = terms;
  const bestAsk = asks[0]?.price ?? NaN;
  const bestBid = bids[0]?.price ?? NaN;
  const [bought, sold] = [taken(asks, quantity), taken(bids, quantity)];
  const [cost, proceeds] = [valueOf(bought), valueOf(sold)];
  const middle = (cost + proceeds) / 2;
  const isEmpty = quantity <= 0;
  const buyPrice = isEmpty ? bestAsk : cost / quantity;
  const sellPrice = isEmpty ? bestBid : proceeds / quantity;
  const buySlippage = Math.max(0, buyPrice / bestAsk - 1);
  const sellSlippage = Math.max(0, 1 - sellPrice / bestBid);
  const gross = proceeds - cost;
  const feesIn = buy.takerFee * cost + sell.takerFee * proceeds;
  const feesOut = (buy.takerFee + sell.takerFee) * middle;
  const share = fundings(buy, holdHours) * buy.fundingRate - fundings(sell, holdHours) * sell.fundingRate;
  const funding = share * middle;
  const net = gross - feesIn - feesOut - Math.max(0, funding);
  return {
    quantity,
    buyNotional: cost,
    sellNotional: proceeds,
    buyPrice,
    sellPrice,
    buyWorst: bought.at(-1)?.price ?? bestAsk,
    sellWorst: sold.at(-1)?.price ?? bestBid,
    buySlippage,
    sellSlippage,
    worstLeg: Math.sign(buySlippage - sellSlippage),
    gross,
    grossFraction: isEmpty ? 0 : gross / cost,
    feesIn,
    feesOut,
    funding,
    net,
    netFraction: isEmpty ? 0 : net / cost,
    breakEvenHours: isEmpty ? NaN : breakEven(terms, net, middle),
    isFilled: isFilled ? 1 : 0,
  };
}

const executable = (asks: readonly Level[], terms: Terms, quantity: number): number => {
  const rounded = roundDown(quantity, terms.step);
  return rounded > 0 && valueOf(taken(asks, rounded)) >= terms.minNotional ? rounded : 0;
};

export function spreadAtReference(asks: readonly Level[], bids: readonly Level[], terms: Terms) {
  const wanted = wantedCoins(asks, terms.notional);
  const most = Math.min(wanted ?? sum(asks), sum(bids));
  const quantity = executable(asks, terms, most);
  const isFilled = wanted !== undefined && wanted <= sum(bids) && quantity > 0;
  return spreadOf(asks, bids, terms, quantity, isFilled);
}

/** Every coin of both books that adds to the net, level by level. */
export function bestSpreadReference(asks: readonly Level[], bids: readonly Level[], terms: Terms) {
  const { buy, sell, holdHours } = terms;
  const paid = Math.max(0, fundings(buy, holdHours) * buy.fundingRate - fundings(sell, holdHours) * sell.fundingRate);
  const onMiddle = (buy.takerFee + sell.takerFee + paid) / 2;
  const [askLeft, bidLeft] = [asks.map((level) => ({ ...level })), bids.map((level) => ({ ...level }))];
  let quantity = 0;
  for (;;) {
    const [ask, bid] = [askLeft[0], bidLeft[0]];
    if (ask === undefined || bid === undefined) break;
    if (!(bid.price * (1 - sell.takerFee - onMiddle) - ask.price * (1 + buy.takerFee + onMiddle) > 0)) break;
    const part = Math.min(ask.coins, bid.coins);
    quantity += part;
    ask.coins -= part;
    bid.coins -= part;
    if (ask.coins <= 0) askLeft.shift();
    if (bid.coins <= 0) bidLeft.shift();
  }
  const whole = executable(asks, terms, quantity);
  return spreadOf(asks, bids, terms, whole, whole > 0);
}
