// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { StatusResponse, type StatusPart, statusParts } from '../../../src/features/status/contract.ts';
import { configuredParts, dependencyProbes } from '../../../src/features/status/dependencies.ts';
import {
  type FailedProbe,
  probeStatus,
  startStatusProbes,
  type StatusProbeDeps,
} from '../../../src/features/status/probes.ts';
import { createStatusPast, readStatus } from '../../../src/features/status/readStatus.ts';
import { createProviderClient } from '../../../src/adapters/payments/providerClient.ts';
import type { CoinProvider } from '../../../src/features/payments/port.ts';
import { deleteFailure, writeFailure, writeProgress } from '../../../src/features/history/backfillRepository.ts';
import { type SystemTx, withSystem } from '../../../src/platform/db/scope.ts';
import { createRejection, reject } from '../../../src/platform/errors.ts';
import { startLlm } from '../../../fakes/llm/server.ts';
import { startMail } from '../../../fakes/mail/server.ts';
import { startPayments } from '../../../fakes/payments/server.ts';
import { fakeBot, startTelegram } from '../../../fakes/telegram/server.ts';
import { createSignalCall } from '../../../src/features/status/callSignal.ts';
import { createMarketApp } from '../../support/createMarketApp.ts';
import { createTestApp, type TestApp } from '../../support/createTestApp.ts';
import { paymentsEnv } from '../payments/support/paymentsApp.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const start = Date.UTC(2026, 5, 1);
const historySource = 'simulated of this test';
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());
beforeEach(() => test.database.asOwner('delete from status_probes'));

const basic = ['signals', 'database', 'binance', 'bybit', 'okx'] as const;
const read = async (nowMs: number, parts: readonly StatusPart[] = basic) =>
  StatusResponse.parse(await readStatus(test.deps.db, { market: 'simulated', historySource, parts, nowMs }));
const partOf = ({ parts }: z.infer<typeof StatusResponse>, name: string) => parts.find(({ part }) => part === name);
/** Probes of all parts for the minutes from..to (the last one excluded), counted from `start`. */
const store = (from: number, to: number, code: string | null = null, parts: readonly string[] = basic) =>
  test.database.asOwner(
    `insert into status_probes (minute, part, is_ok, duration_ms, code)
     select to_timestamp($1::float8 / 1000) + n * interval '1 minute', p, $4::text is null, 7, $4
     from generate_series($2::int, $3::int - 1) n, unnest($5::text[]) p`,
    [start, from, to, code, parts],
  );

const top = { symbol: 'BTCUSDT', bid: 1, ask: 2, atMs: 0, receivedAtMs: 0, source: 'request' as const };
const tops = { ...top, fundingRate: null, nextFundingAtMs: null, fundingIntervalHours: null };
const good: Omit<StatusProbeDeps, 'db'> = {
  market: { tops: () => Promise.resolve(ok([tops])) },
  callSignal: () => Promise.resolve(null),
  asks: {},
};
const probe = (nowMs: number, deps: Partial<StatusProbeDeps> = {}) =>
  probeStatus({ ...good, db: test.deps.db, ...deps }, nowMs);

/** Lets the database respond while the timers are fake. */
const withRealPause = async (): Promise<void> => {
  await test.database.asOwner('select pg_sleep(0.05)');
};

describe('the stored candle history', () => {
  const write = <T>(work: (tx: SystemTx) => Promise<T>) => withSystem(test.deps.db, work);
  const key = { source: historySource, exchange: 'okx' } as const;

  it('HIST-076 shows progress and failed parts of each exchange, and no failure of another market', async () => {
    expect((await read(start)).history).toEqual([]);
    const error = createRejection('upstream_rate_limited');
    await write((tx) => writeProgress(tx, key, { state: 'waiting', storedCount: 7, totalCount: 40, error }));
    for (const part of ['1h 2026-05', '4h 2026-05'])
      await write((tx) => writeFailure(tx, key, { symbol: 'AUSDT', part, error }));
    await write((tx) => writeFailure(tx, { ...key, source: 'live' }, { symbol: 'AUSDT', part: '1h 2026-05', error }));
    const failing = (await read(start)).history;
    expect(failing).toEqual([
      {
        exchange: 'okx',
        state: 'waiting',
        stored_parts: 7,
        total_parts: 40,
        failed_parts: 2,
        code: 'upstream_rate_limited',
        updated_at: expect.any(String) as string,
      },
    ]);
    await write((tx) => deleteFailure(tx, key, { symbol: 'AUSDT', part: '1h 2026-05' }));
    await write((tx) =>
      writeProgress(tx, key, { state: 'complete', storedCount: 40, totalCount: 40, error: undefined }),
    );
    expect((await read(start)).history).toMatchObject([{ state: 'complete', failed_parts: 1, code: null }]);
  });
});

