/** Net quote currency of buying `notional` at `open` and selling at `close`, taker fee both ways; no funding, no slippage. */
export function buyAndHold(open: f64, close: f64, notional: f64, takerFee: f64): f64 {
  const quantity = notional / open;
  return quantity * (close - open) - takerFee * (notional + quantity * close);
}
