import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** The product at another origin, where a second build can be installed and the server can disappear. */
export interface Deployment {
  origin: string;
  /** From now on the server has the second build, whose files are below `/assets/second/`; those of the first are gone. */
  install: () => void;
  stop: () => Promise<void>;
  start: () => Promise<void>;
}

const SECOND = 'assets/second/';
const isText = (type = ''): boolean => /javascript|html|css/.test(type);
const inSecond = (text: string): string => text.replaceAll(/\bassets\//g, SECOND);

async function readText(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

/** The service worker names its files in its first line; the rest is its code. */
function rename(pathname: string, text: string): string {
  if (pathname !== '/service-worker.js') return inSecond(text);
  const [files = '', ...code] = text.split('\n');
  return [inSecond(files), ...code].join('\n');
}

/** Passes requests on to the product. The second build is the first one below another folder. */
export async function deploy(product: string): Promise<Deployment> {
  let isSecond = false;
  const sockets = new Set<Socket>();
  // A connection of an earlier request may close while the next one is written to it.
  const agent = new Agent({ keepAlive: false });

  const send = (upstream: IncomingMessage, pathname: string, outgoing: ServerResponse): void => {
    const { statusCode = 502, headers } = upstream;
    if (!isSecond || statusCode !== 200 || !isText(headers['content-type'])) {
      outgoing.writeHead(statusCode, headers);
      upstream.pipe(outgoing);
      return;
    }
    const { 'content-length': _length, etag: _etag, ...others } = headers;
    void readText(upstream).then((text) => outgoing.writeHead(statusCode, others).end(rename(pathname, text)));
  };

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { pathname } = new URL(incoming.url ?? '/', product);
    if (isSecond && pathname.startsWith('/assets/') && !pathname.startsWith(`/${SECOND}`)) {
      outgoing.writeHead(404).end();
      return;
    }
    const headers: IncomingHttpHeaders = { ...incoming.headers, 'accept-encoding': 'identity' };
    // What is unchanged in the product may be of the former build here.
    if (isSecond) {
      delete headers['if-none-match'];
      delete headers['if-modified-since'];
    }
    const target = new URL((incoming.url ?? '/').replace(SECOND, 'assets/'), product);
    const upstream = request(target, { method: incoming.method, headers, agent }, (response) =>
      send(response, pathname, outgoing),
    );
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  };

  const server = createServer(pass);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    install: () => (isSecond = true),
    start: () => listen(port),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
