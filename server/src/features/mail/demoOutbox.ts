import { BlockList, isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { apiErrors, type Rejection } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { problems, sendProblem } from '../../platform/http/problem.ts';

export interface DemoOutboxDeps {
  /** The mailbox of a demo; undefined otherwise (config.ts states when it may be set). */
  outboxUrl: string | undefined;
}

const OutboxMail = z.object({
  id: z.int(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  receivedAtMs: z.number(),
});
const OutboxResponse = z.object({ mails: z.array(OutboxMail) });

const deadlineMs = 3000;
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);
const notFound: Rejection = { code: 'not_found', message: apiErrors.not_found.title };

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** Headers that a proxy or tunnel adds to forwarded requests. */
const forwardHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/**
 * True for a direct request from this machine: loopback socket, loopback Host, no forwarding header. Requests through a proxy or
 * tunnel have another Host or such a header; the Host check also prevents DNS rebinding by a third-party page.
 */
const isRequestedHere = (request: FastifyRequest): boolean =>
  isLoopback(request.socket.remoteAddress) &&
  loopbackNames.has((request.headers.host ?? '').replace(/:\d+$/, '')) &&
  forwardHeaders.every((name) => request.headers[name] === undefined);

async function readMails(outboxUrl: string): Promise<z.infer<typeof OutboxResponse> | undefined> {
  try {
    const response = await fetch(`${outboxUrl}/__control/mails`, { signal: AbortSignal.timeout(deadlineMs) });
    return OutboxResponse.parse(await response.json());
  } catch {
    return undefined;
  }
}

/** Shows the emails of a demo to its user. Outside a demo the path does not exist. */
export function demoOutboxRoutes(app: App, { outboxUrl }: DemoOutboxDeps): void {
  app.get(
    '/api/outbox',
    {
      schema: {
        access: 'public',
        sandbox: 'none',
        tags: ['Service'],
        summary: 'List the emails this demo sent (local demos only)',
        response: { 200: OutboxResponse, ...problems('not_found', 'mail_unavailable') },
      },
    },
    async (request, reply) => {
      if (outboxUrl === undefined || !isRequestedHere(request)) return sendProblem(reply, notFound);
      const mails = await readMails(outboxUrl);
      if (mails !== undefined) return mails;
      return sendProblem(reply, { code: 'mail_unavailable', message: 'The demo mailbox is unavailable.' });
    },
  );
  // In a demo the app serves its own page at this path.
  const noPage = (_request: FastifyRequest, reply: FastifyReply) => sendProblem(reply, notFound);
  if (outboxUrl === undefined) app.get('/outbox', { schema: { hide: true } }, noPage);
}
