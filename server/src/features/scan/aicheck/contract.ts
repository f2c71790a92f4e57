import { manyInWords } from '@sextant/workers/src/core/manyInWords.ts';
import { z } from 'zod';
import { Problem } from '../../../platform/http/problem.ts';
import { IntervalName, SymbolName } from '../../market/contract.ts';
import { Balance, CandleLimit, Leverage, RiskTolerance, SignalFields } from '../../signals/contract.ts';
import { Tuning } from '../../signals/rules.ts';

/** Burst and rate limit per user: calls 120 ms apart on average. */
export const checkLimit = { hitMax: 50, windowS: 6 };
/** Included in the credit of one scan. */
export const CHECKS_MAX = 10;

const sameAsScan = 'Optional; must equal the value of the scan.';

export const AiCheckBody = z.strictObject({
  scan_id: z
    .uuid()
    .meta({ description: `A scan of yours that is done; its credit includes ${manyInWords(CHECKS_MAX, 'check')}.` }),
  symbol: SymbolName,
  interval: IntervalName,
  limit: CandleLimit.default(200).meta({
    description: 'Accepted and ignored; the stored result is checked on the candles of the scan.',
  }),
  balance: Balance.optional().meta({ description: sameAsScan }),
  riskTolerance: RiskTolerance.optional().meta({ description: sameAsScan }),
  leverage: Leverage.optional().meta({ description: sameAsScan }),
  tuning: Tuning.optional().meta({ description: sameAsScan }),
  allowAiCorrectionOnReject: z
    .boolean()
    .default(false)
    .meta({ description: 'Let a reject pass with the stop and target of the analyst.' }),
  softApproval: z.boolean().default(false).meta({ description: 'Let a reject pass with at most half the size.' }),
});
export type AiCheckBody = z.output<typeof AiCheckBody>;

const { ai_state, rule_check, aiApproved, aiRationale, aiProposal, suggestedRiskMultiplier } = SignalFields;
const AiFields = { ai_state, rule_check, aiApproved, aiRationale, aiProposal, suggestedRiskMultiplier };

const ResponseBody = {
  scan_id: z.uuid(),
  symbol: z.string(),
  interval: z.string(),
  ...AiFields,
  correction: z
    .object({ stop_loss_pct: z.number(), take_profit_pct: z.number() })
    .nullable()
    .meta({ description: "Distances from the entry in percent that replace the engine's levels; null: unchanged." }),
  decided_by: z.enum(['model', 'built_in']).nullable().meta({ description: 'built_in: fixed rules, no AI model.' }),
  model: z.string().nullable().meta({ description: "The model's id, or the version of the built-in rules." }),
  reason: z.string().nullable().meta({ description: 'Why there is no verdict; null: there is one.' }),
  checks_left: z.int().min(0).max(CHECKS_MAX),
};
export const AiCheckResponse = z.object(ResponseBody);
export type AiCheckResponse = z.input<typeof AiCheckResponse>;

/** A rejection, or no verdict: an error body with the results of the check. */
export const AiCheckProblem = z
  .strictObject({
    ...Problem.shape,
    ...AiCheckResponse.partial().shape,
    rationale: z.string().nullable().optional().meta({ description: 'Of 409: the same as aiRationale.' }),
  })
  .meta({ id: 'AiCheckProblem', description: 'An error, with the result of the check if it ran.' });