describe('the probes', () => {
  it('store the result of each part, by the minute', async () => {
    await probe(start + 30_000);
    const response = await read(start + 40_000);
    expect(response).toMatchObject({ state: 'operational', since: '2026-06-01T00:00:00.000Z', incidents: [] });
    expect(response.parts.map(({ part, state }) => `${part} ${state}`)).toEqual([
      'signals up',
      'database up',
      'binance up',
      'bybit up',
      'okx up',
    ]);
  });

  it('name the failure of a part, and a thrown error is one', async () => {
    const failed: FailedProbe[] = [];
    await probe(start, {
      onFailed: (each) => failed.push({ ...each, durationMs: 0 }),
      market: {
        tops: ({ exchange }) =>
          Promise.resolve(
            exchange === 'okx' ? reject('upstream_rate_limited', 'busy') : ok(exchange === 'bybit' ? [] : [tops]),
          ),
      },
      callSignal: () => Promise.reject(new Error('a bug')),
    });
    const rows = await test.database.asOwner('select part, code from status_probes where not is_ok order by part');
    expect(rows).toEqual([
      { part: 'bybit', code: 'upstream_unavailable' },
      { part: 'okx', code: 'upstream_rate_limited' },
      { part: 'signals', code: 'internal_error' },
    ]);
    expect((await read(start + 1000)).state).toBe('disrupted');
    // Each is logged with its cause, where something was thrown.
    expect(failed.sort((a, b) => (a.part < b.part ? -1 : 1))).toEqual([
      { part: 'bybit', code: 'upstream_unavailable', durationMs: 0 },
      { part: 'okx', code: 'upstream_rate_limited', durationMs: 0 },
      { part: 'signals', code: 'internal_error', durationMs: 0, cause: 'a bug' },
    ]);
  });

  it('that start late report the delay: the process was blocked', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: start + 30_000 });
    try {
      const late: number[] = [];
      const stop = startStatusProbes({ ...good, db: test.deps.db, onLate: (ms) => late.push(ms) }, () => undefined);
      await vi.advanceTimersByTimeAsync(30_000);
      expect(late).toEqual([]);
      // The next round is due 60 s later; the clock advances 7 s more before its timer fires.
      vi.setSystemTime(Date.now() + 7000);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(late).toEqual([7000]);
      await stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it('NODE-014 are stamped by the clock of the database, whatever that of the node says', async () => {
    const now = () => Promise.resolve(start + 5 * minuteMs + 7000);
    const stop = startStatusProbes({ ...good, db: test.deps.db, now }, () => undefined);
    const minutes = async () => {
      const rows = await test.database.asOwner<{ minute: Date }>('select distinct minute from status_probes');
      return rows.map(({ minute }) => minute.getTime());
    };
    // A probe of another case may be stored beside it; none by the clock of this machine.
    await expect.poll(minutes, { timeout: 30_000 }).toContain(start + 5 * minuteMs);
    await stop();
    expect((await minutes()).filter((atMs) => atMs > Date.now() - dayMs)).toEqual([]);
  });

  it.each([true, false])('NODE-194 that fail are stored only by a node whose clock is right: %s', async (isRight) => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: start + 30_000 });
    try {
      const callSignal = () => Promise.resolve('overloaded');
      const failed: string[] = [];
      const deps = { ...good, db: test.deps.db, callSignal, isClockRight: () => isRight };
      const stop = startStatusProbes({ ...deps, onFailed: ({ part }) => failed.push(part) }, () => undefined);
      // The first minute of a server that has just started is not stored in any case.
      await vi.advanceTimersByTimeAsync(30_000);
      await stop();
      const rows = await test.database.asOwner<{ part: string }>('select part from status_probes where not is_ok');
      expect(rows.map(({ part }) => part)).toEqual(isRight ? ['signals'] : []);
      expect(failed).toEqual(isRight ? ['signals'] : []);
    } finally {
      vi.useRealTimers();
    }
  });

  it('of two nodes: a success replaces a failure, never the other way round', async () => {
    const failing = { callSignal: () => Promise.resolve('overloaded') };
    await probe(start, failing);
    await probe(start + 1000);
    await probe(start + 2000, failing);
    expect(partOf(await read(start + 3000), 'signals')?.state).toBe('up');
  });

  it('are repeated within the first minute of a server that is still loading', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: start + 1000 });
    const faked = globalThis.setTimeout;
    try {
      let requestCount = 0;
      const callSignal = () => Promise.resolve((requestCount += 1) < 3 ? 'overloaded' : null);
      let pauseCount = 0;
      // Not a spy of vitest: restored over fake timers, it would leave the fake ones to every later file of the process.
      globalThis.setTimeout = Object.assign((...call: Parameters<typeof faked>) => {
        if (call[1] === 5000) pauseCount += 1;
        return faked(...call);
      }, faked);
      const stop = startStatusProbes({ ...good, db: test.deps.db, callSignal }, () => undefined);
      for (let times = 1; times <= 3; times += 1) {
        await vi.waitFor(() => expect(requestCount).toBe(times), { timeout: 20_000, interval: 1 });
        const stored = async () =>
          (
            await test.database.asOwner<{ part: string }>(
              `select part from status_probes where part = 'signals' and is_ok`,
            )
          ).length;
        if (times === 3) await vi.waitFor(async () => expect(await stored()).toBe(1), { timeout: 20_000, interval: 1 });
        else {
          expect(await stored()).toBe(0);
          // The pause starts once the failure is stored, which may take long on a busy machine.
          await vi.waitFor(() => expect(pauseCount).toBe(times), { timeout: 20_000, interval: 1 });
        }
        await vi.advanceTimersByTimeAsync(5000);
      }
      await stop();
      // The one that succeeded is not repeated before the next minute.
      expect(requestCount).toBe(3);
    } finally {
      globalThis.setTimeout = faked;
      vi.useRealTimers();
    }
  });

  it('of a start late in a minute lose no minute while the server is still loading, and count what fails afterwards', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: start + 55_000 });
    try {
      // Loaded 12 seconds after the start; a part stays down.
      const callSignal = () => Promise.resolve(Date.now() < start + 67_000 ? 'overloaded' : null);
      const tried = ({ exchange }: { exchange?: string }) =>
        Promise.resolve(exchange === 'okx' ? reject('upstream_unavailable', 'away') : ok([tops]));
      const deps = { ...good, db: test.deps.db, callSignal, market: { tops: tried } };
      const stop = startStatusProbes(deps, () => undefined);
      const stored = () =>
        test.database.asOwner<{ part: string; minute: Date; is_ok: boolean }>(
          `select part, minute, is_ok from status_probes where part in ('signals', 'okx') order by minute, part`,
        );
      for (let seconds = 0; seconds < 60; seconds += 5) {
        await vi.advanceTimersByTimeAsync(5000);
        // A round ends once it is stored, which takes real time.
        await withRealPause();
      }
      await stop();
      const rows = await stored();
      expect(rows.filter(({ part, is_ok: isOk }) => part === 'signals' && !isOk)).toEqual([]);
      expect(rows.some(({ part, is_ok: isOk }) => part === 'signals' && isOk)).toBe(true);
      // A probe of the case before may end now; it was for a later minute.
      const ofOkx = rows.filter(({ part, minute }) => part === 'okx' && +minute < start + 2 * minuteMs);
      expect(ofOkx.map(({ minute, is_ok: isOk }) => [+minute, isOk])).toEqual([[start + minuteMs, false]]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are repeated within their minute: one slow moment is no failed minute', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: start + 29_000 });
    try {
      let isBusy = false;
      const callSignal = () => {
        const code = isBusy ? 'overloaded' : null;
        isBusy = false;
        return Promise.resolve(code);
      };
      const stop = startStatusProbes({ ...good, db: test.deps.db, callSignal }, () => undefined);
      const stored = async (minute: number) => {
        const rows = await test.database.asOwner<{ is_ok: boolean }>(
          `select is_ok from status_probes where part = 'signals' and minute = $1`,
          [new Date(start + minute * minuteMs)],
        );
        return rows[0]?.is_ok;
      };
      const wait = (minute: number, isOk: boolean) =>
        vi.waitFor(async () => expect(await stored(minute)).toBe(isOk), { timeout: 20_000, interval: 1 });
      await wait(0, true);
      isBusy = true;
      // The next minute starts after the time in which the server loads.
      await vi.advanceTimersByTimeAsync(31_000);
      await wait(1, false);
      // The pause starts once the failure is stored.
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(1), { timeout: 20_000, interval: 1 });
      await vi.advanceTimersByTimeAsync(15_000);
      await wait(1, true);
      await stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it('are stored for 90 days', async () => {
    await store(0, 3);
    await probe(start + 90 * dayMs + minuteMs);
    const [row] = await test.database.asOwner<{ count: number }>(
      'select count(distinct minute)::int from status_probes',
    );
    // Minutes 1 and 2 of 90 days ago, and the new one.
    expect(row?.count).toBe(3);
  });
});

