import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { ExchangeName, SymbolName } from '../market/contract.ts';
import { choiceSettings } from '@sextant/workers/src/core/settings.ts';
import { Balance, CandleLimit, Leverage, RiskTolerance, SignalFields } from '../signals/contract.ts';
import { ConfidenceBasis } from '../signals/confidenceBasis.ts';
import { Tuning } from '../signals/rules.ts';
import { StrategyName, StoredStrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { SIGNAL_CANDLES } from '@sextant/engine-as/abi/voteParameters.ts';

const Interval = z.enum(signalIntervals, `must be one of ${signalIntervals.join(' ')}`);

/** Omitted fields default to the user's settings. */
export const ScanBody = z.strictObject({
  symbols: z
    .array(SymbolName)
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'The whole universe within your filters when absent.' }),
  intervals: z
    .array(Interval)
    .min(1)
    .max(3)
    .optional()
    .meta({ description: 'Ignored with a saved strategy, which has its own.' }),
  limit: CandleLimit.default(SIGNAL_CANDLES).meta({
    description: 'Closed candles of each interval; more are read where the votes look back further.',
  }),
  balance: Balance.optional(),
  leverage: Leverage.optional(),
  riskTolerance: RiskTolerance.optional(),
});

/** All inputs of a scan as stored: the request, completed by the settings at that time. */
export const ScanParams = z.object({
  exchange: ExchangeName,
  symbols: z.array(z.string()).nullable(),
  intervals: z.array(Interval),
  limit: z.int(),
  balance: z.number(),
  leverage: z.int(),
  riskTolerance: RiskTolerance,
  isDynamicRisk: z.boolean(),
  sizing: z
    .object({
      mode: z.enum(choiceSettings.sizing_mode.choices),
      riskFraction: z.number(),
      baseUsdt: z.number(),
      freeUsdt: z.number().meta({ description: 'Equity not used as margin.' }),
      ownStopPct: z
        .number()
        .nullable()
        .meta({ description: 'Your own stop in percent; null: the stop of the signal.' }),
    })
    .optional()
    .meta({ description: 'Position sizing settings of that time. Absent in older scans.' }),
  tuning: Tuning,
  strategy: z
    .object({
      id: z.uuid().optional().meta({ description: 'Absent in older scans.' }),
      ...StrategyName.shape,
      value: StoredStrategyWire,
    })
    .optional()
    .meta({
      description: 'The saved strategy that decides, with its own intervals. Absent: Live rules with `tuning`.',
    }),
  confidenceFloor: z.number().nullable(),
  minConfidencePct: z.number(),
  isScoreHeld: z.boolean().optional().meta({
    description: 'Whether `minConfidencePct` applies to the score of a saved strategy. Absent in older scans.',
  }),
  positionsWanted: z.int(),
  maxSymbols: z.int(),
  whitelist: z.array(z.string()),
  blacklist: z.array(z.string()),
});
export type ScanParams = z.output<typeof ScanParams>;

const Outcome = z.enum(['ELIGIBLE', 'NEUTRAL', 'LOW_CONF', 'ZERO_QTY', 'NO_MATCH']);
export const ScanResult = z.object({
  ...SignalFields,
  signal_id: z.uuid().meta({ description: 'Its row in the public record.' }),
  outcome: Outcome.meta({ description: '`ELIGIBLE` may open; other values say why not.' }),
  filtered_by: z.string().nullable(),
});

export const StoredResults = z.object({
  best: ScanResult.nullable().meta({ description: 'The first of `all` that the scan chose.' }),
  all: z.array(ScanResult).meta({ description: 'Signals by confidence, best first, at most 500.' }),
  total: z.int().meta({ description: 'Signals found, shown or not.' }),
  outcomes: z.record(z.string(), z.int()).meta({ description: 'Candidates by outcome.' }),
  data_age_ms: z.int().meta({ description: 'Age of the oldest candles when the scan was done.' }),
  missing: z.array(z.string()).meta({ description: 'Series without valid candles from the exchange.' }),
  confidence: z.array(ConfidenceBasis).meta({ description: 'Basis of the confidence, per interval.' }),
  timing: z.object({ candles_ms: z.number(), engine_ms: z.number(), total_ms: z.number() }),
});
export type StoredResults = z.input<typeof StoredResults>;
export type ScanResult = z.input<typeof ScanResult>;

const Verdict = z
  .object({
    state: z.enum(['opened', 'may_open', 'check_due', 'waiting', 'refused']).meta({
      description:
        '`check_due`: it may open after its check passes; `waiting`: it opens if a better signal of the scan does not.',
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          'The first rule it fails by the settings, guards and open positions of this moment: `filtered_by`, or `detail` of a skip; beside ' +
          '`may_open`, why it opens by hand only. null: none.',
      }),
    text: z.string(),
  })
  .meta({ description: 'Current outcome of scan, check and opening, as shown on all pages.' });
export const ScanSignal = ScanResult.extend({ verdict: Verdict });

/** Results with their checks, before the decision which of them may open. */
export type CheckedResults = StoredResults & { to_check: string[]; is_complete: boolean };

export const ScanResults = StoredResults.extend({
  best: ScanSignal.nullable().meta({ description: 'The first of `all` that opened or may open; null: none may.' }),
  all: z.array(ScanSignal).meta({ description: 'Signals by confidence, best first, at most 500.' }),
  to_check: z.array(z.uuid()).meta({
    description: '`signal_id` of the results with an included AI check, in the order to request them.',
  }),
  is_complete: z.boolean().meta({ description: 'false: too old; only the best result and the counts remain.' }),
});
export type ScanResults = z.input<typeof ScanResults>;

export const ScanStatus = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);

export const Scan = z.object({
  scan_id: z.uuid(),
  status: ScanStatus,
  created_at: z.iso.datetime(),
  finished_at: InstantOrNull,
  params: ScanParams,
  results: ScanResults.nullable(),
  failure: z.string().nullable().meta({ description: 'Why it failed; its credit was returned.' }),
});

export const ScanStarted = z.object({
  scan_id: z.uuid(),
  status: ScanStatus,
  credits: z.int().min(0).meta({ description: 'Balance after reserving one credit.' }),
});

export const LastScanResponse = z.object({
  scan: Scan.nullable().meta({ description: 'The newest that is done.' }),
  active: Scan.nullable().meta({ description: 'One that is waiting or running.' }),
});
export const ScanResponse = z.object({ scan: Scan });

export type CandidatesResponse = z.input<typeof CandidatesResponse>;
export const CandidatesResponse = z.object({
  candidates: z.array(
    z.object({
      symbol: z.string(),
      interval: z.string().meta({ description: '`*`: the whole symbol was left out.' }),
      outcome: Outcome,
      filtered_by: z.string().nullable(),
      confidence: z.number().nullable(),
      signal_id: z.uuid().nullable(),
    }),
  ),
});

export const ScanId = z.strictObject({ id: z.uuid() });
