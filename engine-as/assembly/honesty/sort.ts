import { at, put } from '../series';

/** Sorts f64[length] ascending in place, without memory and with the same order everywhere. NaN is not allowed. Heapsort. */
export function sortAscending(values: usize, length: i32): void {
  for (let root = length / 2 - 1; root >= 0; root--) siftDown(values, root, length);
  for (let end = length - 1; end > 0; end--) {
    const largest = at(values, 0);
    put(values, 0, at(values, end));
    put(values, end, largest);
    siftDown(values, 0, end);
  }
}

function siftDown(values: usize, root: i32, length: i32): void {
  const value = at(values, root);
  let child = 2 * root + 1;
  while (child < length) {
    if (child + 1 < length && at(values, child + 1) > at(values, child)) child++;
    if (at(values, child) <= value) break;
    put(values, root, at(values, child));
    root = child;
    child = 2 * root + 1;
  }
  put(values, root, value);
}

/**
 * Value below which the share `probability` (0..1) of the ascending f64[length] lies, linear between neighbours
 * (Hyndman, Fan 1996, type 7). NaN without values.
 */
export function quantileOfSorted(values: usize, length: i32, probability: f64): f64 {
  if (length < 1) return NaN;
  const position = probability * <f64>(length - 1);
  const below = <i32>position;
  if (below >= length - 1) return at(values, length - 1);
  const share = position - <f64>below;
  return at(values, below) + share * (at(values, below + 1) - at(values, below));
}
