import { closingSide, type FillQuote, halfSpreadOf, marketFill } from './marketFill.ts';
import { exitFee } from './plan.ts';

/**
 * Figures of an open position at a price. The responses of the server and the tables and dialogs of the page all use it, so that they show
 * the same for the same moment.
 */

/** Prices in quote currency, money in USDT. */
export interface OpenTerms {
  side: 'LONG' | 'SHORT';
  entryPrice: number;
  qty: number;
  /** Charged so far. */
  fees: number;
  /** Paid so far; negative was received. */
  funding: number;
  /** Gross result of its partial closes; absent: none. */
  realised?: number;
  /** Value of all its entries; absent: of what is open. */
  entryValue?: number;
}

/** The same with what its closing order costs. */
export interface CloseTerms extends OpenTerms {
  leverage: number;
  /** Of the fill that closes it. */
  takerFeeFraction: number;
  /** Price step of its exchange, quote currency. */
  tickSize: number;
}

export interface OpenFigures {
  /** Price difference x direction x qty, partial closes included, and its percent of the value of all entries. */
  pnl: number;
  roiPct: number;
  /** Contribution to the equity: fees and funding so far are deducted, the exit is not. */
  worth: number;
}

export interface CloseFigures {
  /** Where a market order that closes it fills now. */
  fill: number;
  /** False: the exchange did not send bid and ask, so the fill pays slippage alone. */
  isSpreadKnown: boolean;
  /** What closing at the fill would leave, exit fee included, and its percent of the margin of all entries. */
  netIfClosed: number;
  returnOnMarginPct: number;
}

export function openFigures(position: OpenTerms, price: number): OpenFigures {
  const { side, entryPrice, qty, fees, funding, realised = 0 } = position;
  const pnl = realised + (price - entryPrice) * (side === 'LONG' ? 1 : -1) * qty;
  return { pnl, roiPct: (pnl / (position.entryValue ?? entryPrice * qty)) * 100, worth: pnl - fees - funding };
}

/** What closing all of it by a market order at a quote would leave. */
export function closeFigures(position: CloseTerms, quote: FillQuote): CloseFigures {
  const { side, entryPrice, qty, leverage, takerFeeFraction, tickSize } = position;
  const fill = marketFill(closingSide(side), quote, tickSize);
  const netIfClosed = openFigures(position, fill).worth - exitFee(qty, fill, takerFeeFraction);
  const margin = (position.entryValue ?? entryPrice * qty) / leverage;
  const isSpreadKnown = halfSpreadOf(quote) !== null;
  return { fill, isSpreadKnown, netIfClosed, returnOnMarginPct: (netIfClosed / margin) * 100 };
}

/** Net result of closing a part at a fill: its share of fees and funding so far, and the fee of the exit. Earlier parts are left out. */
export function partNet(position: OpenTerms, quantity: number, fill: number, feeFraction: number): number {
  const share = quantity / position.qty;
  const paid = { fees: position.fees * share, funding: position.funding * share };
  return (
    openFigures({ ...position, ...paid, qty: quantity, realised: 0 }, fill).worth - exitFee(quantity, fill, feeFraction)
  );
}
