import Fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunAdmission, parseMostlyNumbers } from '../../../src/features/backtest/largeBodies.ts';
import { addRequireUser } from '../../../src/platform/auth/requireUser.ts';
import type { App } from '../../../src/platform/http/app.ts';
import { handleError } from '../../../src/platform/http/errorHandler.ts';

let app: App;
let url: string;
let port: number;
const hits: string[] = [];

beforeAll(async () => {
  app = Fastify({ bodyLimit: 12 * 1024 * 1024 }).withTypeProvider<ZodTypeProvider>();
  app.setErrorHandler(handleError);
  addRequireUser(app, ({ authorization }) =>
    Promise.resolve(
      authorization === undefined ? null : { id: authorization, email: 'trader@example.com', sessionId: 'session' },
    ),
  );
  const admit = createRunAdmission({
    hit: ([limit]) => {
      hits.push(limit?.key ?? '');
      return Promise.resolve(limit?.key === 'backtest:eager' ? { key: limit.key, retryAfterS: 7 } : undefined);
    },
    forget: () => Promise.resolve(),
    sweep: () => Promise.resolve(),
  });
  await app.register((scope) => {
    scope.addHook('onRequest', scope.requireUser);
    parseMostlyNumbers(scope);
    scope.post('/run', { onRequest: admit }, (request) => Promise.resolve(request.body));
    return Promise.resolve();
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const send = async (body: string, user = 'anna') => {
  const headers = { authorization: user, 'content-type': 'application/json' };
  const response = await fetch(`${url}/run`, { method: 'POST', headers, body });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
};

/** Sends the start of a large body and stops there. */
const start = (user: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST /run HTTP/1.1\r\nhost: x\r\nauthorization: ${user}\r\ncontent-type: application/json\r\n` +
          `content-length: 5000000\r\n\r\n[1,`,
        () => {
          resolve(socket);
        },
      );
    });
  });
const hit = async (count: number): Promise<void> => {
  while (hits.length < count) await new Promise((resolve) => setImmediate(resolve));
};

const large = `[${'1,'.repeat(600_000)}1]`;

describe('the body of a run', () => {
  it('is counted and rejected before it is read when its user runs too often', async () => {
    expect(await send(large, 'eager')).toMatchObject({ status: 429, retryAfter: '7' });
  });

  it('waits for an earlier large body of the same user, and goes on when that one is gone', async () => {
    hits.length = 0;
    const first = await start('ben');
    await hit(1);
    const waiting = send(large, 'ben');
    await hit(2);
    expect(await send(large, 'ben')).toMatchObject({ status: 503, retryAfter: '2' });
    expect((await send('[1]', 'ben')).status).toBe(200);
    expect((await send(large, 'clara')).status).toBe(200);
    first.destroy();
    expect((await waiting).status).toBe(200);
    expect((await send(large, 'ben')).status).toBe(200);
  });

  it.each([
    ['objects', `[${'{},'.repeat(2000)}1]`],
    ['arrays', `[${'[],'.repeat(2000)}1]`],
    ['texts', `[${'"",'.repeat(4000)}1]`],
  ])('is rejected before it is parsed when it consists of thousands of %s', async (_what, body) => {
    const { status, text } = await send(body);
    expect([status, text]).toEqual([400, expect.stringContaining('too many objects or strings')]);
  });

  it('must be valid JSON', async () => {
    expect(await send('{"a":[1,2.5,null]}')).toMatchObject({ status: 200, text: '{"a":[1,2.5,null]}' });
    expect(await send('{"a":')).toMatchObject({
      status: 400,
      text: expect.stringContaining('not valid JSON') as string,
    });
    expect((await send('{"__proto__":{}}')).status).toBe(400);
    expect((await send('')).text).toContain('body is empty');
  });
});
