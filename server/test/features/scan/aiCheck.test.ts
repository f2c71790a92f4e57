// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { type LlmFake, startLlm } from '../../../fakes/llm/server.ts';
import { createModelAnalyst } from '../../../src/adapters/llm/createModelAnalyst.ts';
import { builtInVerdict } from '../../../src/features/aicheck/builtInAnalyst.ts';
import { featuresOf } from '../../../src/features/scan/aicheck/checkResult.ts';
import { AiCheckProblem } from '../../../src/features/scan/aicheck/contract.ts';
import { resultsToCheck } from '../../../src/features/scan/candidates.ts';
import { checkAwayResults } from '../../../src/features/scan/away/checkAway.ts';
import { startWorkers } from '../../../src/startWorkers.ts';
import { hostileTexts } from '../aicheck/support/hostileTexts.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let exchanges: ExchangesFake;
let llm: LlmFake;
let test: TestApp;
let stopWorkers: () => Promise<void>;
let anna: TestUser;
let scan: { scan_id: string; results: { best: unknown; all: Result[] }; params: Record<string, unknown> };
type Result = Record<string, unknown> & {
  verdict: { state: string };
  symbol: string;
  interval: string;
  price: number;
  stopLoss: number;
  outcome: string;
  filtered_by: string | null;
};
type Scanned = typeof scan;

beforeAll(async () => {
  [exchanges, llm] = await Promise.all([startExchanges(), startLlm()]);
  test = await createTestApp({ env: { EXCHANGES_URL: exchanges.url } });
  stopWorkers = await startWorkers(test.deps, test.app.log);
  anna = await test.signUp();
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
  await Promise.all([exchanges.close(), llm.close()]);
});

const read = async <T>(user: TestUser, url: string) => (await test.app.inject({ url, headers: user.bearer })).json<T>();
const ledger = (user: TestUser) =>
  test.database.asOwner('select kind, reason, delta_credits from credit_ledger where user_id = $1 order by id', [
    user.id,
  ]);

/** A finished scan of fresh symbols, so that no signal in it was judged before. */
async function scanned(user: TestUser, symbolCount: number): Promise<Scanned> {
  const payload = { max_symbols: symbolCount, min_auto_conf_pct: 0 };
  await test.app.inject({ method: 'PUT', url: '/api/preferences', headers: user.bearer, payload });
  await test.app.inject({ method: 'POST', url: '/api/scan', headers: user.bearer, payload: {} });
  const last = async () => await read<{ scan: Scanned | null; active: unknown }>(user, '/api/scan/last');
  await expect.poll(async () => (await last()).active, { timeout: 20_000 }).toBeNull();
  const { scan: done } = await last();
  if (done === null) throw new Error('the scan failed');
  return done;
}
const check = (user: TestUser, of: { scan_id: string }, result: Result, more: object = {}) =>
  test.app.inject({
    method: 'POST',
    url: '/api/signal/ai-check',
    headers: user.bearer,
    payload: { scan_id: of.scan_id, symbol: result.symbol, interval: result.interval, ...more },
  });
/** Distances of the result itself, which a verdict may repeat. */
const levelsOf = ({ price, stopLoss }: Result) => {
  const stop = Math.abs(stopLoss / price - 1) * 100;
  return { suggested_stop_loss_pct: stop, suggested_take_profit_pct: stop * 2 };
};
/** The timeout is for a hang only, unless a test is about it. */
const useModel = (timeoutMs = 60_000) => {
  test.deps.aiCheck.model = createModelAnalyst({
    apiKey: 'k',
    model: 'm-1',
    baseUrl: llm.url,
    reservedMicrousd: 1,
    timeoutMs,
  });
};

beforeEach(async () => {
  test.deps.aiCheck.model = undefined;
  llm.play('verdict');
  anna = await test.signUp();
  scan = await scanned(anna, 8);
  expect(scan.results.all.length).toBeGreaterThan(11);
});
const result = (i: number): Result => scan.results.all[i]!;
const storedOf = async (i: number) =>
  (await read<{ scan: Scanned }>(anna, `/api/scan/${scan.scan_id}`)).scan.results.all.find(
    ({ symbol, interval }) => symbol === result(i).symbol && interval === result(i).interval,
  );

