import type { Market } from '../../../src/features/market/port.ts';

/** Stops new candles from closing, so that two requests get the same ones whenever the test runs. Call the result to let time go on. */
export function stopCandles(market: Market): () => void {
  const candles = market.candles.bind(market);
  const stoppedAtMs = Date.now();
  market.candles = (request) => candles({ ...request, endTimeMs: request.endTimeMs ?? stoppedAtMs });
  return () => void (market.candles = candles);
}