describe('the status', () => {
  it('says unknown without a current probe, and states no uptime before a whole day', async () => {
    expect(await read(start)).toMatchObject({ state: 'unknown', since: null, incidents: [] });
    await store(0, 1439);
    const response = await read(start + 1439 * minuteMs);
    expect(partOf(response, 'signals')).toMatchObject({ state: 'up', uptime: null, duration_ms: 7 });
    expect(partOf(await read(start + 1445 * minuteMs), 'signals')?.state).toBe('unknown');
  });

  it('NFR-009 counts failed minutes and outages as down, over the longest window it has', async () => {
    // Two days; on the second, 10 failed minutes of okx and 20 minutes without any probe.
    await store(0, 2000);
    await store(2000, 2010, 'upstream_unavailable', ['okx']);
    await store(2000, 2010, null, ['signals', 'database', 'binance', 'bybit']);
    await store(2030, 2880);
    const response = await read(start + 2 * dayMs);
    expect(partOf(response, 'signals')?.uptime).toEqual({
      days: 1,
      up_minutes: 1420,
      minutes: 1440,
      fraction: 1420 / 1440,
    });
    expect(partOf(response, 'okx')?.uptime?.up_minutes).toBe(1410);
    expect(partOf(response, 'okx')?.days).toEqual([
      { date: '2026-06-01', up_minutes: 1440, minutes: 1440 },
      { date: '2026-06-02', up_minutes: 1410, minutes: 1440 },
      { date: '2026-06-03', up_minutes: 0, minutes: 0 },
    ]);
    expect(response.incidents).toEqual([
      { part: 'service', from: '2026-06-02T09:30:00.000Z', to: '2026-06-02T09:50:00.000Z', minutes: 20, code: null },
      {
        part: 'okx',
        from: '2026-06-02T09:20:00.000Z',
        to: '2026-06-02T09:30:00.000Z',
        minutes: 10,
        code: 'upstream_unavailable',
      },
    ]);
  });

  it('does not count a missed probe as an outage: of 39 minutes with 5 single ones missed, 34 of 34 were up', async () => {
    // Hand-worked: minutes 0 to 38 without 3, 9, 15, 20 and 31.
    for (const [from, to] of [
      [0, 3],
      [4, 9],
      [10, 15],
      [16, 20],
      [21, 31],
      [32, 39],
    ] as const)
      await store(from, to);
    const response = await read(start + 39 * minuteMs);
    for (const part of basic)
      expect(partOf(response, part)?.days).toEqual([{ date: '2026-06-01', up_minutes: 34, minutes: 34 }]);
    expect(response.incidents).toEqual([]);
  });

  it('does not count minutes in which one part was not probed while the others were', async () => {
    await store(0, 1440, null, ['database', 'binance', 'bybit', 'okx']);
    await store(0, 700, null, ['signals']);
    await store(730, 1440, null, ['signals']);
    const response = await read(start + dayMs);
    expect(partOf(response, 'signals')?.uptime).toEqual({ days: 1, fraction: 1, up_minutes: 1410, minutes: 1410 });
    expect(partOf(response, 'okx')?.uptime).toMatchObject({ up_minutes: 1440, minutes: 1440 });
    expect(response.incidents).toEqual([]);
  });

  it('counts a server that was stopped for two minutes, for an hour over midnight, and until now as down', async () => {
    await store(0, 100);
    await store(102, 1410);
    await store(1470, 2000);
    const response = await read(start + 2010 * minuteMs);
    // Down: 100 and 101, 1410 to 1469, 2000 to 2009.
    expect(partOf(response, 'signals')?.days).toEqual([
      { date: '2026-06-01', up_minutes: 1408, minutes: 1440 },
      { date: '2026-06-02', up_minutes: 530, minutes: 570 },
    ]);
    expect(response.incidents.map(({ part, minutes, to }) => [part, minutes, to === null])).toEqual([
      ['service', 10, true],
      ['service', 60, false],
      ['service', 2, false],
    ]);
  });

  it('draws no incident from one failed probe, and leaves an ongoing one open', async () => {
    await store(0, 10);
    await store(10, 11, 'overloaded', ['signals']);
    await store(10, 11, null, ['database', 'binance', 'bybit', 'okx']);
    await store(11, 20);
    await store(20, 23, 'deadline_exceeded', ['bybit']);
    await store(20, 23, null, ['signals', 'database', 'binance', 'okx']);
    const { incidents, state } = await read(start + 23 * minuteMs);
    expect(state).toBe('disrupted');
    expect(incidents).toEqual([
      { part: 'bybit', from: '2026-06-01T00:20:00.000Z', to: null, minutes: 3, code: 'deadline_exceeded' },
    ]);
  });

  it('draws one incident from failed minutes with single missed ones between them', async () => {
    // Minutes 3, 5 and 7 failed and 4 and 6 were missed; 9 failed after an 8 that was up; 10 to 12 were silent.
    const others = ['database', 'binance', 'bybit', 'okx'];
    await store(0, 3);
    for (const minute of [3, 5, 7]) {
      await store(minute, minute + 1, 'overloaded', ['signals']);
      await store(minute, minute + 1, null, others);
    }
    await store(8, 9);
    await store(9, 10, 'overloaded', ['signals']);
    await store(13, 14, 'overloaded', ['signals']);
    await store(14, 20);
    const response = await read(start + 20 * minuteMs);
    // Counted: 0 to 3, 5, 7 to 20, of which 3, 5, 7, 9 and 13 failed and 10 to 12 were silent.
    expect(partOf(response, 'signals')?.days).toEqual([{ date: '2026-06-01', up_minutes: 10, minutes: 18 }]);
    expect(response.incidents).toEqual([
      { part: 'service', from: '2026-06-01T00:10:00.000Z', to: '2026-06-01T00:13:00.000Z', minutes: 3, code: null },
      {
        part: 'signals',
        from: '2026-06-01T00:03:00.000Z',
        to: '2026-06-01T00:08:00.000Z',
        minutes: 5,
        code: 'overloaded',
      },
    ]);
  });

  it('is the same whether earlier days are read now or cached from earlier calls', async () => {
    const past = createStatusPast();
    const atOnce: unknown[] = [];
    const remembered: unknown[] = [];
    // Four days with failures over midnight, a gap over midnight and one in a day.
    for (const [from, to, code] of [
      [0, 1430, null],
      [1430, 1450, 'overloaded'],
      [1450, 2870, null],
      [2890, 3500, null],
      [3520, 4320, null],
      [4320, 4400, 'overloaded'],
    ] as const) {
      await store(from, to, code);
      for (const later of [0, 4, 6]) {
        const request = {
          market: 'simulated' as const,
          historySource,
          parts: basic,
          nowMs: start + (to + later) * minuteMs,
        };
        atOnce.push(await readStatus(test.deps.db, request));
        remembered.push(await readStatus(test.deps.db, { ...request, past }));
      }
    }
    expect(remembered).toEqual(atOnce);
    // The three completed days.
    expect([...past.days.keys()].filter((day) => day >= start)).toEqual([0, 1, 2].map((day) => start + day * dayMs));
    expect(past.silent).toEqual([
      { fromMs: start + 2870 * minuteMs, toMs: start + 2890 * minuteMs },
      { fromMs: start + 3500 * minuteMs, toMs: start + 3520 * minuteMs },
    ]);
    // Past days are not read again.
    await test.database.asOwner(`delete from status_probes where minute < $1 and minute >= $2`, [
      new Date(start + 2 * dayMs),
      new Date(start + minuteMs),
    ]);
    const request = { market: 'simulated' as const, historySource, parts: basic, nowMs: start + 4400 * minuteMs, past };
    const [signals] = (await readStatus(test.deps.db, request)).parts;
    expect(signals?.days.map(({ up_minutes: up }) => up)).toEqual([1430, 1420, 1410, 0]);
  });

  it('is public', async () => {
    const response = await test.app.inject({ url: '/api/status' });
    expect(response.statusCode).toBe(200);
    expect(StatusResponse.parse(response.json()).parts.map(({ part }) => part)).toEqual([...basic, 'storage']);
  });
});

