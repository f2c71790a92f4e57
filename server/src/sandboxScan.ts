import type { z } from 'zod';
import { judge } from './features/scan/candidates.ts';
import type { Scan, ScanParams } from './features/scan/contract.ts';
import { type FindDeps, findSignals } from './features/scan/findSignals.ts';
import { resultsOf } from './features/scan/storedResults.ts';
import type { Outcome } from './platform/errors.ts';
import { ok } from '@sextant/workers/src/result.ts';
import { neutralTuning } from '@sextant/workers/src/signalRules.ts';

/** What the scan of the sandbox asked for: the request of the documentation with the defaults of a new account, but for the least confidence. */
const params: ScanParams = {
  exchange: 'binance',
  symbols: ['BTCUSDT', 'ETHUSDT'],
  intervals: ['1h'],
  limit: 500,
  balance: 1000,
  leverage: 10,
  riskTolerance: 'medium',
  isDynamicRisk: false,
  tuning: neutralTuning,
  confidenceFloor: null,
  // Without a calibration confidence is a score, which seldom reaches the usual 60.
  minConfidencePct: 25,
  positionsWanted: 5,
  maxSymbols: 100,
  whitelist: [],
  blacklist: [],
};

const deadlineMs = 20_000;

/** The one scan of the sandbox, which is done: computed from the frozen market each time, so that nothing has to be remembered. */
export async function sandboxScan(
  deps: FindDeps & { now: () => number },
  idOf: (thing: unknown) => string,
): Promise<Outcome<z.input<typeof Scan>>> {
  const signal = AbortSignal.timeout(deadlineMs);
  const found = await findSignals(deps, params, { userId: '', signal, onProgress: () => Promise.resolve() });
  if (!found.ok) return found;
  const at = new Date(deps.now()).toISOString();
  const results = resultsOf(found.value, {
    judged: judge(found.value.scored, params),
    idOf: (series) => idOf([series.symbol, series.interval]),
    nowMs: deps.now(),
    totalMs: 0,
  });
  return ok({
    scan_id: idOf(params),
    status: 'done',
    created_at: at,
    finished_at: at,
    params,
    // Times of work are those of a machine; here nothing takes time.
    results: { ...results, timing: { candles_ms: 0, engine_ms: 0, total_ms: 0 }, to_check: [] },
    failure: null,
  });
}

/** Its id. */
export const sandboxScanId = (idOf: (thing: unknown) => string): string => idOf(params);
