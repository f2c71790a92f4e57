import { checkText } from '@sextant/workers/src/signals/signalChecks.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AiCheckBody, Scan } from '../../../../src/api/types.ts';
import {
  aiCheckState,
  type AiFields,
  type CheckResponse,
  checkResponseOf,
  runChecks,
  stopByOwner,
  stopChecks,
  STOPPED_BY_OWNER,
} from '../../../../src/features/signals/check/aiChecks.ts';
import { countsText } from '../../../../src/features/signals/SignalsTab.tsx';
import { runUserResets } from '../../../../src/state/userReset.ts';
import { scanParams, signalOf } from '../../../support/signals.ts';

const scanOf = (count: number): Scan => {
  const all = Array.from({ length: count }, (_, at) => signalOf({ symbol: `S${at}USDT`, interval: '1h' }));
  const results = {
    best: all[0] ?? null,
    all,
    total: count,
    outcomes: {},
    data_age_ms: 0,
    missing: [],
    confidence: [],
    to_check: all.slice(0, 10).map(({ signal_id: id }) => id),
    is_complete: true,
    timing: { candles_ms: 0, engine_ms: 0, total_ms: 0 },
  };
  const at = '2026-01-01T00:00:00.000Z';
  return {
    scan_id: 'scan-1',
    status: 'done',
    created_at: at,
    finished_at: at,
    params: scanParams,
    results,
    failure: null,
  };
};
const fields: AiFields = {
  ai_state: 'approved',
  rule_check: null,
  aiApproved: true,
  aiRationale: 'Fine.',
  aiProposal: null,
  suggestedRiskMultiplier: 1,
};
const approved: CheckResponse = { kind: 'checked', fields, why: null };
const respond = (status: number, body: object, headers: Record<string, string> = {}) =>
  checkResponseOf(
    new Response(null, { status, headers: { 'content-type': 'application/problem+json', ...headers } }),
    body,
  );

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  stopChecks();
  vi.useRealTimers();
});

describe('checks their owner stops', () => {
  it('say that nothing opens before they have ended, and clear that when they start again', () => {
    const request = () => new Promise<CheckResponse>(() => undefined);
    void runChecks({ scan: scanOf(3), options: {}, ask: request, keep: () => undefined });
    stopByOwner();
    expect(aiCheckState).toMatchObject({ scanId: 'scan-1', isRunning: false, notice: STOPPED_BY_OWNER });
    void runChecks({ scan: scanOf(3), options: {}, ask: request, keep: () => undefined });
    expect(aiCheckState).toMatchObject({ isRunning: true, notice: null });
  });
});

describe('the checks of a scan', () => {
  it('send the ten best, one after the other, 120 ms after each response', async () => {
    const requested: { body: AiCheckBody; at: number }[] = [];
    const retained: string[] = [];
    const done = runChecks({
      scan: scanOf(12),
      options: { softApproval: true, allowAiCorrectionOnReject: false },
      ask: async (body) => {
        requested.push({ body, at: Date.now() });
        // The analyst takes its time: the gap starts with the response.
        await new Promise((resolve) => setTimeout(resolve, 50));
        return approved;
      },
      keep: (id) => retained.push(id),
    });
    await vi.runAllTimersAsync();
    await done;
    expect(requested.map(({ body }) => body.symbol)).toEqual(Array.from({ length: 10 }, (_, at) => `S${at}USDT`));
    expect(requested.slice(1).map(({ at }, index) => at - (requested[index]?.at ?? 0))).toEqual(Array(9).fill(170));
    expect(retained).toHaveLength(10);
    expect(aiCheckState).toMatchObject({
      isRunning: false,
      checking: null,
      doneCount: 10,
      totalCount: 10,
      notice: null,
    });
    expect(requested[0]?.body).toEqual({
      scan_id: 'scan-1',
      symbol: 'S0USDT',
      interval: '1h',
      limit: 200,
      balance: 1000,
      riskTolerance: 'medium',
      leverage: 10,
      tuning: scanParams.tuning,
      allowAiCorrectionOnReject: false,
      softApproval: true,
    });
  });

  it('go on after a reject and after an analyst that is away, and end at anything else', async () => {
    const responses: CheckResponse[] = [
      { kind: 'checked', fields: { ...fields, ai_state: 'rejected', aiApproved: false }, why: null },
      { kind: 'checked', fields: { ...fields, ai_state: 'offline', aiApproved: null }, why: 'The cap is reached.' },
      approved,
      { kind: 'stopped', message: 'All AI checks of this scan are used.' },
    ];
    const retained: string[] = [];
    const done = runChecks({
      scan: scanOf(10),
      options: {},
      ask: () => Promise.resolve(responses.shift() ?? approved),
      keep: (_id, { ai_state }) => retained.push(ai_state),
    });
    await vi.runAllTimersAsync();
    await done;
    expect(retained).toEqual(['rejected', 'offline', 'approved']);
    expect(aiCheckState.notice).toBe('All AI checks of this scan are used.');
    expect(Object.values(aiCheckState.why)).toEqual(['The cap is reached.']);
  });

  it('request a result again that is being checked elsewhere, after the pause the server names', async () => {
    const times: number[] = [];
    const done = runChecks({
      scan: scanOf(1),
      options: {},
      ask: () => {
        times.push(Date.now());
        return Promise.resolve(times.length === 1 ? { kind: 'later', afterS: 2, message: 'wait' } : approved);
      },
      keep: () => undefined,
    });
    await vi.runAllTimersAsync();
    await done;
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(2000);
    expect(aiCheckState.doneCount).toBe(1);
  });

  it('SIG-050 end with their owner, and nothing of theirs is stored', async () => {
    let requestedCount = 0;
    const retained: string[] = [];
    const done = runChecks({
      scan: scanOf(10),
      options: {},
      ask: () => {
        requestedCount++;
        if (requestedCount === 2) runUserResets();
        return Promise.resolve(approved);
      },
      keep: (id) => retained.push(id),
    });
    await vi.runAllTimersAsync();
    await done;
    expect(requestedCount).toBe(2);
    expect(retained).toHaveLength(1);
    expect(aiCheckState).toMatchObject({ scanId: null, doneCount: 0, isRunning: false });
  });
});