describe('a service that is configured', () => {
  it('is shown from its first probe on, and one that is not configured is absent', async () => {
    await store(0, 2 * 1440);
    await store(2 * 1440, 3 * 1440, null, [...basic, 'mail']);
    await store(3 * 1440, 3 * 1440 + 2, 'upstream_unavailable', ['mail', 'telegram']);
    const response = await read(start + 3 * dayMs + 2 * minuteMs, [...basic, 'mail']);
    expect(response.parts.map(({ part }) => part)).toEqual([...basic, 'mail']);
    // Probed for one day and two minutes, of which the two failed: two minutes of the last day.
    expect(partOf(response, 'mail')).toMatchObject({
      state: 'down',
      uptime: { days: 1, up_minutes: 1438, minutes: 1440 },
      days: [
        { date: '2026-06-03', up_minutes: 1440, minutes: 1440 },
        { date: '2026-06-04', up_minutes: 0, minutes: 2 },
      ],
    });
    expect(response.incidents.map(({ part }) => part)).toEqual(['mail']);
  });

  it('which services are configured follows from the configuration', () => {
    const { config } = test.deps;
    expect(configuredParts(config)).toEqual([...basic, 'storage']);
    const some = {} as never;
    const news = { ...config.news, feeds: [some] };
    const all = {
      ...config,
      smtpUrl: 'smtp://x',
      nowPayments: some,
      moonPay: some,
      openai: some,
      telegram: some,
      news,
    };
    expect(configuredParts(all)).toEqual(statusParts);
  });
});

