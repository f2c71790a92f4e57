import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { isScanTooOld } from '@sextant/workers/src/signals/signalVerdict.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertPosition } from '../../../src/features/positions/eventWriter.ts';
import { withSystem } from '../../../src/platform/db/scope.ts';
import { startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';
import { newPosition } from '../positions/support/positions.ts';

let test: MarketApp;
let stopWorkers: () => Promise<void>;
beforeAll(async () => {
  test = await createMarketApp();
  stopWorkers = await startWorkers(test.deps, test.app.log);
});
afterAll(async () => {
  await stopWorkers();
  await test.close();
});

interface Verdict {
  state: string;
  reason: string | null;
  text: string;
}
interface Result {
  symbol: string;
  interval: string;
  direction: 'LONG' | 'SHORT';
  outcome: string;
  verdict: Verdict;
}
interface Scan {
  scan_id: string;
  status: string;
  results: { best: Result | null; all: Result[] } | null;
}
/** A position of the user that is closed with a loss. */
async function close(user: TestUser, symbol: string, reason: string): Promise<void> {
  const id = await withSystem(test.deps.db, (tx) => insertPosition(tx, newPosition(user.id, { symbol })));
  await test.database.asOwner(
    'update positions set closed_at = clock_timestamp(), close_reason = $2, close_price = 98 where id = $1',
    [id, reason],
  );
}

interface Run {
  run: { items: { symbol: string; interval: string; outcome: string; detail: string | null; message: string }[] };
}

async function send<T>(user: TestUser, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<T> {
  return (await test.app.inject({ method, url, headers: user.bearer, ...(payload && { payload }) })).json<T>();
}

/** Rules that enter at almost any score, so that any market has results that may open. */
async function scanned(user: TestUser): Promise<Scan & { results: NonNullable<Scan['results']> }> {
  await send(user, 'PUT', '/api/preferences', { balance_usdt: 100_000, min_auto_conf_pct: 0, positions_wanted: 3 });
  const value = { ...liveRules(['1h']), entryThreshold: 0.001 };
  const { strategies } = await send<{ strategies: { id: string }[] }>(user, 'POST', '/api/strategies', {
    name: 'Any',
    value,
  });
  await send(user, 'PUT', '/api/strategies/used', { id: strategies[0]!.id });
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'ADAUSDT'];
  const { scan_id: id } = await send<Scan>(user, 'POST', '/api/scan', { symbols });
  await expect.poll(async () => (await read(user, id)).status, { timeout: 60_000 }).toBe('done');
  const scan = await read(user, id);
  if (scan.results === null) throw new Error('the scan has no results');
  return { ...scan, results: scan.results };
}
const read = async (user: TestUser, id: string) => (await send<{ scan: Scan }>(user, 'GET', `/api/scan/${id}`)).scan;
const checkAll = async (user: TestUser, { scan_id, results }: Awaited<ReturnType<typeof scanned>>) => {
  for (const { symbol, interval } of results.all.slice(0, 10))
    await send(user, 'POST', '/api/signal/ai-check', { scan_id, symbol, interval });
};

describe('the one verdict of a result in the API', () => {
  it('follows scan, check and opening, and is what opening does', async () => {
    const anna = await test.signUp();
    const scan = await scanned(anna);
    const states = (all: readonly Result[]) => all.map(({ verdict: { state } }) => state);
    const chosen = scan.results.all.filter(({ outcome }) => outcome === 'ELIGIBLE');
    expect(chosen.length).toBeGreaterThan(0);
    expect(new Set(states(chosen))).toEqual(new Set(['check_due']));
    expect(scan.results.best).toEqual(chosen[0]);

    await checkAll(anna, scan);
    const checked = (await read(anna, scan.scan_id)).results!;
    const { run } = await send<Run>(anna, 'POST', '/api/positions/auto', { scan_id: scan.scan_id });
    const opened = (await read(anna, scan.scan_id)).results!;
    expect(run.items).toHaveLength(opened.all.length);
    for (const { symbol, interval, verdict } of opened.all) {
      const item = run.items.find((each) => each.symbol === symbol && each.interval === interval)!;
      const before = checked.all.find((each) => each.symbol === symbol && each.interval === interval)!.verdict;
      // Prices have hardly moved: what the scan and its check allowed opened, and nothing else did.
      expect(before.state === 'may_open', `${symbol}: ${before.text}, ${item.message}`).toBe(item.outcome === 'OPENED');
      if (item.outcome === 'OPENED')
        expect(verdict).toEqual({ state: 'opened', reason: null, text: 'Position opened' });
      // What waited for a slot may still be opened by hand, unless it would be a second position of its symbol.
      else if (before.state === 'waiting') expect(['run_over', 'duplicate']).toContain(verdict.reason);
      else expect(verdict).toEqual({ state: 'refused', reason: item.detail ?? item.outcome, text: item.message });
    }
    expect(opened.best?.verdict.state).toBe('opened');
  });

  it('names no best result where every slot is taken, and counts the slots that are open', async () => {
    const bert = await test.signUp();
    const scan = await scanned(bert);
    await checkAll(bert, scan);
    await send(bert, 'PUT', '/api/preferences', { max_concurrent_positions: 1 });
    await withSystem(test.deps.db, (tx) => insertPosition(tx, newPosition(bert.id, { symbol: 'LTCUSDT' })));
    const { best, all } = (await read(bert, scan.scan_id)).results!;
    expect(best).toBeNull();
    const full = {
      state: 'refused',
      reason: 'max_concurrent',
      text: 'Limit reached (1). Close one or raise the limit.',
    };
    expect(all.map(({ verdict }) => verdict)).toContainEqual(full);
    // The opening returns the same for the same result.
    const { run } = await send<Run>(bert, 'POST', '/api/positions/auto', { scan_id: scan.scan_id });
    const first = all.find(({ verdict }) => verdict.reason === 'max_concurrent')!;
    const item = run.items.find(({ symbol, interval }) => symbol === first.symbol && interval === first.interval);
    expect(item).toMatchObject({ detail: full.reason, message: full.text });
  });

  it('states a guard that tripped since the scan, as opening does, and that it may open once the guard has healed', async () => {
    const dora = await test.signUp();
    const scan = await scanned(dora);
    await checkAll(dora, scan);
    const may = (await read(dora, scan.scan_id)).results!.all.filter(({ verdict }) => verdict.state === 'may_open');
    expect(may.length).toBeGreaterThan(0);
    const after = async () => {
      const { all } = (await read(dora, scan.scan_id)).results!;
      return may.map(({ symbol, interval }) => {
        const match = all.find((each) => each.symbol === symbol && each.interval === interval);
        return match?.verdict;
      });
    };

    for (const symbol of ['LTCUSDT', 'DOTUSDT', 'TRXUSDT']) await close(dora, symbol, 'SL');
    await send(dora, 'PUT', '/api/preferences', { guard_stop_streak: 3 });
    const tripped = {
      state: 'refused',
      reason: 'stop_streak_guard',
      text: '3 losing stops in a row (limit 3): cooling down.',
    };
    expect(await after()).toEqual(may.map(() => tripped));
    expect((await read(dora, scan.scan_id)).results?.best).toBeNull();
    const { run } = await send<Run>(dora, 'POST', '/api/positions/auto', { scan_id: scan.scan_id });
    for (const { symbol, interval } of may) {
      const item = run.items.find((each) => each.symbol === symbol && each.interval === interval);
      expect(item).toMatchObject({ detail: tripped.reason, message: tripped.text });
    }
    expect(await after()).toEqual(may.map(() => tripped));

    // A close by hand ends the streak.
    await close(dora, 'AVAXUSDT', 'MANUAL');
    for (const verdict of await after()) expect(verdict).toMatchObject({ state: 'may_open', reason: 'run_over' });
    const [first] = may;
    const opened = await send<{ id?: string }>(dora, 'POST', '/api/positions', {
      scan_id: scan.scan_id,
      symbol: first!.symbol,
      interval: first!.interval,
    });
    expect(opened.id).toEqual(expect.any(String));
  });

  it('follows settings that were changed since the scan', async () => {
    const emil = await test.signUp();
    const scan = await scanned(emil);
    await checkAll(emil, scan);
    const verdictOf = async (symbol: string) =>
      (await read(emil, scan.scan_id)).results!.all.find((each) => each.symbol === symbol)!.verdict;
    const first = (await read(emil, scan.scan_id)).results!.all.find(({ verdict }) => verdict.state === 'may_open')!;
    await send(emil, 'PUT', '/api/preferences', { blacklist: first.symbol });
    const listed = { state: 'refused', reason: 'blacklisted', text: 'On your blacklist.' };
    expect(await verdictOf(first.symbol)).toEqual(listed);
    await send(emil, 'PUT', '/api/preferences', { min_auto_conf_pct: 100, min_conf_on_score: true });
    expect((await verdictOf(first.symbol)).reason).toBe('min_confidence');
    await send(emil, 'PUT', '/api/preferences', { min_auto_conf_pct: 0, blacklist: '', auto_open_enabled: false });
    expect(await verdictOf(first.symbol)).toMatchObject({ state: 'may_open', reason: 'auto_open_off' });
    await send(emil, 'PUT', '/api/preferences', { auto_open_enabled: true });
    expect(await verdictOf(first.symbol)).toEqual({ state: 'may_open', reason: null, text: 'May open' });
  });

  it('rejects a result once its shortest candle has closed again, as opening does', async () => {
    const cleo = await test.signUp();
    const scan = await scanned(cleo);
    await checkAll(cleo, scan);
    await test.database.asOwner(`update scans set finished_at = now() - interval '61 minutes' where id = $1`, [
      scan.scan_id,
    ]);
    const { best, all } = (await read(cleo, scan.scan_id)).results!;
    expect(best).toBeNull();
    const [first] = all.filter(({ outcome }) => outcome === 'ELIGIBLE');
    expect(first?.verdict.reason).toBe('scan_too_old');
    const { run } = await send<{ run: { refused: string } }>(cleo, 'POST', '/api/positions/auto', {
      scan_id: scan.scan_id,
    });
    expect(run.refused).toBe(first?.verdict.reason);
    expect((await read(cleo, scan.scan_id)).results?.best).toBeNull();
  });
});

it.each([
  [['1h'], 3_600_000, false],
  [['1h'], 3_600_001, true],
  [['4h', '15m'], 900_001, true],
  [['4h'], 3_600_001, false],
])('a scan of %j that ended %d ms ago is too old: %s', (intervals, ageMs, isOld) => {
  expect(isScanTooOld({ intervals, finishedMs: 1000 }, 1000 + ageMs)).toBe(isOld);
  expect(isScanTooOld({ intervals, finishedMs: null }, 0)).toBe(true);
});