describe('a response', () => {
  it('of 409 is a reject with its rationale, and without one it is a reject all the same (SIG-045, ERR-030)', () => {
    const rejected = { code: 'ai_rejected', ai_state: 'rejected', aiApproved: false };
    expect(respond(409, { ...rejected, rationale: 'Against the trend.' })).toMatchObject({
      kind: 'checked',
      fields: { ai_state: 'rejected', aiApproved: false, aiRationale: 'Against the trend.' },
    });
    expect(respond(409, rejected)).toMatchObject({
      kind: 'checked',
      fields: { ai_state: 'rejected', aiRationale: null },
    });
    expect(respond(409, {})).toMatchObject({ kind: 'checked', fields: { ai_state: 'rejected', aiApproved: false } });
  });

  it('of 503 ai_offline is a state with its reason, and approves nothing', () =>
    expect(respond(503, { code: 'ai_offline', message: 'The AI provider is unreachable.' })).toEqual({
      kind: 'checked',
      fields: {
        ai_state: 'offline',
        rule_check: null,
        aiApproved: null,
        aiRationale: null,
        aiProposal: null,
        suggestedRiskMultiplier: null,
      },
      why: 'The AI provider is unreachable.',
    }));

  it('of a limit is requested again later; any other failure ends the run', () => {
    expect(respond(429, { code: 'rate_limited', message: 'm' }, { 'retry-after': '3' })).toMatchObject({
      kind: 'later',
      afterS: 3,
    });
    expect(respond(429, { code: 'ai_checks_used', message: 'used' })).toEqual({ kind: 'stopped', message: 'used' });
    expect(respond(503, { code: 'overloaded', message: 'busy' })).toEqual({ kind: 'stopped', message: 'busy' });
  });
});

it('the counts leave out what there is none of', () =>
  expect(
    countsText([
      { ai_state: 'approved', rule_check: null },
      { ai_state: 'rejected', rule_check: null },
      { ai_state: 'rejected', rule_check: null },
      { ai_state: 'online', rule_check: null },
    ]),
  ).toBe('1 approved, 2 not approved, 1 not checked'));

it.each([
  ['online', null, 'AI: not checked yet'],
  ['approved', null, 'AI: approved'],
  ['rejected', null, 'AI: not approved'],
  ['offline', null, 'AI: offline'],
  ['offline', 'not_run', null],
  ['offline', 'passed', 'Rule check: passed'],
  ['offline', 'not_passed', 'Rule check: not passed'],
] as const)('X73 %s with the rule check %s is shown as %s', (ai_state, rule_check, text) => {
  expect(checkText({ ai_state, rule_check })).toBe(text);
});
