import { api } from './client.ts';
import { failureOf, messageOf } from './failure.ts';
import type { AiCheckBody, ScanSignal } from './types.ts';

export type AiFields = Pick<
  ScanSignal,
  'ai_state' | 'rule_check' | 'aiApproved' | 'aiRationale' | 'aiProposal' | 'suggestedRiskMultiplier'
>;

/** `checked`: there is a state to show. `later`: the same question, after a while. `stopped`: no more of this scan. */
export type CheckAnswer =
  | { kind: 'checked'; fields: AiFields; why: string | null }
  | { kind: 'later'; afterS: number; message: string }
  | { kind: 'stopped'; message: string };

const none = { aiApproved: null, aiRationale: null, aiProposal: null, suggestedRiskMultiplier: null };
const offline: AiFields = { ...none, ai_state: 'offline', rule_check: null };

/**
 * What an answer of the AI check means. A reject (409) and an analyst that is away (503 `ai_offline`) are states of the result, not
 * errors; neither approves anything.
 */
export function checkAnswerOf(response: Response, body: unknown): CheckAnswer {
  const fields = body as Partial<AiFields & { rationale: string | null }>;
  if (response.ok) return { kind: 'checked', fields: fieldsOf(fields), why: null };
  const failure = failureOf(response, body);
  if (response.status === 409) {
    const aiRationale = fields.rationale ?? null;
    return {
      kind: 'checked',
      fields: { ...fieldsOf(fields), ai_state: 'rejected', aiApproved: false, aiRationale },
      why: null,
    };
  }
  if (failure.code === 'ai_offline')
    return { kind: 'checked', fields: offline, why: messageOf(failure, 'The analyst did not answer.') };
  if (failure.code === 'rate_limited')
    return { kind: 'later', afterS: failure.retryAfterS ?? 1, message: messageOf(failure, 'Too many checks at once.') };
  return { kind: 'stopped', message: messageOf(failure, 'Analysis failed') };
}

const fieldsOf = (body: Partial<AiFields>): AiFields => ({
  ai_state: body.ai_state ?? 'online',
  rule_check: body.rule_check ?? null,
  aiApproved: body.aiApproved ?? null,
  aiRationale: body.aiRationale ?? null,
  aiProposal: body.aiProposal ?? null,
  suggestedRiskMultiplier: body.suggestedRiskMultiplier ?? null,
});

/** Asks for a second opinion on one result. */
export async function askAiCheck(body: AiCheckBody, signal: AbortSignal): Promise<CheckAnswer> {
  try {
    const { data, error, response } = await api.POST('/api/signal/ai-check', { body, signal });
    return checkAnswerOf(response, data ?? error);
  } catch {
    return { kind: 'stopped', message: 'The server did not answer. Check your connection and try again.' };
  }
}
