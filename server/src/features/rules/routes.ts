import { compileRules } from '@sextant/workers/src/rules/compileRules.ts';
import type { z } from 'zod';
import type { App } from '../../platform/http/app.ts';
import { bodyRejections, problems } from '../../platform/http/problem.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import { CheckRulesBody, CheckRulesResponse } from './contract.ts';

/** As runs: a client checks a text before it runs it. */
const checkLimit = { hitMax: 120, windowS: 60 };
const tooOften = 'At most 120 checks a minute.';
/** A text of the most characters, each escaped. */
const BODY_BYTES_MAX = 32 * 1024;

export function rulesRoutes(app: App, { limiter }: { limiter: RateLimiter }): void {
  app.addHook('onRequest', app.requireUser);
  app.post(
    '/api/rules/check',
    {
      bodyLimit: BODY_BYTES_MAX,
      schema: {
        access: 'run:backtest',
        sandbox: 'frozen',
        tags: ['Backtest'],
        summary: 'Check own rules as text',
        description:
          'Returns the errors of the text with line, column and fix, or its parameters and how far it looks back. Nothing is run or stored.',
        body: CheckRulesBody,
        response: {
          200: CheckRulesResponse,
          ...problems(...bodyRejections, 'not_authenticated', 'rate_limited', 'database_unavailable'),
        },
      },
    },
    async (request) => {
      await countHit(limiter, { key: `rules:${request.user.id}`, ...checkLimit }, tooOften);
      return checkRules(request.body);
    },
  );
}

/** The check as the wire has it. Bounded work: the length of the text is. */
function checkRules({ rules, interval }: z.output<typeof CheckRulesBody>): z.input<typeof CheckRulesResponse> {
  const compiled = compileRules(rules, { interval });
  if (!compiled.ok)
    return { ok: false, errors: compiled.error, warnings: [], parameters: [], setCount: 0, lookBack: [] };
  const { parameters, setCount, warnings, program, lookBack } = compiled.value;
  const candles = [lookBack.base, ...lookBack.longer];
  return {
    ok: true,
    errors: [],
    warnings,
    parameters,
    setCount,
    lookBack: [interval, ...program.intervals].map((name, frame) => ({ interval: name, candles: candles[frame] ?? 0 })),
  };
}
