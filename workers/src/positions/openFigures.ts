/**
 * Figures of an open position at a price. The responses of the server and the tables of the page both use it, so that they show the same.
 */

/** Prices in quote currency, money in USDT. */
export interface OpenTerms {
  side: 'LONG' | 'SHORT';
  entryPrice: number;
  qty: number;
  margin: number;
  /** Charged so far. */
  fees: number;
  /** Paid so far; negative was received. */
  funding: number;
  /** Of the fill that closes it. */
  takerFeeFraction: number;
  /** Gross result of its partial closes; absent: none. */
  realised?: number;
  /** Value of all its entries; absent: of what is open. */
  entryValue?: number;
}

export interface OpenFigures {
  /** Price difference x direction x qty, partial closes included, and its percent of the value of all entries. */
  pnl: number;
  roiPct: number;
  /** Contribution to the equity: fees and funding so far are deducted, the exit fee is not. */
  worth: number;
  /** What closing at the price would leave: the exit fee is taken off too. */
  netIfClosed: number;
  returnOnMarginPct: number;
}

export function openFigures(position: OpenTerms, price: number): OpenFigures {
  const { side, entryPrice, qty, margin, fees, funding, takerFeeFraction, realised = 0 } = position;
  const pnl = realised + (price - entryPrice) * (side === 'LONG' ? 1 : -1) * qty;
  const worth = pnl - fees - funding;
  const netIfClosed = worth - takerFeeFraction * qty * price;
  return {
    pnl,
    roiPct: (pnl / (position.entryValue ?? entryPrice * qty)) * 100,
    worth,
    netIfClosed,
    returnOnMarginPct: (netIfClosed / margin) * 100,
  };
}
