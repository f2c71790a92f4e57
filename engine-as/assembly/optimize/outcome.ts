import { at, put } from '../series';

/** Result of the last closed trade, f64[6]; trades close one at a time, so one buffer is enough. */
const outcome = memory.data(48, 16);

const ENTRY_PRICE = 0;
const SIZE = 1; // quantity, negative for a short
const EXIT_PRICE = 2;
const NET_PNL = 3;
const ENTRY_FEE = 4;
const IS_AMBIGUOUS = 5;

export function setOutcome(entry: f64, size: f64, exit: f64, net: f64, entryFee: f64, isAmbiguous: f64): void {
  put(outcome, ENTRY_PRICE, entry);
  put(outcome, SIZE, size);
  put(outcome, EXIT_PRICE, exit);
  put(outcome, NET_PNL, net);
  put(outcome, ENTRY_FEE, entryFee);
  put(outcome, IS_AMBIGUOUS, isAmbiguous);
}

export function entryPriceOf(): f64 {
  return at(outcome, ENTRY_PRICE);
}

export function exitPriceOf(): f64 {
  return at(outcome, EXIT_PRICE);
}

export function sizeOf(): f64 {
  return at(outcome, SIZE);
}

export function netPnlOf(): f64 {
  return at(outcome, NET_PNL);
}

export function entryFeeOf(): f64 {
  return at(outcome, ENTRY_FEE);
}

export function isAmbiguousOf(): f64 {
  return at(outcome, IS_AMBIGUOUS);
}
