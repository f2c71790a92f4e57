import { approvalOf } from '../../aicheck/approval.ts';
import { keyOf } from '../../trackRecord/recordSignals.ts';
import type { SignalWire } from '../../signals/contract.ts';
import type { StoredCheck } from './checkRepository.ts';

export type AiFields = Pick<
  SignalWire,
  'ai_state' | 'rule_check' | 'aiApproved' | 'aiRationale' | 'aiProposal' | 'suggestedRiskMultiplier'
>;
type Correction = { stop_loss_pct: number; take_profit_pct: number } | null;

const none = { aiApproved: null, aiRationale: null, aiProposal: null, suggestedRiskMultiplier: null } as const;

/** A check in the fields of a signal; undefined while it is running. Without a verdict nothing is approved. */
export function aiFieldsOf(check: StoredCheck): AiFields | undefined {
  const { verdict } = check;
  if (check.state === 'asking') return undefined;
  if (verdict === null) return { ...none, ai_state: 'offline', rule_check: null };
  const { isApproved, riskMultiplier } = approvalOf(verdict, check);
  return {
    ...(check.decidedBy === 'built_in' ? ruleCheck(isApproved) : modelVerdict(isApproved)),
    aiRationale: verdict.rationale,
    aiProposal: {
      tags: verdict.tags,
      horizon_min: verdict.horizonMinutes,
      stop_loss_pct_suggest: verdict.suggestedStopLossPct,
      take_profit_pct_suggest: verdict.suggestedTakeProfitPct,
    },
    suggestedRiskMultiplier: riskMultiplier,
  };
}

const ruleCheck = (isPassed: boolean) =>
  ({ ai_state: 'offline', rule_check: isPassed ? 'passed' : 'not_passed', aiApproved: null }) as const;
const modelVerdict = (isApproved: boolean) =>
  ({ ai_state: isApproved ? 'approved' : 'rejected', rule_check: null, aiApproved: isApproved }) as const;

export function correctionOf(check: StoredCheck): Correction {
  if (check.verdict === null) return null;
  const { stopLossPct: stop_loss_pct, takeProfitPct: take_profit_pct } = approvalOf(check.verdict, check);
  return stop_loss_pct === null || take_profit_pct === null ? null : { stop_loss_pct, take_profit_pct };
}

/** Results with the checks of their scan. */
export function withChecks<T extends { symbol: string; interval: string }>(
  results: readonly T[],
  checks: readonly StoredCheck[],
): T[] {
  const fields = new Map(checks.map((check) => [keyOf(check), aiFieldsOf(check)]));
  return results.map((result) => ({ ...result, ...fields.get(keyOf(result)) }));
}
