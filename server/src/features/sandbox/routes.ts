import type { App } from '../../platform/http/app.ts';
import { createRejection } from '../../platform/errors.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { SandboxClockRequest, SandboxClockResponse, SandboxMoveResponse } from './contract.ts';

const tags = ['API access'];
const moveRejections = ['forbidden', 'conflict', 'plan_locked', 'overloaded', 'deadline_exceeded'] as const;
const noClock = createRejection('forbidden', 'Only a test key (`sx_test_`) has a sandbox. Call with one.');

/** The clock of the sandbox. Only test keys have one: server/src/sandbox.ts handles their calls in place of these handlers. */
export function sandboxRoutes(app: App): void {
  app.get(
    '/api/sandbox/clock',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'any_key',
        sandbox: 'frozen',
        tags,
        summary: 'Read the time, plan and invoices of your sandbox',
        response: { 200: SandboxClockResponse, ...problems('not_authenticated', 'forbidden') },
      },
    },
    (_request, reply) => void sendProblem(reply, noClock),
  );
  app.post(
    '/api/sandbox/clock',
    {
      onRequest: app.requireUser,
      schema: {
        access: 'any_key',
        sandbox: 'frozen',
        tags,
        summary: 'Move the time of your sandbox, with market, plan, invoices and webhooks',
        description:
          'All test keys of an account share a clock. Equal calls after `restart` get equal bytes. ' +
          'A scan runs each 4 hours; a plan ends after 30 days, an invoice after 15 minutes.',
        body: SandboxClockRequest,
        response: { 200: SandboxMoveResponse, ...problems(...bodyRejections, ...moveRejections) },
      },
    },
    (_request, reply) => void sendProblem(reply, noClock),
  );
}
