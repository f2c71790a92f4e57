import { netAtTarget } from './changedLevels.ts';
import { type SizingMarket, QUANTITY_STEP_MIN, roundDown } from './sizing.ts';

/** Closing a part of a position, and adding to one. Used by the server, by the watch and by the page, so that all show the same. */

/** A target with the share of the position that it closes. */
export interface BookTarget {
  price: number;
  /** 0.5 is half of it. */
  fraction: number;
}

export interface PartRequest extends Pick<SizingMarket, 'stepSize' | 'minNotional'> {
  /** Base units that are open. */
  open: number;
  /** Base units to close. */
  wanted: number;
  /** Values what would stay open. */
  price: number;
}

export interface Part {
  /** Base units on the step; all that is open when `isWhole`. */
  quantity: number;
  /** Left open, on the step; 0 when `isWhole`. */
  left: number;
  isWhole: boolean;
  /** `rest_too_small`: what would stay is below the least notional, so all of it is closed. */
  note: 'rounded' | 'rest_too_small' | null;
}

/** The part that can be closed; null when it rounds to nothing. */
export function partOf({ open, wanted, price, stepSize, minNotional }: PartRequest): Part | null {
  const step = Math.max(stepSize, QUANTITY_STEP_MIN);
  if (wanted >= open) return { quantity: open, left: 0, isWhole: true, note: wanted > open ? 'rounded' : null };
  const quantity = roundDown(wanted, step);
  if (!(quantity > 0)) return null;
  const left = roundToStep(open - quantity, step);
  if (!(left > 0) || left * price < minNotional)
    return { quantity: open, left: 0, isWhole: true, note: 'rest_too_small' };
  return { quantity, left, isWhole: false, note: quantity === wanted ? null : 'rounded' };
}

/** The nearest multiple of the step: a difference of two multiples is one, but for the noise of f64. */
const roundToStep = (value: number, step: number): number => roundDown(value + step / 2, step);

/** What the next of several targets closes: its share among those still ahead, at least one step. */
export function partOfTarget(
  targets: readonly BookTarget[],
  { open, price, stepSize, minNotional }: Omit<PartRequest, 'wanted'>,
): Part {
  const [next] = targets;
  const whole = { quantity: open, left: 0, isWhole: true, note: null };
  if (next === undefined || targets.length === 1) return whole;
  const ahead = targets.reduce((sum, { fraction }) => sum + fraction, 0);
  const step = Math.max(stepSize, QUANTITY_STEP_MIN);
  const wanted = Math.max(step, (open * next.fraction) / ahead);
  return partOf({ open, wanted, price, stepSize, minNotional }) ?? whole;
}

/** A position that has just opened. Money in USDT. */
interface Opened {
  side: 'LONG' | 'SHORT';
  entryPrice: number;
  quantity: number;
  entryFee: number;
  /** Taker fee of the fills that close it. */
  takerFeeFraction: number;
}

/** What each target closes and gains, with its part of the entry fee. Targets behind the one that closes all of it are left out. */
export function targetParts(
  targets: readonly BookTarget[],
  { side, entryPrice, quantity, entryFee, takerFeeFraction }: Opened,
  rules: Pick<PartRequest, 'stepSize' | 'minNotional'>,
): { price: number; quantity: number; gain: number }[] {
  const parts: { price: number; quantity: number; gain: number }[] = [];
  let open = quantity;
  for (const [i, { price }] of targets.entries()) {
    if (!(open > 0)) break;
    const part = partOfTarget(targets.slice(i), { open, price, ...rules });
    const terms = { side, entryPrice, qty: part.quantity, funding: 0, takerFeeFraction };
    const fees = entryFee * (part.quantity / quantity);
    parts.push({ price, quantity: part.quantity, gain: netAtTarget({ ...terms, fees }, price) });
    open = part.left;
  }
  return parts;
}

/** Average entry of a position after adding to it, quote currency. */
export const averageEntry = (
  open: { price: number; quantity: number },
  added: { price: number; quantity: number },
): number => (open.price * open.quantity + added.price * added.quantity) / (open.quantity + added.quantity);