/** A loopback address where nothing listens. */
const nowhere = 'http://127.0.0.1:9';

describe('the probe of each service', () => {
  interface Services {
    env: Record<string, string>;
    /** Feeds that were read, and those that failed. */
    close: () => Promise<void>;
  }
  async function startServices(): Promise<Services> {
    const [email, llm, telegram, payments] = await Promise.all([
      startMail(),
      startLlm(),
      startTelegram(),
      startPayments({ cardNotifyUrl: nowhere }),
    ]);
    const env = {
      SMTP_URL: email.smtpUrl,
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'm-1',
      OPENAI_BASE_URL: llm.url,
      TELEGRAM_BOT_TOKEN: fakeBot.token,
      TELEGRAM_API_URL: telegram.url,
      TELEGRAM_LINK_URL: telegram.url,
      NEWS_FEEDS: 'One=http://127.0.0.1:9/one.xml,Two=http://127.0.0.1:9/two.xml',
      ...paymentsEnv(payments.url),
    };
    const close = async () => void (await Promise.all([email, llm, telegram, payments].map((each) => each.close())));
    return { env, close };
  }
  const codesOf = async ({ deps }: TestApp) => {
    const { payments, notifications, aiCheck } = deps;
    const { coins, cards } = payments;
    const probes = dependencyProbes({ ...deps, coins, cards, model: aiCheck.model, telegram: notifications.telegram });
    const entries = await Promise.all(
      Object.entries(probes).map(
        async ([part, request]) => [part, await request(AbortSignal.timeout(20_000))] as const,
      ),
    );
    return Object.fromEntries(entries);
  };
  const saveFeed = (app: TestApp, name: string, failure: string | null) =>
    app.database.asOwner(
      `insert into news_feeds (market, name, url, failure, last_ok_at, next_read_at)
       values ('simulated', $1, 'http://127.0.0.1:9/', $2, case when $2::text is null then now() end, now())
       on conflict (market, name) do update set failure = excluded.failure, last_ok_at = excluded.last_ok_at`,
      [name, failure],
    );

  it('is good while the service responds, and names the failure once it does not', async () => {
    const services = await startServices();
    const app = await createTestApp({ env: services.env });
    try {
      // Feeds have no state before the first was read.
      expect(await codesOf(app)).toEqual({
        mail: null,
        coins: null,
        cards: null,
        ai: null,
        telegram: null,
        storage: null,
        feeds: undefined,
      });
      await saveFeed(app, 'One', 'did not respond');
      expect((await codesOf(app))['feeds']).toBe('upstream_unavailable');
      await saveFeed(app, 'Two', null);
      expect((await codesOf(app))['feeds']).toBeNull();
      await saveFeed(app, 'Two', 'did not respond');
      await services.close();
      const failed = await codesOf(app);
      expect(failed).toMatchObject({ mail: 'upstream_unavailable', ai: 'upstream_unavailable', storage: null });
      expect(failed).toMatchObject({ telegram: 'upstream_unavailable', feeds: 'upstream_unavailable' });
      expect(failed).toMatchObject({ coins: 'upstream_unavailable', cards: 'upstream_unavailable' });
    } finally {
      await app.close();
    }
  });

  it('of a payment provider says rate limited only when the provider does', async () => {
    let status = 200;
    const provider = createHttpServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const { port } = provider.address() as AddressInfo;
    const client = createProviderClient({ baseUrl: `http://127.0.0.1:${port}/`, timeoutMs: 5000, connections: 1 });
    const coins = { readStatus: () => client.call({ path: 'payment/1' }) } as unknown as Pick<
      CoinProvider,
      'readStatus'
    >;
    const none = { mailer: undefined, cards: undefined, model: undefined, telegram: undefined };
    const deps = { config: test.deps.config, db: test.deps.db, files: test.deps.files, ...none };
    const request = dependencyProbes({ ...deps, coins }).coins;
    const codes: unknown[] = [];
    for (status of [200, 429, 401, 403, 404, 301, 500]) codes.push(await request?.(AbortSignal.timeout(5000)));
    await client.close();
    await new Promise((resolve) => provider.close(resolve));
    const away = 'upstream_unavailable';
    expect(codes).toEqual([null, 'upstream_rate_limited', away, away, away, away, away]);
  });

  it('of the storage finds a folder that cannot be written', async () => {
    const files = {
      remove: () => Promise.resolve(),
      write: () => Promise.resolve(reject('storage_full', 'full')),
      read: () => Promise.resolve(null),
    };
    const request = dependencyProbes({
      config: test.deps.config,
      db: test.deps.db,
      mailer: undefined,
      coins: undefined,
      cards: undefined,
      model: undefined,
      telegram: undefined,
      files,
    }).storage;
    expect(await request?.(AbortSignal.timeout(1000))).toBe('storage_full');
  });
});

