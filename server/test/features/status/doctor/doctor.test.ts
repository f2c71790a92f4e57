import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Finding } from '../../../../src/features/status/doctor/finding.ts';
import { runDoctor } from '../../../../src/features/status/doctor/runDoctor.ts';
import { createProbeResponder } from '../../../../src/features/status/ready/probeResponses.ts';
import { listenProbes, type ProbeServer } from '../../../../src/platform/http/probeServer.ts';
import { childEnv } from '../../../support/childEnv.ts';
import { createTestApp, type TestApp } from '../../../support/createTestApp.ts';
import { testSecret } from '../../../support/globalDatabase.ts';

const root = join(import.meta.dirname, '../../../../..');
let test: TestApp;
let probes: ProbeServer;
let probeUrl: string;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sextant-doctor-'));
  test = await createTestApp({ deps: { databaseState: () => 'ok' } });
  test.deps.node.phase = 'serving';
  await test.deps.ledger.check();
  probes = await listenProbes('127.0.0.1', 0);
  probes.use(createProbeResponder(test.deps));
  probeUrl = `http://127.0.0.1:${probes.port}`;
});
afterAll(async () => {
  await probes.close();
  await test.close();
  await rm(dataDir, { recursive: true, force: true });
});
/** Everything is led, probed and on time. */
beforeEach(async () => {
  await test.database.asOwner('delete from jobs.job');
  await test.database.asOwner('delete from leaderships');
  await test.database.asOwner('delete from status_probes');
  await test.database.asOwner(
    `insert into leaderships (name, epoch, node, expires_at) values ('positions', 7, 'node a', now() + interval '1 hour'),
       ('alerts', 3, 'node b', now() + interval '1 hour')`,
  );
  await test.database.asOwner(
    `insert into status_probes (minute, part, is_ok, duration_ms, code)
     select date_trunc('minute', now()) - n * interval '1 minute', p, true, case p when 'okx' then 400 else 80 end, null
     from generate_series(0, 9) n, unnest(array['binance', 'bybit', 'okx', 'signals']) p`,
  );
});

const run = (changes: Partial<Parameters<typeof runDoctor>[0]> = {}) =>
  runDoctor({ databaseUrls: [test.database.serverUrl], probes: [probeUrl], dataDir, sampleMs: 20, ...changes });
/** Problems that the test makes; the machine may be busy or full. */
const problems = ({ findings }: { findings: Finding[] }) =>
  findings.filter(({ level, area }) => level === 'problem' && area !== 'disk').map(({ text }) => text);

it('NODE-080 NODE-081 reads nodes and database of a running installation', async () => {
  const report = await run();
  expect(problems(report)).toEqual([]);
  const texts = report.findings.map(({ text }) => text);
  expect(texts).toContain('positions: node a, epoch 7');
  expect(texts).toContain('okx: median 400 ms, 0 of 10 probes failed in 15 minutes');
  expect(texts).toContain('the ledger adds up');
  expect(texts.some((line) => /^all 0\.0\.0-test on .+: ready$/.test(line))).toBe(true);
  expect(texts).toContainEqual(expect.stringMatching(/^database [\d.]+ MB \((public|jobs)\./));
  expect(texts.some((line) => /^log written now: .+ a day$/.test(line))).toBe(true);
  const record = JSON.parse(await readFile(join(dataDir, 'doctor.json'), 'utf8')) as { database: string };
  // Never the password.
  expect(record.database).toMatch(/^127\.0\.0\.1:\d+\/t_[0-9a-f]+$/);
  expect((await run()).findings.some(({ text: line }) => line.startsWith('grown '))).toBe(true);
});

it('NODE-080 names the queue that is behind and the leadership without a leader', async () => {
  await test.database.asOwner(
    `insert into jobs.job (id, name, data, start_after) values (gen_random_uuid(), 'scan', '{}', now() - interval '90 s')`,
  );
  await test.database.asOwner(`update leaderships set expires_at = now() - interval '1 s' where name = 'alerts'`);
  const [leader, queue, ...rest] = problems(await run());
  expect(leader).toBe('alerts: no node leads');
  expect(queue).toMatch(/^scan is behind: 1 wait, 0 run, oldest \d+ s \(bound 30 s\)$/);
  expect(rest).toEqual([]);
});

it('NODE-080 ends within ten seconds although a node and a database never respond', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const report = await run({
    databaseUrls: [`postgres://a:b@127.0.0.1:${port}/x`],
    probes: [`http://127.0.0.1:${port}`, 'http://127.0.0.1:1'],
  });
  silent.closeAllConnections();
  silent.close();
  const [late, unreachable, database] = problems(report);
  expect(late).toBe(`http://127.0.0.1:${port}: no response in time`);
  expect(unreachable).toMatch(/^http:\/\/127\.0\.0\.1:1: /);
  expect(database).toMatch(/^cannot be read: /);
  // Its deadlines are 9 s; the rest is a busy machine.
  expect(report.tookMs).toBeLessThan(30_000);
});

it('NODE-080 says when a port is no probe port', async () => {
  const other = createServer((_request, response) => response.end('<html>'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  expect(problems(await run({ probes: [url] }))).toEqual([`${url}: this is no probe port of Sextant`]);
  other.close();
});

async function command(words: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['workers/package/bin/sextant.js', 'doctor', ...words], {
    cwd: root,
    env: { ...childEnv, DATABASE_URL: test.database.ownerUrl, AUTH_SECRET: testSecret, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { stdout, stderr, code: child.exitCode };
}

it('NODE-082 the command exits with 0 without a problem, 1 with one and 2 for wrong input', async () => {
  const good = await command(['--json', '--probe', probeUrl]);
  expect(good.stderr).toBe('');
  const report = JSON.parse(good.stdout) as { findings: Finding[] };
  expect(problems(report)).toEqual([]);
  expect(good.code).toBe(report.findings.some(({ level }) => level === 'problem') ? 1 : 0);
  await test.database.asOwner(`update leaderships set expires_at = now() - interval '1 s' where name = 'positions'`);
  const bad = await command(['--probe', probeUrl]);
  expect(bad.stdout).toContain('PROBLEM  leaders   positions: no node leads  (docs/runbooks.md#no-leader)\n');
  expect(bad.code).toBe(1);
  expect(await command(['--fix'])).toEqual({
    stdout: '',
    stderr: 'unknown argument "--fix"; the arguments are --probe URL and --json\n',
    code: 2,
  });
  expect(await command([], { DATABASE_URL: 'mysql://x' })).toMatchObject({ code: 2, stdout: '' });
  expect(await command([], { DATABASE_URL: '' })).toMatchObject({
    code: 2,
    stderr: 'DATABASE_URL: is not set, and no embedded database runs in DATA_DIR\n',
  });
});