describe('an AI check of a result of the own scan', () => {
  it('SIG-044 X73 is a rule check without a key: the AI is offline, the rules pass or not; it is shown with the scan, and is not counted as a second credit', async () => {
    const before = await ledger(anna);
    expect(result(0)).toMatchObject({
      ai_state: 'offline',
      rule_check: 'not_run',
      aiApproved: null,
      aiRationale: null,
    });
    const { balance, riskTolerance, leverage, tuning } = scan.params;
    const sent = {
      limit: 200,
      balance,
      riskTolerance,
      leverage,
      tuning,
      allowAiCorrectionOnReject: false,
      softApproval: false,
    };
    const response = await check(anna, scan, result(0), sent);
    const body = response.json<Record<string, unknown>>();
    expect(body).toMatchObject({ decided_by: 'built_in', model: 'built-in-3', checks_left: 9 });
    expect(response.statusCode).toBe(200);
    const seen = featuresOf(result(0) as never);
    const isPassed = seen !== undefined && builtInVerdict(seen).decision === 'approved';
    expect(body).toMatchObject({
      ai_state: 'offline',
      aiApproved: null,
      rule_check: isPassed ? 'passed' : 'not_passed',
    });
    expect(body['aiRationale']).toMatch(/^Built-in rules, no AI model/);
    const { ai_state, rule_check, aiApproved, aiRationale, aiProposal, suggestedRiskMultiplier } = body;
    const stored = await storedOf(0);
    if (result(0).verdict.state === 'check_due') expect(stored?.verdict.state).toBe(isPassed ? 'may_open' : 'refused');
    expect(stored).toEqual({
      ...result(0),
      verdict: stored?.verdict,
      ai_state,
      rule_check,
      aiApproved,
      aiRationale,
      aiProposal,
      suggestedRiskMultiplier,
    });
    // Its verdict may change: it waited while the checked result of its symbol could open.
    expect(await storedOf(1)).toEqual({ ...result(1), verdict: expect.anything() as unknown });
    const again = (await check(anna, scan, result(0), sent)).json<Record<string, unknown>>();
    expect({ ...again, request_id: 0 }).toEqual({ ...body, request_id: 0 });
    expect(await ledger(anna)).toEqual(before);
  });

  it('X73 a result that no model has checked yet is online, and not a reject', async () => {
    useModel();
    const bert = await test.signUp();
    const own = await scanned(bert, 8);
    expect(own.results.all[0]).toMatchObject({ ai_state: 'online', rule_check: null, aiApproved: null });
  });

  it('X73 the rules decide: after a soft pass it has at most half the size, and the state of the AI stays offline', async () => {
    const seen = scan.results.all.map((each) => featuresOf(each as never));
    const at = seen.findIndex((each) => each !== undefined && builtInVerdict(each).decision === 'rejected');
    expect((await check(anna, scan, result(at))).json()).toMatchObject({
      rule_check: 'not_passed',
      ai_state: 'offline',
    });
    const soft = (await check(anna, scan, result(at), { softApproval: true })).json<Record<string, unknown>>();
    expect(soft).toMatchObject({ rule_check: 'passed', ai_state: 'offline', aiApproved: null });
    expect(soft['suggestedRiskMultiplier']).toBeLessThanOrEqual(0.5);
  });

  it('ERR-030 by the model: approved is 200, rejected 409 with its rationale, one call each; the options apply to the stored verdict', async () => {
    useModel();
    llm.say({ ...levelsOf(result(0)), verdict: 'approved' });
    const good = await check(anna, scan, result(0));
    expect([good.statusCode, good.json()]).toMatchObject([
      200,
      { ai_state: 'approved', decided_by: 'model', model: 'm-1' },
    ]);
    llm.say({ ...levelsOf(result(1)), verdict: 'rejected', rationale: 'Votes of one family only.' });
    const bad = await check(anna, scan, result(1));
    // Strict: the body holds what the document says, and nothing else.
    expect(AiCheckProblem.parse(bad.json())).toMatchObject({
      status: 409,
      code: 'ai_rejected',
      rationale: 'Votes of one family only.',
      message: 'Votes of one family only.',
      ai_state: 'rejected',
      rule_check: null,
      aiApproved: false,
      checks_left: 8,
    });
    const count = llm.requests.length;
    const soft = (await check(anna, scan, result(1), { softApproval: true })).json<Record<string, unknown>>();
    expect(soft).toMatchObject({
      ai_state: 'approved',
      suggestedRiskMultiplier: 0.5,
      correction: null,
      checks_left: 8,
    });
    const corrected = await check(anna, scan, result(1), { allowAiCorrectionOnReject: true });
    const { suggested_stop_loss_pct: stop_loss_pct } = levelsOf(result(1));
    expect(corrected.json()).toMatchObject({ ai_state: 'approved', correction: { stop_loss_pct } });
    expect(llm.requests).toHaveLength(count);
    const { ai_check } = await read<{ ai_check: { signals: number } }>(anna, '/api/performance');
    expect(ai_check.signals).toBe(1);
    expect((await read<{ ai_check: unknown }>(await test.signUp(), '/api/performance')).ai_check).toBeNull();
  });

  it.each(['hang', 'rateLimited', 'serverError', 'halfJson', 'refusal', 'obeysInjection'] as const)(
    'X3 %s: offline, nothing approved, nothing charged',
    async (scenario) => {
      useModel(scenario === 'hang' ? 150 : 60_000);
      llm.play(scenario, { retryAfterS: 0 });
      const before = await ledger(anna);
      const response = await check(anna, scan, result(0), { softApproval: true });
      expect(AiCheckProblem.parse(response.json())).toMatchObject({
        status: 503,
        code: 'ai_offline',
        ai_state: 'offline',
        aiApproved: null,
      });
      expect(await storedOf(0)).toMatchObject({ ai_state: 'offline', aiApproved: null });
      expect(await ledger(anna)).toEqual(before);
    },
  );

  it('CONST-021 takes place at most ten times a scan, also for thirty concurrent requests', async () => {
    const chosen = Array.from({ length: 30 }, (_, i) => result(i % scan.results.all.length));
    const responses = await Promise.all(chosen.map((each) => check(anna, scan, each)));
    const counts = Object.groupBy(responses, (response) => response.json<{ code?: string }>().code ?? 'checked');
    expect(counts['ai_checks_used']?.length).toBeGreaterThan(0);
    expect(counts['internal']).toBeUndefined();
    const rows = await test.database.asOwner<{ place: number }>(
      'select place from scan_ai_checks where scan_id = $1 order by place',
      [scan.scan_id],
    );
    expect(rows.map(({ place }) => place)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const { all } = (await read<{ scan: Scanned }>(anna, `/api/scan/${scan.scan_id}`)).scan.results;
    expect(all.filter(({ rule_check }) => rule_check !== 'not_run')).toHaveLength(10);
  });

  it('X3 that a dead server left open is waited for without an open page, and ends; no model call is repeated', async () => {
    useModel();
    // The best result is among the checked ones; the first of the list need not be, when it cannot be opened.
    const at = scan.results.all.indexOf(resultsToCheck(scan.results.all, 10)[0]!);
    const best = result(at);
    // A check left open by a server that died during it.
    await test.database.asOwner(
      `insert into scan_ai_checks (scan_id, user_id, symbol, interval, place, soft_approval, allow_correction)
       values ($1, $2, $3, $4, 1, false, false)`,
      [scan.scan_id, anna.id, best.symbol, best.interval],
    );
    const count = llm.requests.length;
    const deps = { db: test.deps.db, ...test.deps.aiCheck };
    const checking = checkAwayResults(
      deps,
      { userId: anna.id, scanId: scan.scan_id },
      new AbortController().signal,
      50,
    );
    await expect.poll(() => llm.requests.length - count, { timeout: 20_000 }).toBe(9);
    expect(await storedOf(at)).toMatchObject({ rule_check: 'not_run' });
    await test.database.asOwner(`update scan_ai_checks set asked_at = asked_at - interval '1 minute' where place = 1`);
    await checking;
    expect(llm.requests.length - count).toBe(10);
    const { scan: stored } = await read<{ scan: Scanned }>(anna, `/api/scan/${scan.scan_id}`);
    expect(stored.results.all.filter((each) => each.rule_check !== 'not_run')).toHaveLength(10);
    // The queue delivers the job again: no check is left.
    await checkAwayResults(deps, { userId: anna.id, scanId: scan.scan_id }, new AbortController().signal, 50);
    expect(llm.requests.length - count).toBe(10);
  });

  it('X3 fifty hostile texts have no effect: nothing opens, nothing is charged, and they stay plain text', async () => {
    useModel();
    const texts = [...hostileTexts];
    let verdicts = 0;
    expect(texts).toHaveLength(50);
    for (let i = 0; i < 5; i++) {
      const user = i === 0 ? anna : await test.signUp();
      const own = i === 0 ? scan : await scanned(user, 8);
      await test.app.inject({
        method: 'PUT',
        url: '/api/preferences',
        headers: user.bearer,
        payload: { auto_open_enabled: true, min_auto_conf_pct: 0 },
      });
      const before = await ledger(user);
      for (const one of own.results.all.slice(0, 10)) {
        const text = texts.shift() ?? '';
        llm.say({ ...levelsOf(one), verdict: 'rejected', rationale: text || 'x', tags: [text, text] });
        const body = (await check(user, own, one)).json<Record<string, unknown>>();
        // Whatever the text says, the outcome is a reject or no verdict.
        expect(body['aiApproved']).not.toBe(true);
        if (body['ai_state'] === 'rejected') verdicts++;
        expect(String(body['aiRationale'])).not.toMatch(/[<>`[\]{}]|:\/\//);
      }
      const run = await test.app.inject({
        method: 'POST',
        url: '/api/positions/auto',
        headers: user.bearer,
        payload: { scan_id: own.scan_id },
      });
      expect(run.json()).toMatchObject({ run: { opened: 0 } });
      expect(await ledger(user)).toEqual(before);
      const prefs = await read<Record<string, unknown>>(user, '/api/preferences');
      expect(prefs).toMatchObject({ leverage: 10, auto_open_enabled: true, balance_usdt: 1000 });
    }
    expect(texts).toEqual([]);
    expect(verdicts).toBeGreaterThan(40);
    expect(await test.database.asOwner('select id from positions')).toEqual([]);
  });

  it('by the built-in rules is decided for every result, and some are rejected, whatever the confidence', async () => {
    const wide = await scanned(await test.signUp(), 30);
    const decisions = wide.results.all.map((one) => {
      const seen = featuresOf(one as never);
      return seen === undefined ? undefined : builtInVerdict(seen).decision;
    });
    expect(decisions).not.toContain(undefined);
    // How many pass depends on the market and the hour: 1 to 50 % were seen.
    expect(decisions).toContain('rejected');
  });

  it('of another user, of no result, or under other settings is rejected', async () => {
    const bert = await test.signUp();
    expect((await check(bert, scan, result(0))).json()).toMatchObject({ status: 404, code: 'not_found' });
    const absent = { ...result(0), symbol: 'NOSUCHUSDT' };
    expect((await check(anna, scan, absent)).json()).toMatchObject({ status: 422, code: 'no_result', field: 'symbol' });
    expect((await check(anna, scan, result(0), { leverage: 77 })).json()).toMatchObject({
      status: 400,
      field: 'leverage',
    });
    expect(await storedOf(0)).toMatchObject({ rule_check: 'not_run' });
  });
});

describe('a scan whose page was closed before its checks ended', () => {
  const jobOf = () =>
    test.database.asOwner<{ state: string; waits_s: number; data: { mayOpen: boolean } }>(
      `select state::text, extract(epoch from start_after - created_on)::int as waits_s, data
       from jobs.job where name = 'scan_checks' and id = $1`,
      [scan.scan_id],
    );

  it('is checked by the server two minutes later, repeats no model call and opens nothing', async () => {
    useModel();
    llm.say({ ...levelsOf(result(0)), verdict: 'approved' });
    expect(await jobOf()).toMatchObject([{ state: 'created', waits_s: 120, data: { mayOpen: false } }]);
    // The page requested one check and was closed.
    expect((await check(anna, scan, result(0))).statusCode).toBe(200);
    const requestCount = llm.requests.length;
    await test.database.asOwner(`update jobs.job set start_after = now() where name = 'scan_checks' and id = $1`, [
      scan.scan_id,
    ]);
    await expect.poll(async () => (await jobOf())[0]?.state, { timeout: 30_000 }).toBe('completed');
    const checks = await test.database.asOwner('select symbol from scan_ai_checks where scan_id = $1', [scan.scan_id]);
    expect(checks).toHaveLength(10);
    expect(llm.requests.length - requestCount).toBe(9);
    const { scan: seen } = await read<{ scan: Scanned }>(anna, `/api/scan/${scan.scan_id}`);
    const best = seen.results.all.filter(({ ai_state: state }) => state === 'approved');
    expect(best.length).toBeGreaterThan(1);
    const opened = 'select id from positions where user_id = $1 union select id from auto_runs where user_id = $1';
    expect(await test.database.asOwner(opened, [anna.id])).toEqual([]);
  });

  it('is not checked when it was cancelled: it has no results', async () => {
    const bert = await test.signUp();
    const started = await test.app.inject({ method: 'POST', url: '/api/scan', headers: bert.bearer, payload: {} });
    const { scan_id: id } = started.json<{ scan_id: string }>();
    await test.app.inject({ method: 'POST', url: `/api/scan/${id}/cancel`, headers: bert.bearer });
    const last = async () => await read<{ active: unknown }>(bert, '/api/scan/last');
    await expect.poll(async () => (await last()).active, { timeout: 20_000 }).toBeNull();
    const rows = await test.database.asOwner<{ status: string; jobs: number }>(
      `select status, (select count(*)::int from jobs.job where name = 'scan_checks' and id = scans.id) as jobs from scans where id = $1`,
      [id],
    );
    // A scan that was done before its cancellation has its results.
    expect(rows[0]?.jobs).toBe(rows[0]?.status === 'done' ? 1 : 0);
  });
});
