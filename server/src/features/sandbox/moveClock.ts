import { ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import { type Outcome, reject } from '../../platform/errors.ts';
import { eventOf } from '../notifications/kinds.ts';
import { bodyOf, signedHeaders } from '../notifications/message.ts';
import type { WebhookPoster } from '../notifications/port.ts';
import { exampleCreated } from '../notifications/webhooks/examples.ts';
import type { SandboxClocks, StoredWorld } from './clocks.ts';
import type { SandboxDelivery, SandboxMessage, SandboxMoveResponse } from './contract.ts';
import {
  accountEvents,
  type IdOf,
  type SandboxEvent,
  scanTimes,
  shownWorld,
  targetOf,
  withPurchases,
  type WorldRequest,
} from './world.ts';

export interface MoveDeps {
  clocks: SandboxClocks;
  poster: Pick<WebhookPoster, 'rejectionOf' | 'post'>;
  /** Signals that the scan of the sandbox finds at a time. */
  scanAt: (nowMs: number) => Promise<Outcome<SandboxEvent[]>>;
  idOf: IdOf;
}

type Message = z.input<typeof SandboxMessage>;

/** The scans of a move end within this time. */
const moveMs = 60_000;
/** All messages of a move are sent within this time. */
const deliveryMs = 40_000;

/** Posts messages one after the other, until the first that is not accepted. The signature has the real time, as receivers check it. */
async function deliver(
  { poster, clocks }: Pick<MoveDeps, 'poster' | 'clocks'>,
  { userId, url, signal }: { userId: string; url: string; signal: AbortSignal },
  messages: readonly Message[],
): Promise<z.input<typeof SandboxDelivery>> {
  const endMs = performance.now() + deliveryMs;
  for (const [delivered, { id, body }] of messages.entries()) {
    if (signal.aborted) return { delivered, failure: 'The caller left.' };
    const blocked = await clocks.admitPost(userId, new URL(url).host);
    if (blocked !== undefined)
      return { delivered, failure: `Too many posts to this host. Try again in ${blocked.retryAfterS} s.` };
    if (performance.now() > endMs) return { delivered, failure: `The messages took more than ${deliveryMs / 1000} s.` };
    const posted = await poster.post(url, signedHeaders([exampleCreated.secret], id, Date.now(), body), body);
    if (!posted.ok) return { delivered, failure: posted.error.message };
    const { status } = posted.value;
    if (status < 200 || status > 299) return { delivered, failure: `The receiver responded with status ${status}.` };
  }
  return { delivered: messages.length, failure: null };
}

/** Events of plan, invoices and scans in order; of one moment those of the account first. */
async function eventsUntil(
  deps: MoveDeps,
  world: StoredWorld['world'],
  { toMs, signal }: { toMs: number; signal: AbortSignal },
): Promise<Outcome<SandboxEvent[]>> {
  const events = accountEvents(world, toMs);
  for (const atMs of scanTimes(world.nowMs, toMs)) {
    if (signal.aborted)
      return reject('deadline_exceeded', 'The move took too long. Move the clock by fewer minutes.', {
        field: 'advance_minutes',
      });
    const found = await deps.scanAt(atMs);
    if (!found.ok) return found;
    events.push(...found.value);
  }
  return ok(events.sort((a, b) => a.atMs - b.atMs));
}

function messagesOf(events: readonly SandboxEvent[], sentBefore: number, idOf: IdOf): Message[] {
  return events.map(({ kind, payload, atMs }, i) => {
    const sequence = sentBefore + i + 1;
    const id = `msg_${idOf(['message', sequence, atMs, kind])}`;
    return { id, event: eventOf(kind), body: bodyOf({ kind, payload, createdAt: new Date(atMs) }, sequence) };
  });
}

/**
 * Moves the clock of an account: purchases first, then all that happens until the new time. Equal calls from a restart give equal
 * bytes. Errors: the end of the sandbox, a plan that runs, a URL that cannot be a target, another move meanwhile, too many moves.
 */
export async function moveClock(
  deps: MoveDeps,
  userId: string,
  request: WorldRequest,
  caller: AbortSignal,
): Promise<Outcome<z.input<typeof SandboxMoveResponse>>> {
  const { clocks, poster, idOf } = deps;
  const { webhook_url: url } = request;
  const rejected = url === undefined ? undefined : poster.rejectionOf(url);
  if (rejected !== undefined) return reject('validation_failed', `The URL ${rejected}.`, { field: 'webhook_url' });
  const blocked = await clocks.admit(userId);
  if (blocked !== undefined)
    return reject('rate_limited', 'At most 60 moves an hour.', { retryAfterS: blocked.retryAfterS });
  const before = await clocks.read(userId);
  const bought = withPurchases(before.world, request, idOf);
  if (!bought.ok) return bought;
  const target = targetOf(bought.value, request);
  if (!target.ok) return target;
  const signal = AbortSignal.any([caller, AbortSignal.timeout(moveMs)]);
  const events = await eventsUntil(deps, bought.value, { toMs: target.value, signal });
  if (!events.ok) return events;
  const messages = messagesOf(events.value, bought.value.messageCount, idOf);
  const world = { ...bought.value, nowMs: target.value, messageCount: bought.value.messageCount + messages.length };
  if (!(await clocks.write(userId, before, world)))
    return reject('conflict', 'Another call moved the clock meanwhile. Read it and try again.');
  const delivery = url === undefined ? null : await deliver(deps, { userId, url, signal: caller }, messages);
  return ok({ ...shownWorld(world), messages, delivery });
}
