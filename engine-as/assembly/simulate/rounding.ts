/** Share of one tick or step that counts as rounding noise of f64, not as a remainder: 0.3 / 0.1 is 2.9999999999999996. */
export const NOISE: f64 = 1e-9;

/** `value` rounded down to whole units, in the unit of `value`; unchanged when `unit` is 0. */
export function roundDown(value: f64, unit: f64): f64 {
  return unit > 0 ? onGrid(Math.floor(value / unit + NOISE), unit) : value;
}

/** `value` rounded up to whole units, in the unit of `value`; unchanged when `unit` is 0. */
export function roundUp(value: f64, unit: f64): f64 {
  return unit > 0 ? onGrid(Math.ceil(value / unit - NOISE), unit) : value;
}

/**
 * `count` units as the f64 nearest to the decimal that an exchange would send: 1041 x 0.1 is 104.10000000000001, which a price of
 * 104.1 never reaches, while 1041 / 10 is 104.1.
 */
function onGrid(count: f64, unit: f64): f64 {
  const parts = Math.floor(1 / unit + 0.5);
  return Math.abs(parts * unit - 1) <= NOISE ? count / parts : count * unit;
}

/** Rounds a price to the tick against the trader: a buyer (`trade` 1) pays the tick above, a seller (-1) gets the tick below. */
export function roundAgainst(price: f64, tick: f64, trade: f64): f64 {
  return trade > 0 ? roundUp(price, tick) : roundDown(price, tick);
}