describe('the probe of a signal', () => {
  it('is a call over HTTP of the port of the server, signed in as this process', async () => {
    const app = await createMarketApp();
    try {
      const origin = await app.app.listen({ host: '127.0.0.1', port: 0 });
      const { authorization } = app.deps.ownSession;
      const request = (own: string) => createSignalCall(origin, own)(AbortSignal.timeout(60_000));
      expect(await request(authorization)).toBeNull();
      expect(await request(`${authorization.slice(0, -1)}!`)).toBe('not_authenticated');
      await expect(createSignalCall(nowhere, authorization)(AbortSignal.timeout(1000))).rejects.toThrow();
      const other = await createTestApp({ env: { EXCHANGES_URL: nowhere } });
      try {
        const closed = await other.app.listen({ host: '127.0.0.1', port: 0 });
        const rejectWith = createSignalCall(closed, other.deps.ownSession.authorization);
        expect(await rejectWith(AbortSignal.timeout(60_000))).toMatch(/^upstream_|^deadline_exceeded$/);
      } finally {
        await other.close();
      }
    } finally {
      await app.close();
    }
  });

  it('has the engine compute each minute: a cached result would hide that the engine stands still', async () => {
    const app = await createMarketApp();
    try {
      const origin = await app.app.listen({ host: '127.0.0.1', port: 0 });
      const runs = vi.spyOn(app.deps.engine, 'run');
      const counts: number[] = [];
      for (const minute of [0, 1, 2]) {
        const now = (): number => start + minute * minuteMs;
        const request = createSignalCall(origin, app.deps.ownSession.authorization, now);
        expect(await request(AbortSignal.timeout(60_000))).toBeNull();
        counts.push(runs.mock.calls.filter(([task]) => task === 'signals').length);
      }
      expect(counts).toEqual([1, 2, 3]);
    } finally {
      vi.restoreAllMocks();
      await app.close();
    }
  });

  it('opens this one route and no other', async () => {
    const headers = { authorization: test.deps.ownSession.authorization };
    for (const [method, url] of [
      ['GET', '/api/positions'],
      ['GET', '/api/account/api-keys'],
      ['POST', '/api/account/api-keys'],
      ['POST', '/api/scan'],
      ['POST', '/api/auth/email'],
    ] as const) {
      const response = await test.app.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) });
      expect([url, response.statusCode]).toEqual([url, 401]);
    }
  });
});
