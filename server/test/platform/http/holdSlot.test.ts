import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleError } from '../../../src/platform/http/errorHandler.ts';
import { holdSlot } from '../../../src/platform/http/holdSlot.ts';
import { createSlots } from '../../../src/platform/limits/slots.ts';

const slots = createSlots({ slotCount: 4, perKey: 1, queueMaxPerKey: 0, waitMsMax: 1000 });
const app = Fastify();
/** More than the buffers of a connection hold. */
const large = Buffer.alloc(64 * 1024 * 1024);
let url: string;

beforeAll(async () => {
  app.setErrorHandler(handleError);
  const hold = { onRequest: (_request: FastifyRequest, reply: FastifyReply) => holdSlot(slots, 'anna', reply) };
  app.get('/large', hold, (_request, reply) => reply.type('application/octet-stream').send(large));
  app.get('/small', hold, () => 'small');
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const small = async (): Promise<number> => (await fetch(`${url}/small`)).status;

it('is held until the response is read to its end, and free when the reader disconnects', async () => {
  const reader = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  reader.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
  await new Promise((resolve) => reader.once('data', resolve));
  reader.pause();
  expect(await small()).toBe(503);
  reader.destroy();
  await expect.poll(small).toBe(200);
  expect(await small()).toBe(200);
});
