import type { Verdict } from './verdict.ts';

export interface ApprovalOptions {
  /** A rejected signal passes with less risk. */
  softApproval: boolean;
  /** A rejected signal passes with the analyst's stop and target instead of the engine's. */
  allowAiCorrectionOnReject: boolean;
}

export interface Approval {
  isApproved: boolean;
  /** Fraction of the usual size, at most 1; below 1 when a rejected signal passes softly. */
  riskMultiplier: number;
  /** Percents that replace the engine's levels; null leaves them unchanged. */
  stopLossPct: number | null;
  takeProfitPct: number | null;
}

/** A soft approval never has the full size, even if the analyst suggests it. */
const softMultiplierMax = 0.5;

/** Approval of a verdict under the user's two options. */
export function approvalOf(verdict: Verdict, options: ApprovalOptions): Approval {
  const asIs = { riskMultiplier: verdict.riskMultiplier, stopLossPct: null, takeProfitPct: null };
  if (verdict.decision === 'approved') return { isApproved: true, ...asIs };
  const { softApproval, allowAiCorrectionOnReject } = options;
  return {
    isApproved: softApproval || allowAiCorrectionOnReject,
    riskMultiplier: softApproval ? Math.min(softMultiplierMax, verdict.riskMultiplier) : verdict.riskMultiplier,
    stopLossPct: allowAiCorrectionOnReject ? verdict.suggestedStopLossPct : null,
    takeProfitPct: allowAiCorrectionOnReject ? verdict.suggestedTakeProfitPct : null,
  };
}
