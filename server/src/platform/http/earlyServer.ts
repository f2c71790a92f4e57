import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiErrors } from '../errors.ts';
import { problemBody, problemMediaType } from './problemBody.ts';

// An import would load the whole module, including its HTTP client: a thirtieth of the processor time of a start.
const { createServer } = process.getBuiltinModule('node:http');

export interface EarlyServer {
  /** The listening socket. A server that takes it over serves all further connections; none is rejected in between. */
  handle: object;
  /** Stops using the socket, which belongs to another server now. */
  release: () => void;
}

const retryAfterS = 1;
const { status, title } = apiErrors.starting;
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="${retryAfterS}">
<title>Sextant</title><p>${title}</p></html>`;

function respondWhileStarting(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/livez') {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"status":"ok"}');
    return;
  }
  const requestId = randomUUID();
  const isPage = request.url?.startsWith('/api/') !== true && request.headers.accept?.includes('text/html') === true;
  response.writeHead(status, {
    'content-type': isPage ? 'text/html; charset=utf-8' : problemMediaType,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    'retry-after': String(retryAfterS),
    // Makes the client open a new connection, which reaches the server that takes over.
    connection: 'close',
  });
  response.end(isPage ? page : JSON.stringify(problemBody({ code: 'starting', message: title }, requestId)));
}

/**
 * Listens before anything else is loaded and reports that the server is starting, so that visitors wait a second instead of getting a
 * rejected connection. Loads few modules on purpose. Rejects with the socket's error.
 */
export async function listenEarly(host: string, port: number): Promise<EarlyServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, respondWhileStarting);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const holder = server as unknown as { _handle: object | null };
  if (holder._handle === null) throw new Error('the socket was closed');
  return { handle: holder._handle, release: () => (holder._handle = null) };
}
