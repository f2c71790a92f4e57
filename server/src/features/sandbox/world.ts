import { PLAN_DAYS, PLAN_NOTICE_DAYS, SANDBOX_DAYS, SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import type { z } from 'zod';
import { type Outcome, reject } from '../../platform/errors.ts';
import type { NotificationKind, NotificationPayloads } from '../notifications/kinds.ts';
import { INVOICE_EXPIRES_S } from '../payments/contract.ts';
import type { SandboxClockRequest, SandboxClockResponse } from './contract.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Last moment of the sandbox: its candles end there. */
export const SANDBOX_END_MS = SANDBOX_MS + SANDBOX_DAYS * DAY_MS;
/** The sandbox scans at each close of a 4-hour candle. */
const SCAN_EVERY_MS = 4 * HOUR_MS;
export const INVOICES_MAX = 20;

interface SandboxInvoice {
  id: string;
  credits: number;
  createdMs: number;
  /** When the full amount arrives; null: never. */
  paidMs: number | null;
}

/** What the test keys of an account did, by the sandbox's time. All else follows from it. */
export interface SandboxWorld {
  nowMs: number;
  /** The plan bought last. */
  plan: { id: string; name: string; boughtMs: number } | null;
  invoices: SandboxInvoice[];
  /** Messages so far. */
  messageCount: number;
}

export const initialWorld: SandboxWorld = { nowMs: SANDBOX_MS, plan: null, invoices: [], messageCount: 0 };

/** Makes ids: equal values give equal ids. */
export type IdOf = (thing: unknown) => string;

const planEndMs = ({ boughtMs }: { boughtMs: number }): number => boughtMs + PLAN_DAYS * DAY_MS;
const iso = (ms: number): string => new Date(ms).toISOString();

const invoiceEndMs = ({ createdMs }: SandboxInvoice): number => createdMs + INVOICE_EXPIRES_S * 1000;

/** Money that arrives late is credited too, as live. */
function statusAt(invoice: SandboxInvoice, nowMs: number): 'PENDING' | 'COMPLETED' | 'EXPIRED' {
  if (invoice.paidMs !== null && invoice.paidMs <= nowMs) return 'COMPLETED';
  return invoiceEndMs(invoice) <= nowMs ? 'EXPIRED' : 'PENDING';
}

export type WorldRequest = z.output<typeof SandboxClockRequest>;

/** The world after the purchases of a request, before its clock moves. Errors: a plan that runs, too many invoices. */
export function withPurchases(world: SandboxWorld, request: WorldRequest, idOf: IdOf): Outcome<SandboxWorld> {
  const start = request.restart ? initialWorld : world;
  const { nowMs } = start;
  const { buy_plan: name, invoice } = request;
  let { plan, invoices } = start;
  if (name !== undefined) {
    if (plan !== null && planEndMs(plan) > nowMs) {
      const message = `The ${plan.name} plan runs until ${iso(planEndMs(plan))}. Move the clock there, or restart.`;
      return reject('plan_locked', message, { field: 'buy_plan' });
    }
    plan = { id: idOf(['plan', name, nowMs]), name, boughtMs: nowMs };
  }
  if (invoice !== undefined) {
    if (invoices.length >= INVOICES_MAX)
      return reject('conflict', `The sandbox has ${INVOICES_MAX} invoices. Send restart: true.`, { field: 'invoice' });
    const after = invoice.paid_after_minutes;
    const id = idOf(['invoice', invoices.length, nowMs]);
    const paidMs = after === null ? null : nowMs + after * 60_000;
    invoices = [...invoices, { id, credits: invoice.credits, createdMs: nowMs, paidMs }];
  }
  return ok({ ...start, plan, invoices });
}

/** The time a request moves to. Errors: after the end of the sandbox. */
export function targetOf({ nowMs }: SandboxWorld, { advance_minutes: minutes }: WorldRequest): Outcome<number> {
  const target = nowMs + minutes * 60_000;
  if (target <= SANDBOX_END_MS) return ok(target);
  const left = Math.round((SANDBOX_END_MS - nowMs) / 60_000);
  const message = `The sandbox ends at ${iso(SANDBOX_END_MS)}: advance at most ${left} minutes, or restart.`;
  return reject('validation_failed', message, { field: 'advance_minutes' });
}

/** An event of the sandbox, with the live payload. */
export interface SandboxEvent<K extends NotificationKind = NotificationKind> {
  atMs: number;
  kind: K;
  payload: NotificationPayloads[K];
}

/** Events of plan and invoices after `world.nowMs` until `toMs`, in order. */
export function accountEvents({ nowMs, plan, invoices }: SandboxWorld, toMs: number): SandboxEvent[] {
  const events: SandboxEvent[] = invoices.flatMap(({ id, credits, paidMs }): SandboxEvent[] => {
    if (paidMs === null) return [];
    const payload = { payment_id: id, credits, credits_total: credits, method: 'usdt' };
    return [{ atMs: paidMs, kind: 'payment_completed', payload }];
  });
  if (plan !== null) {
    const endMs = planEndMs(plan);
    const payload = { subscription_id: plan.id, plan: plan.name, expires_at: iso(endMs) };
    events.push({ atMs: endMs - PLAN_NOTICE_DAYS * DAY_MS, kind: 'plan_expiring', payload });
  }
  return events.filter(({ atMs }) => atMs > nowMs && atMs <= toMs).sort((a, b) => a.atMs - b.atMs);
}

/** Times of the sandbox's scans after `fromMs` until `toMs`. */
export function scanTimes(fromMs: number, toMs: number): number[] {
  const times: number[] = [];
  for (let at = (Math.floor(fromMs / SCAN_EVERY_MS) + 1) * SCAN_EVERY_MS; at <= toMs; at += SCAN_EVERY_MS)
    times.push(at);
  return times;
}

/** The state as the API shows it. */
export const shownWorld = ({ nowMs, plan, invoices }: SandboxWorld): z.input<typeof SandboxClockResponse> => ({
  now: iso(nowMs),
  starts_at: iso(SANDBOX_MS),
  ends_at: iso(SANDBOX_END_MS),
  plan:
    plan === null || planEndMs(plan) <= nowMs
      ? { name: 'FREE', expires_at: null }
      : { name: plan.name, expires_at: iso(planEndMs(plan)) },
  invoices: invoices.map((invoice) => ({
    payment_id: invoice.id,
    credits: invoice.credits,
    status: statusAt(invoice, nowMs),
    created_at: iso(invoice.createdMs),
    expires_at: iso(invoiceEndMs(invoice)),
  })),
});
