import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPushService } from '../push/pushService.ts';
import { foreignCaller } from '../exchanges/control.ts';

export interface ReceivedHook {
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes, as text, that the signature covers. */
  body: string;
  atMs: number;
}

/** Behaviour of the receiver: a status, optionally delayed, an endless response, or none. */
export type WebhookScenario =
  | { status: number; headers?: Record<string, string>; delayMs?: number }
  | 'hang'
  | 'endless';

export interface WebhookFake {
  /** `http://127.0.0.1:port` */
  origin: string;
  received: ReceivedHook[];
  /** Response to the next `times` requests; 204 after that. */
  play: (scenario: WebhookScenario, times?: number) => void;
  close: () => Promise<void>;
}

const cachedMax = 2000;
const shownMax = 200;
const bytesMax = 64 * 1024;

/**
 * A receiver of webhooks on loopback that stores them: `GET /__control/requests` lists them. It is also the push service of browsers, under
 * `/push/`.
 */
export async function startWebhookReceiver(port = 0): Promise<WebhookFake> {
  const received: ReceivedHook[] = [];
  const pushes = createPushService(() => origin());
  const state = { scenario: { status: 204 } as WebhookScenario, left: 0 };
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const server = createServer((request, response) => {
    if (request.url === '/__control/requests') {
      const foreign = foreignCaller(request);
      const body = foreign === undefined ? { requests: received.slice(-shownMax).toReversed() } : { error: foreign };
      response
        .writeHead(foreign === undefined ? 200 : 403, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
      return;
    }
    if (pushes.respond(request, response)) return;
    let body = '';
    request.on('data', (chunk: Buffer) => (body = (body + String(chunk)).slice(0, bytesMax)));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body, atMs: Date.now() });
      if (received.length > cachedMax) received.shift();
      const scenario = state.left-- > 0 ? state.scenario : { status: 204 };
      if (scenario === 'hang') return;
      if (scenario === 'endless') {
        response.writeHead(200);
        const drip = setInterval(() => response.write('x'.repeat(4096)), 5);
        response.on('close', () => clearInterval(drip));
        return;
      }
      const { status, headers, delayMs = 0 } = scenario;
      setTimeout(() => response.writeHead(status, headers).end('the receiver says this'), delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: origin(),
    received,
    play: (scenario, times = Infinity) => Object.assign(state, { scenario, left: times }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
