/** Fields of a signal that hold the result of its check. */
export interface CheckFields {
  ai_state: 'online' | 'approved' | 'rejected' | 'offline';
  rule_check: 'not_run' | 'passed' | 'not_passed' | null;
}

const aiStates = {
  online: 'AI: not checked yet',
  approved: 'AI: approved',
  rejected: 'AI: not approved',
  offline: 'AI: offline',
} as const satisfies Record<CheckFields['ai_state'], string>;

const ruleChecks = { not_run: null, passed: 'Rule check: passed', not_passed: 'Rule check: not passed' } as const;

/** Result of the check of a signal, by an AI model or by the built-in rules; null before the rules have run. */
export const checkText = ({ ai_state: ai, rule_check: rules }: CheckFields): string | null =>
  rules === null ? aiStates[ai] : ruleChecks[rules];

/** Outcome of a check by a model or by rules. Only a result that passed is opened automatically. */
export type CheckOutcome = 'passed' | 'not_asked' | 'no_verdict' | 'ai_rejected' | 'rules_not_passed';

export function checkOutcome({ ai_state: ai, rule_check: rules }: CheckFields): CheckOutcome {
  if (ai === 'approved' || rules === 'passed') return 'passed';
  if (ai === 'online' || rules === 'not_run') return 'not_asked';
  if (ai === 'rejected') return 'ai_rejected';
  return rules === 'not_passed' ? 'rules_not_passed' : 'no_verdict';
}

/** The rule of automatic opening that a check without success fails. */
export const checkDetails = {
  not_asked: 'ai_unchecked',
  no_verdict: 'ai_offline',
  ai_rejected: 'ai_not_approved',
  rules_not_passed: 'rule_check_not_passed',
} as const satisfies Record<Exclude<CheckOutcome, 'passed'>, string>;
