import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClocks, judgeClocks } from '../../../../src/features/status/clocks/clocks.ts';
import { type ReadinessDeps, readReadiness } from '../../../../src/features/status/ready/readiness.ts';
import type { DatabaseState } from '../../../../src/platform/db/databaseWatch.ts';
import { createNodeState } from '../../../../src/platform/nodeState.ts';
import { createTestApp, type TestApp } from '../../../support/createTestApp.ts';

const ok = { kind: 'ok', message: '' } as const;
const parts = (changes: Partial<ReadinessDeps> = {}): ReadinessDeps => ({
  node: { phase: 'serving' },
  databaseState: () => 'ok',
  clocks: { state: () => ok },
  externalStatus: { status: () => 'ok' },
  ...changes,
});
const codes = (deps: ReadinessDeps) => {
  const { status, reasons } = readReadiness(deps);
  return [status, ...reasons.map(({ code }) => code)];
};

describe('readiness', () => {
  it('NODE-002 fails while the node starts or stops, and while its database does not respond', () => {
    expect(codes(parts())).toEqual(['ready']);
    expect(codes(parts({ node: createNodeState() }))).toEqual(['not_ready', 'starting']);
    expect(codes(parts({ node: { phase: 'draining' } }))).toEqual(['not_ready', 'draining']);
    for (const state of ['unknown', 'frozen', 'down'] as DatabaseState[])
      expect(codes(parts({ databaseState: () => state }))).toEqual(['not_ready', 'database']);
  });

  it('NODE-006 NODE-011 NODE-012 follows the clock and the exchanges, and heals with them', () => {
    const far = { kind: 'out', message: 'x' } as const;
    const near = { kind: 'degraded', message: 'x' } as const;
    const state: { clock: ReturnType<ReadinessDeps['clocks']['state']>; external: 'ok' | 'degraded' | 'down' } = {
      clock: far,
      external: 'down',
    };
    const deps = parts({ clocks: { state: () => state.clock }, externalStatus: { status: () => state.external } });
    expect(codes(deps)).toEqual(['not_ready', 'clock', 'exchanges']);
    state.clock = near;
    expect(codes(deps)).toEqual(['degraded', 'clock', 'exchanges']);
    state.clock = ok;
    expect(codes(deps)).toEqual(['degraded', 'exchanges']);
    state.external = 'ok';
    expect(codes(deps)).toEqual(['ready']);
  });
});

