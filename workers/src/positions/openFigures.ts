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
  /** Taker fee of the fill that closes it. */
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

/** Costs of the part that is open, not yet allocated to a part that was closed. USDT; negative funding was received. */
export type OpenCosts = Pick<OpenTerms, 'fees' | 'funding'>;

/** An event of a position that bears on its costs; others may be among them. Amounts in USDT, quantities in base units. */
export interface CostEvent {
  kind: string;
  data: { amount?: number; what?: string; quantity?: number; qty?: number };
}

/**
 * What is left of entry fees and funding after each partial close has taken its share; exit fees belong to the parts they closed.
 * @param events oldest first; `qty` of `reduced` is what is open after it
 */
export function openCosts(events: readonly CostEvent[]): OpenCosts {
  const costs = { fees: 0, funding: 0 };
  for (const { kind, data } of events) {
    const { amount = 0, what, quantity = 0, qty = 0 } = data;
    if (kind === 'fee' && what === 'entry') costs.fees += amount;
    if (kind === 'funding') costs.funding += amount;
    if (kind !== 'reduced') continue;
    const left = qty / (qty + quantity);
    costs.fees *= left;
    costs.funding *= left;
  }
  return costs;
}

/** Share of the costs so far that closing `quantity` of `open` units bears, USDT. */
export const shareOfCosts = ({ fees, funding }: OpenCosts, quantity: number, open: number): number =>
  (fees + funding) * (quantity / open);

/**
 * Net result of closing a part at a fill: the costs so far that it bears and the fee of the exit are deducted. Earlier parts are left out.
 * @param part base units, and their costs by `shareOfCosts`
 */
export function partNet(
  { side, entryPrice }: Pick<OpenTerms, 'side' | 'entryPrice'>,
  { quantity, costs }: { quantity: number; costs: number },
  fill: number,
  feeFraction: number,
): number {
  const terms = { side, entryPrice, qty: quantity, fees: costs, funding: 0 };
  return openFigures(terms, fill).worth - exitFee(quantity, fill, feeFraction);
}
