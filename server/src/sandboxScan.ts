import { ok } from '@sextant/workers/src/core/result.ts';
import { numberSettings } from '@sextant/workers/src/core/settings.ts';
import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';
import type { z } from 'zod';
import type { IdOf, SandboxEvent } from './features/sandbox/world.ts';
import { judge } from './features/scan/candidates.ts';
import type { Scan, ScanParams, StoredResults } from './features/scan/contract.ts';
import { type FindDeps, findSignals } from './features/scan/findSignals.ts';
import { signalMessagesOf } from './features/scan/signalMessages.ts';
import { resultsOf } from './features/scan/storedResults.ts';
import { withVerdicts } from './features/scan/verdicts.ts';
import type { Outcome } from './platform/errors.ts';

type ScanDeps = FindDeps & { now: () => number };

/** Options of the sandbox scan: the documented request with the defaults of a new account, except the minimum confidence. */
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
  // Without a calibration, confidence is a score that rarely reaches the default of 60.
  minConfidencePct: 25,
  positionsWanted: 5,
  maxSymbols: 100,
  whitelist: [],
  blacklist: [],
};

const deadlineMs = 20_000;

/** The finished scan of the sandbox: computed from the frozen market at each call, so nothing is stored. */
export async function sandboxScan(deps: ScanDeps, idOf: IdOf): Promise<Outcome<z.input<typeof Scan>>> {
  const found = await findStored(deps, idOf);
  if (!found.ok) return found;
  const at = new Date(deps.now()).toISOString();
  return ok({
    scan_id: idOf(params),
    status: 'done',
    created_at: at,
    finished_at: at,
    params,
    // Durations depend on the machine, so the sandbox states zero.
    results: withVerdicts(
      { ...found.value, timing: { candles_ms: 0, engine_ms: 0, total_ms: 0 }, to_check: [], is_complete: true },
      // The sandbox has no account: no open positions, no guards, and a frozen clock.
      { items: [], isRunOver: false, isTooOld: false, open: [], guards: [], settings: openingDefaults },
    ),
    failure: null,
  });
}

/** Events of that scan: each signal that may be opened. */
export async function sandboxSignals(deps: ScanDeps, idOf: IdOf): Promise<Outcome<SandboxEvent[]>> {
  const found = await findStored(deps, idOf);
  if (!found.ok) return found;
  const messages = found.value.all.flatMap(signalMessagesOf(idOf(params)));
  return ok(
    messages
      .filter(({ eligible }) => eligible)
      .map((payload) => ({ atMs: deps.now(), kind: 'signal_created' as const, payload })),
  );
}

async function findStored(deps: ScanDeps, idOf: IdOf): Promise<Outcome<StoredResults>> {
  const signal = AbortSignal.timeout(deadlineMs);
  const outcome = await findSignals(deps, params, { userId: '', signal, onProgress: () => Promise.resolve() });
  if (!outcome.ok) return outcome;
  const results = resultsOf(outcome.value, {
    judged: judge(outcome.value.scored, params),
    idOf: (series) => idOf([series.symbol, series.interval]),
    nowMs: deps.now(),
    totalMs: 0,
  });
  return ok(results);
}

const openingDefaults = {
  auto_open_enabled: true,
  min_auto_conf_pct: params.minConfidencePct,
  tuning_conf_floor: params.confidenceFloor,
  min_conf_on_score: false,
  blacklist: '',
  whitelist: '',
  positions_wanted: params.positionsWanted,
  max_concurrent_positions: numberSettings.max_concurrent_positions.default,
};

/** Id of the scan of a moment. */
export const sandboxScanId = (idOf: IdOf): string => idOf(params);
