// Written by .ci/generateClient.ts from server/openapi.json. Do not edit.

/** Calls that take an `Idempotency-Key`. */
export const keyedCalls = [
  'post /api/scan',
  'post /api/positions',
  'post /api/positions/close-all',
  'post /api/positions/{id}/close',
  'post /api/positions/{id}/reverse',
  'post /api/orders',
  'post /api/arbitrage-scan',
  'post /api/vision/analyze',
] as const;
