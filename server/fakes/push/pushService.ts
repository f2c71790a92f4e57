import { randomUUID, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createKeyPair, decryptPush, type KeyPair, readVapid } from '../../src/adapters/outgoing/webPush.ts';
import { foreignCaller } from '../exchanges/control.ts';

/** A push that arrived, as the browser reads it. */
export interface ReceivedPush {
  /** Endpoint of the browser. */
  endpoint: string;
  text: string;
  ttl: string | undefined;
  urgency: string | undefined;
  claims: Record<string, unknown>;
  atMs: number;
}

interface Browser extends KeyPair {
  auth: string;
  /** Application server key of the subscription: another sender is rejected, as by real services. */
  senderKey: string | undefined;
}

const bytesMax = 8192;
const cachedMax = 500;

/**
 * The push service of browsers (RFC 8030) with the browsers behind it: `POST /push/__control/browsers` makes one and returns its
 * subscription; `GET /push/__control/received` lists what it can decrypt. `DELETE /push/<id>` ends a subscription: then 410.
 */
export function createPushService(origin: () => string): {
  respond: (request: IncomingMessage, response: ServerResponse) => boolean;
} {
  const browsers = new Map<string, Browser>();
  const received: ReceivedPush[] = [];

  const json = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

  function makeBrowser(response: ServerResponse): void {
    const id = randomUUID();
    const auth = randomBytes(16).toString('base64url');
    const pair = createKeyPair();
    browsers.set(id, { ...pair, auth, senderKey: undefined });
    json(response, 200, { endpoint: `${origin()}/push/${id}`, keys: { p256dh: pair.publicKey, auth } });
  }

  function receive(id: string, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const browser = browsers.get(id);
    if (browser === undefined) {
      response.writeHead(410).end();
      return;
    }
    const { authorization = '', 'content-encoding': encoding, ttl, urgency } = request.headers;
    const sender = readVapid(authorization);
    const isFor = sender?.claims['aud'] === origin() && Number(sender.claims['exp']) > Date.now() / 1000;
    if (!isFor || (browser.senderKey ?? sender.publicKey) !== sender.publicKey) {
      response.writeHead(403).end();
      return;
    }
    browser.senderKey = sender.publicKey;
    if (encoding !== 'aes128gcm' || ttl === undefined) {
      response.writeHead(400).end();
      return;
    }
    const text = decryptPush(browser, browser.auth, body);
    const shown = { ttl: String(ttl), urgency: urgency === undefined ? undefined : String(urgency) };
    received.push({ endpoint: `${origin()}/push/${id}`, text, ...shown, claims: sender.claims, atMs: Date.now() });
    if (received.length > cachedMax) received.shift();
    response.writeHead(201).end();
  }

  return {
    respond(request, response) {
      const [, kind, id = '', what] = (request.url ?? '').split('/');
      if (kind !== 'push') return false;
      if (id === '__control') {
        const foreign = foreignCaller(request);
        if (foreign !== undefined) json(response, 403, { error: foreign });
        else if (what === 'browsers') makeBrowser(response);
        else json(response, 200, { received });
        return true;
      }
      if (request.method === 'DELETE') {
        browsers.delete(id);
        response.writeHead(204).end();
        return true;
      }
      const parts: Buffer[] = [];
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= bytesMax) parts.push(chunk);
      });
      request.on('end', () => {
        try {
          receive(id, request, response, Buffer.concat(parts));
        } catch {
          response.writeHead(400).end();
        }
      });
      return true;
    },
  };
}
