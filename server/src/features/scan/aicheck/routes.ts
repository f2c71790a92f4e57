import type { FastifyReply } from 'fastify';
import type { App } from '../../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../../platform/http/problem.ts';
import { countHit } from '../../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../../platform/limits/rateLimiter.ts';
import type { AiCheckDeps } from '../../aicheck/runAiCheck.ts';
import { checkResult } from './checkResult.ts';
import { AiCheckResponse, AiCheckBody, AiCheckProblem, checkLimit } from './contract.ts';

export interface AiCheckRouteDeps {
  db: AiCheckDeps['db'];
  aiCheck: Omit<AiCheckDeps, 'db'>;
  limiter: RateLimiter;
}

const description =
  'A scan credit includes ten; call them in sequence, 120 ms apart (at most 50 in 6 seconds). ' +
  '200: the model approved, or no model is set up (`ai_state: offline`) and `rule_check` says whether the built-in rules passed. ' +
  '409 `ai_rejected`: the model did not approve, with `rationale`. 503 `ai_offline`: there is no verdict, `reason` says why; ' +
  'treat the result as not approved. The verdict is stored and the model is called once per result; a repeated call only ' +
  'applies `softApproval` and `allowAiCorrectionOnReject` again.';

export function aiCheckRoutes(app: App, { db, aiCheck, limiter }: AiCheckRouteDeps): void {
  app.addHook('onRequest', app.requireUser);
  app.post(
    '/api/signal/ai-check',
    {
      schema: {
        access: 'run:signals',
        sandbox: 'none',
        tags: ['Signals'],
        summary: 'Get a second opinion on one scan result',
        description,
        body: AiCheckBody,
        response: {
          200: AiCheckResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'not_found', 'no_result', 'ai_checks_used'),
          409: AiCheckProblem,
          503: AiCheckProblem,
        },
      },
    },
    async (request, reply) => {
      const tooMany = 'At most 50 AI checks in 6 seconds. Leave 120 ms between two.';
      await countHit(limiter, { key: `ai-check:${request.user.id}`, ...checkLimit }, tooMany);
      const outcome = await checkResult({ db, ...aiCheck }, request.user.id, request.body);
      if (!outcome.ok) return sendProblem(reply, outcome.error);
      return isResponse(outcome.value) ? outcome.value : rejectWith(reply, outcome.value);
    },
  );
}

const isResponse = ({ ai_state: ai, rule_check: rules }: AiCheckResponse): boolean =>
  ai === 'approved' || rules !== null;

/** A rejection, as an error with the whole check. */
function rejectWith(reply: FastifyReply, response: AiCheckResponse): FastifyReply {
  if (response.ai_state === 'rejected') {
    const rationale = response.aiRationale;
    const message = rationale ?? 'AI: not approved';
    return sendProblem(reply, { code: 'ai_rejected', message }, { ...response, rationale });
  }
  return sendProblem(reply, { code: 'ai_offline', message: reasons[response.reason ?? ''] ?? usual }, response);
}

const usual = 'The AI response is unusable. The result stays unapproved.';
const reasons: Record<string, string> = {
  asked_before: 'The AI response to this signal was unusable. Each signal is checked once.',
  cap_reached: "Today's AI budget is used up. It resets at 00:00 UTC.",
  share_used: "Your share of today's AI budget is used up. It resets at 00:00 UTC.",
  timedOut: 'The AI model timed out. The result stays unapproved.',
  rateLimited: 'The AI provider limits our requests. The result stays unapproved.',
  unavailable: 'The AI provider is unreachable. The result stays unapproved.',
};
