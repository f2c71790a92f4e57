import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiErrors } from '../errors.ts';
import { problemBody, problemMediaType } from './problemBody.ts';

// An import would load all that the module offers, its HTTP client too: a thirtieth of the processor time of a start.
const { createServer } = process.getBuiltinModule('node:http');

export interface EarlyServer {
  /** The listening socket. A server that listens on it takes every connection from then on; not one is refused in between. */
  handle: object;
  /** The socket belongs to another server now. */
  release: () => void;
}

const retryAfterS = 1;
const { status, title } = apiErrors.starting;
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="${retryAfterS}">
<title>Sextant</title><p>${title}</p></html>`;

function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const isPage = request.url?.startsWith('/api/') !== true && request.headers.accept?.includes('text/html') === true;
  response.writeHead(status, {
    'content-type': isPage ? 'text/html; charset=utf-8' : problemMediaType,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    'retry-after': String(retryAfterS),
    // The next request must reach the server that takes over.
    connection: 'close',
  });
  response.end(isPage ? page : JSON.stringify(problemBody({ code: 'starting', message: title }, requestId)));
}

/**
 * Listens before anything else is loaded, and says that the server is starting: a visitor waits for a second and not for a refused
 * connection. Few modules on purpose. Rejects with the error of the socket.
 */
export async function listenEarly(host: string, port: number): Promise<EarlyServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, answerStarting);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const holder = server as unknown as { _handle: object | null };
  if (holder._handle === null) throw new Error('the socket was closed');
  return { handle: holder._handle, release: () => (holder._handle = null) };
}
