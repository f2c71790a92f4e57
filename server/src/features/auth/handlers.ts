import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/db/scope.ts';
import type { Outcome } from '../../platform/errors.ts';
import type { EventHub } from '../../platform/events/eventHub.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';
import type { Account, AuthProvider, Client, NewSession } from './provider.ts';

export interface AuthDeps {
  auth: AuthProvider;
  db: Db;
  limiter: RateLimiter;
  events: EventHub;
  /** Whether this installation offers demo accounts. */
  isDemoOffered: boolean;
}

export const tags = ['Account'];
export const clientOf = (request: FastifyRequest): Client => ({
  ip: request.ip,
  userAgent: request.headers['user-agent'],
});
export const userOf = ({ id, email, createdAt }: Account) => ({ id, email, created_at: createdAt.toISOString() });

export function handOver(reply: FastifyReply, cookies: string[]): void {
  void reply.header('cache-control', 'no-store');
  if (cookies.length > 0) void reply.header('set-cookie', cookies);
}

export function sendSession(reply: FastifyReply, outcome: Outcome<NewSession>) {
  if (!outcome.ok) return sendProblem(reply, outcome.error);
  const { account, token, expiresAt, cookies } = outcome.value;
  handOver(reply, cookies);
  return reply.send({ user: userOf(account), token, expires_at: expiresAt.toISOString() });
}

/** Sends the result, or the error as a problem response. */
export function sendOutcome<T>(reply: FastifyReply, outcome: Outcome<T>, responseOf: (value: T) => unknown) {
  return outcome.ok ? reply.send(responseOf(outcome.value)) : sendProblem(reply, outcome.error);
}

export const done = () => ({ done: true as const });
