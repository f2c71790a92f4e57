import { canonicalText } from '@sextant/workers/src/proof/canonicalJson.ts';
import { PROOF_KEYS_PATH, ProofKeysWire, ProofWire } from '@sextant/workers/src/proof/contract.ts';
import { disconnectSignal } from '../../../platform/http/disconnectSignal.ts';
import type { App } from '../../../platform/http/app.ts';
import { bodyRejections, problems, sendProblem } from '../../../platform/http/problem.ts';
import { createRunAdmission, parseMostlyNumbers, RUN_BODY_BYTES_MAX } from '../largeBodies.ts';
import { RunBacktestBody } from '../runContract.ts';
import { runRejections } from '../runRejections.ts';
import { makeProof, type ProofDeps } from './makeProof.ts';
import { readPublicKeys } from './proofKeys.ts';

/** Proof-carrying results, and the keys they are verified with. */
export function proofRoutes(app: App, deps: ProofDeps): void {
  parseMostlyNumbers(app);
  app.post(
    '/api/backtest/proof',
    {
      onRequest: [app.requireUser, createRunAdmission(deps.limiter)],
      bodyLimit: RUN_BODY_BYTES_MAX,
      schema: {
        access: 'run:backtest',
        sandbox: 'none',
        tags: ['Backtest'],
        summary: 'Run a backtest and get it as a signed file that anyone can verify offline',
        description:
          'Takes the body of `POST /api/backtest` for one run, without `optimize` and `honesty`, and counts as one. The file holds ' +
          'candles, rules, costs, result, hashes and what you tried before. Verify it with `npx sextant verify`; ' +
          `keys are at \`${PROOF_KEYS_PATH}\`.`,
        body: RunBacktestBody,
        response: {
          200: ProofWire,
          ...problems('not_authenticated', 'database_unavailable'),
          ...problems(...bodyRejections, 'symbol_unknown', 'rate_limited', 'conflict'),
          ...problems(...runRejections),
        },
      },
    },
    async (request, reply) => {
      // A closed tab must not occupy a thread.
      const signal = disconnectSignal(reply);
      const made = await makeProof(deps, request.user.id, request.body, signal);
      if (!made.ok) return sendProblem(reply, made.error);
      const { fileName, proof } = made.value;
      void reply.type('application/json').header('content-disposition', `attachment; filename="${fileName}"`);
      // The canonical text itself: another serialiser would write other bytes.
      return reply.serializer(canonicalText).send(proof);
    },
  );
  app.get(
    PROOF_KEYS_PATH,
    {
      schema: {
        access: 'public',
        sandbox: 'same',
        tags: ['Backtest'],
        summary: 'Public keys of this installation for proofs',
        response: { 200: ProofKeysWire, ...problems('database_unavailable') },
      },
    },
    async (_request, reply) => {
      void reply.header('cache-control', 'public, max-age=300');
      return readPublicKeys(deps.proofs);
    },
  );
}
