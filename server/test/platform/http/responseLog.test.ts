import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** The logger writes to standard output, so the server runs in a child process whose lines are read. */
const program = `
  const { readConfig } = await import('./server/src/config.ts');
  const { createServer } = await import('./server/src/platform/http/createServer.ts');
  const app = await createServer(readConfig({ DATA_DIR: '/tmp', LOG_LEVEL: 'info' }));
  app.get('/api/thing', (request) => { request.log.warn({ token: 'hidden-1' }, 'careful'); return {}; });
  await app.inject('/api/thing?token=hidden-2');
  await app.close();
`;

/** A dependency that is down, and a client that disconnects while sending its body. */
const troubled = `
  const { connect } = await import('node:net');
  const { readConfig } = await import('./server/src/config.ts');
  const { createServer } = await import('./server/src/platform/http/createServer.ts');
  const { RejectionError } = await import('./server/src/platform/http/rejectionError.ts');
  const app = createServer(readConfig({ DATA_DIR: '/tmp', LOG_LEVEL: 'info' }));
  const down = { code: 'storage_unavailable', message: 'File storage is unavailable. Try again shortly.' };
  app.post('/api/down', () => { throw new RejectionError(down, { cause: new Error('hidden-3') }); });
  app.post('/api/slow', () => ({}));
  await app.inject({ method: 'POST', url: '/api/down?token=hidden-2', payload: { password: 'hidden-1' } });
  let [requested, over] = [];
  requested = new Promise((start) => {
    over = new Promise((end) => {
      app.server.on('request', (request) => { request.on('close', () => setImmediate(end)); start(); });
    });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(app.server.address().port, '127.0.0.1');
  const head = 'POST /api/slow?token=hidden-2 HTTP/1.1\\r\\nhost: a\\r\\ncontent-type: application/json\\r\\ncontent-length: 1000\\r\\n\\r\\n';
  await new Promise((done) => socket.write(head + '{"password":"hidden-1', done));
  await requested;
  socket.destroy();
  await over;
  await app.close();
`;

/** A provider's notification with a wrong signature. */
const forged = `
  const { readConfig } = await import('./server/src/config.ts');
  const { createServer } = await import('./server/src/platform/http/createServer.ts');
  const { paymentNoticeRoutes } = await import('./server/src/features/payments/noticeRoutes.ts');
  const app = createServer(readConfig({ DATA_DIR: '/tmp', LOG_LEVEL: 'info' }));
  const readNotification = () => ({ ok: false, error: { reason: 'forged', message: 'The signature is not valid.' } });
  const payments = { coins: { name: 'nowpayments', readNotification } };
  app.register(async (scope) => paymentNoticeRoutes(scope, { payments }));
  const headers = { 'content-type': 'application/json', 'x-nowpayments-sig': 'hidden-2' };
  await app.inject({ method: 'POST', url: '/api/billing/now/ipn', headers, payload: '{"payment_id":"hidden-1"}' });
  await app.close();
`;

const linesOf = (source: string): { stdout: string; lines: Record<string, unknown>[] } => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { stdout, lines };
};

describe('the log of responses', () => {
  it('has exactly one line, with the request and without its body, for a 503 and for an aborted request', () => {
    const { stdout, lines } = linesOf(troubled);
    const ofRequests = lines.filter(({ reqId }) => reqId !== undefined);
    const common = { reqId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown, method: 'POST' };
    expect(ofRequests).toHaveLength(2);
    expect(ofRequests[0]).toMatchObject({
      ...common,
      level: 40,
      path: '/api/down',
      statusCode: 503,
      code: 'storage_unavailable',
    });
    expect(ofRequests[1]).toMatchObject({ ...common, level: 30, path: '/api/slow', code: 'aborted' });
    expect(stdout).not.toMatch(/hidden-\d/);
    expect(stdout).not.toMatch(/stack/);
  });

  it('has one line for each, with its request and without the query, and other lines still redact secrets', () => {
    const { stdout, lines } = linesOf(program);
    expect(lines).toHaveLength(2);
    const [careful, responded] = lines;
    expect(careful).toMatchObject({ msg: 'careful', token: '[hidden]' });
    expect(responded).toMatchObject({ msg: 'answered', method: 'GET', path: '/api/thing', statusCode: 200 });
    expect(responded?.['reqId']).toBe(careful?.['reqId']);
    expect(stdout).not.toMatch(/hidden-\d/);
  });

  it('NODE-075 each line names the role, the version and the node, and the trace where there is one', () => {
    const { lines } = linesOf(`
      const { readConfig } = await import('./server/src/config.ts');
      const { createServer } = await import('./server/src/platform/http/createServer.ts');
      const fields = { role: 'web', version: '1.2.3', node: 'host 7' };
      const log = async (traceId) => {
        const app = createServer(readConfig({ DATA_DIR: '/tmp', LOG_LEVEL: 'info' }), undefined, { fields, traceId });
        app.get('/api/thing', () => ({}));
        await app.inject('/api/thing');
        await app.close();
      };
      await log();
      await log(() => 'abc');
      await log(() => undefined);
    `);
    const named = { role: 'web', version: '1.2.3', node: 'host 7' };
    for (const line of lines) expect(line).toMatchObject(named);
    expect(lines.map((line) => line['trace_id'])).toEqual([undefined, 'abc', undefined]);
  });

  it('states why a payment notification was rejected, without its body and its signature', () => {
    const { stdout, lines } = linesOf(forged);
    expect(lines.map(({ msg }) => msg)).toContain('a payment notification was rejected');
    expect(lines.find(({ reason }) => reason !== undefined)).toMatchObject({
      provider: 'nowpayments',
      reason: 'forged',
      bytes: 25,
    });
    expect(stdout).not.toMatch(/hidden-\d/);
  });
});