describe('clocks', () => {
  const off = (offsetMs: number, errorMs = 10) => ({ offsetMs, errorMs });

  it('NODE-011 above 2 s degrade a node, by the database or by one exchange', () => {
    expect(judgeClocks(off(1900), { binance: off(-2400, 510) }).kind).toBe('ok');
    expect(judgeClocks(off(2100), {})).toEqual({
      kind: 'degraded',
      message: "The clock of this node is 2.1 s behind the database's.",
    });
    expect(judgeClocks(off(0), { okx: off(-3_600_000, 510), binance: off(0, 510) })).toEqual({
      kind: 'degraded',
      message: 'The clock of this node is 3600.0 s ahead of that of OKX.',
    });
  });

  it('NODE-012 above 30 s take a node out: by the database, or by all of several exchanges together', () => {
    expect(judgeClocks(off(-31_000), {}).kind).toBe('out');
    expect(judgeClocks(undefined, { okx: off(600_000) }).kind).toBe('degraded');
    expect(judgeClocks(off(0), { okx: off(600_000), binance: off(599_000) }).kind).toBe('out');
    expect(judgeClocks(off(0), { okx: off(600_000), binance: off(-600_000) }).kind).toBe('degraded');
    // A slow response proves little.
    expect(judgeClocks(off(31_000, 30_000), {}).kind).toBe('ok');
  });

  it('NODE-011 are measured by the middle of a round trip; a slow one does not replace an exact one', async () => {
    let nowMs = 1_000_000;
    let tripMs = 40;
    let aheadMs = 5000;
    const clocks = createClocks({
      readDatabaseMs: () => {
        nowMs += tripMs / 2;
        const theirsMs = nowMs + aheadMs;
        nowMs += tripMs / 2;
        return Promise.resolve(theirsMs);
      },
      readExchanges: () => ({}),
      now: () => nowMs,
    });
    expect(clocks.state().kind).toBe('ok');
    await clocks.measure();
    expect(clocks.database()).toEqual({ offsetMs: 5000, errorMs: 20 });
    expect(clocks.state().kind).toBe('degraded');
    tripMs = 9000;
    await clocks.measure();
    expect(clocks.database()?.errorMs).toBe(20);
    tripMs = 40;
    aheadMs = 0;
    await clocks.measure();
    expect(clocks.state().kind).toBe('ok');
  });

  it.each([1, -1])('NODE-202 near a bound do not take a node in and out again, on side %i', async (side) => {
    let aheadMs = 0;
    const clocks = createClocks({
      readDatabaseMs: () => Promise.resolve(aheadMs),
      readExchanges: () => ({}),
      now: () => 0,
    });
    const states: string[] = [];
    for (const ms of [1900, 2100, 1900, 2100, 1400, 29_000, 31_000, 29_000, 31_000, 21_000, 19_000, 29_000, 1400]) {
      aheadMs = side * ms;
      await clocks.measure();
      states.push(`${clocks.state().kind} ${clocks.isNearDatabase() ? 'works' : 'rests'}`);
    }
    expect(states).toEqual([
      'ok works',
      ...Array.from({ length: 3 }, () => 'degraded works'),
      'ok works',
      'degraded works',
      ...Array.from({ length: 4 }, () => 'out rests'),
      ...Array.from({ length: 2 }, () => 'degraded works'),
      'ok works',
    ]);
  });
});

describe('probes on the port of the product', () => {
  let test: TestApp;
  const clock = { kind: 'ok' as 'ok' | 'degraded', message: '' };
  beforeAll(async () => {
    test = await createTestApp({
      deps: { databaseState: () => 'ok', arePositionsWatched: () => Promise.resolve(true) },
    });
    test.deps.clocks.state = () => clock;
  });
  afterAll(() => test.close());
  const get = async (url: string) => {
    const { statusCode, headers } = await test.app.inject({ url, headers: { accept: 'text/html' } });
    return [statusCode, headers['location']];
  };

  it('NODE-001 NODE-002 say whether the node lives and takes requests', async () => {
    expect(await get('/livez')).toEqual([200, undefined]);
    expect(await get('/readyz')).toEqual([503, undefined]);
    test.deps.node.phase = 'serving';
    const ready = await test.app.inject({ url: '/readyz' });
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready', reasons: [] }]);
    expect(ready.headers['cache-control']).toBe('no-store');
  });

  it('NODE-003 NODE-007 have no path below them, and metrics are not there: 404, never a redirect', async () => {
    const paths = ['/livez/', '/livez/x', '/readyz/db', '/metrics', '/metrics/x', '/healthz', '/METRICS'];
    for (const path of paths) expect(await get(path)).toEqual([404, undefined]);
  });

  it('NODE-011 health names a clock that is off', async () => {
    const message = async () => (await test.app.inject({ url: '/api/health' })).json<{ message: string }>().message;
    expect(await message()).toBe('All systems operational.');
    clock.kind = 'degraded';
    expect(await message()).toBe('A clock of the service differs by more than 2 s. Times may be wrong.');
    clock.kind = 'ok';
    expect(await message()).toBe('All systems operational.');
  });

  it('NODE-005 health responds although the database never does', async () => {
    const ping = test.deps.pingDatabase;
    test.deps.pingDatabase = () => new Promise(() => undefined);
    const response = await test.app.inject({ url: '/api/health' });
    expect(response.json()).toMatchObject({ status: 503, code: 'database_unavailable' });
    test.deps.pingDatabase = ping;
  });
});
