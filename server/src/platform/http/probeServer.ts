import type { AddressInfo } from 'node:net';

// An import would load the whole module, including its HTTP client.
const { createServer } = process.getBuiltinModule('node:http');

export interface ProbeResponse {
  status: number;
  type: string;
  body: string;
}

/** The response to GET `path`; undefined when there is none. */
export type ProbeResponder = (path: string) => Promise<ProbeResponse | undefined>;

export interface ProbeServer {
  port: number;
  /** Replaces the first responder, once everything is loaded. */
  use: (respond: ProbeResponder) => void;
  close: () => Promise<void>;
}

const notFound: ProbeResponse = { status: 404, type: 'text/plain; charset=utf-8', body: 'not found\n' };
const starting: ProbeResponder = (path) => {
  const type = 'application/json; charset=utf-8';
  if (path === '/livez') return Promise.resolve({ status: 200, type, body: '{"status":"ok"}' });
  const reasons = [{ code: 'starting', message: 'The node is starting.' }];
  const body = JSON.stringify({ status: 'not_ready', reasons });
  return Promise.resolve(path === '/readyz' || path === '/metrics' ? { status: 503, type, body } : undefined);
};

/**
 * The port of probes and metrics, which every role has. It opens before anything else and closes last, so that an operator always gets a
 * response. Rejects with the socket's error. @param port 0 takes any free port
 */
export async function listenProbes(host: string, port: number): Promise<ProbeServer> {
  let respond = starting;
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const responding = isRead ? respond(path) : Promise.resolve(undefined);
    responding
      .catch((): ProbeResponse => ({ status: 500, type: 'text/plain; charset=utf-8', body: 'failed\n' }))
      .then((found = notFound) => {
        const headers = { 'content-type': found.type, 'cache-control': 'no-store' };
        response.writeHead(found.status, headers).end(request.method === 'HEAD' ? undefined : found.body);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // The process ends when its work has ended, whatever polls this port.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    use: (next) => (respond = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
