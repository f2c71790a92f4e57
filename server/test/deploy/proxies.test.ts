import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../launch/freePort.ts';
import { findProgram } from '../support/findProgram.ts';
import { readText } from './support/deployFiles.ts';

/** The guides for a proxy, run by the programs of Debian's packages. Without them the tests are skipped. */

const nginx = findProgram('nginx', '-v');
const caddy = findProgram('caddy', 'version');

let folder: string;
let closers: (() => Promise<void> | void)[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-proxy-'));
  closers = [];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  await rm(folder, { recursive: true, force: true });
});

/** A web node as a proxy sees it. */
interface Upstream {
  port: number;
  /** 503 on every path, as a node that drains. */
  drain: () => void;
  /** Closes its port, as a node that restarts. */
  stop: () => Promise<void>;
  requests: number;
}

async function startUpstream(name: string, port = 0): Promise<Upstream> {
  let isDraining = false;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const upstream: Upstream = { port, requests: 0, drain: () => (isDraining = true), stop };
  const server: Server = createServer((request, response) => {
    upstream.requests++;
    if (isDraining) {
      response.writeHead(503).end();
      return;
    }
    if (request.url === '/api/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: first\n\n');
      return;
    }
    const { headers, method } = request;
    let length = 0;
    request.on('data', (part: Buffer) => (length += part.length));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name, method, length, headers }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closers.push(stop);
  upstream.port = (server.address() as AddressInfo).port;
  return upstream;
}

function startProxy(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  closers.push(
    () =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null) resolve();
        else {
          child.once('exit', () => resolve());
          child.kill('SIGTERM');
        }
      }),
  );
}

/** A certificate for an hour, by a key of its own. */
function writeCertificate(): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
      ...['-subj', '/CN=sextant.example', '-keyout', 'privkey.pem', '-out', 'fullchain.pem'],
    ],
    { cwd: folder, stdio: 'ignore' },
  );
}

interface Response {
  status: number;
  body: string;
}

/** One connection of HTTP/2 to the proxy, by the name of its certificate. */
async function connect(port: number): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, {
    servername: 'sextant.example',
    rejectUnauthorized: false,
  });
  closers.push(() => session.destroy());
  await new Promise<void>((resolve, reject) => session.once('connect', () => resolve()).once('error', reject));
  // A rejected body ends the connection.
  session.on('error', () => undefined);
  return session;
}

interface Sent {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** Responds with the first part of the body, and leaves the rest. */
  isFirstPart?: boolean;
}

const send = (session: ClientHttp2Session, { path, method = 'GET', headers, body, isFirstPart }: Sent) =>
  new Promise<Response>((resolve, reject) => {
    const stream = session.request({
      ':path': path,
      ':method': method,
      ':authority': 'sextant.example',
      ...headers,
    });
    let status = 0;
    let text = '';
    const end = () => resolve({ status, body: text });
    stream.on('response', (received) => (status = received[':status'] ?? 0));
    stream.on('data', (part: Buffer) => {
      text += part.toString();
      if (isFirstPart === true) {
        end();
        stream.close();
      }
    });
    stream.on('end', end).on('error', reject);
    stream.end(body);
  });

/** The proxy once it accepts connections. */
const connected = (port: number) => vi.waitFor(() => connect(port), { timeout: 30_000, interval: 100 });

describe.skipIf(nginx === undefined)('nginx', () => {
  /** The file of the guide with other ports, folders and nodes. Debian 12 has a version in which HTTP/2 is a word of `listen`. */
  async function start(nodes: readonly Upstream[]): Promise<number> {
    writeCertificate();
    const [port, plainPort] = [await freePort(), await freePort()];
    const servers = nodes.map((node) => `server 127.0.0.1:${node.port} max_fails=2 fail_timeout=5s;`).join('\n  ');
    const guide = readText('deploy/proxy/nginx.conf')
      .replace('server 127.0.0.1:3000 max_fails=2 fail_timeout=5s;', servers)
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl http2;`)
      .replaceAll(/^ *listen \[::\].*$/gm, '')
      .replace('http2 on;', '')
      .replaceAll('/etc/ssl/sextant', folder);
    expect(guide).toContain(servers);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    const config = [
      'daemon off;',
      // As root its workers change to a user who may not write into the folder of the test.
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `pid ${join(folder, 'pid')};`,
      `error_log ${join(folder, 'error.log')};`,
      'worker_processes 1;',
      'events { worker_connections 256; }',
      `http { access_log off; ${places.join(' ')} ${guide} }`,
    ];
    await writeFile(join(folder, 'nginx.conf'), config.join('\n'));
    execFileSync(nginx ?? '', ['-t', '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')], {
      stdio: 'ignore',
    });
    startProxy(nginx ?? '', ['-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')]);
    const plain = await vi.waitFor(
      () =>
        fetch(`http://127.0.0.1:${plainPort}/help?a=1`, {
          redirect: 'manual',
          headers: { host: 'sextant.example' },
        }),
      { timeout: 30_000, interval: 100 },
    );
    expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://sextant.example/help?a=1']);
    return port;
  }

  it('NODE-200 passes event streams on at once, and the address of the client alone', async () => {
    const session = await connected(await start([await startUpstream('one')]));
    expect(session.alpnProtocol).toBe('h2');
    const first = await send(session, { path: '/api/events', isFirstPart: true });
    expect(first).toEqual({ status: 200, body: 'data: first\n\n' });
    const plain = await send(session, { path: '/api/health', headers: { 'x-forwarded-for': '203.0.113.9' } });
    const { headers } = JSON.parse(plain.body) as { headers: Record<string, string> };
    expect(headers).toMatchObject({
      host: 'sextant.example',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
    });
    expect((await send(session, { path: '/metrics' })).status).toBe(404);
  });

  it('NODE-200 gives a request to the next node when one drains, a change only once, and takes a picture of 12 MB', async () => {
    const [one, two] = [await startUpstream('one'), await startUpstream('two')];
    const session = await connected(await start([one, two]));
    one.drain();
    const names = new Set<string>();
    for (let i = 0; i < 6; i++) {
      const { status, body } = await send(session, { path: '/api/health' });
      expect(status).toBe(200);
      names.add((JSON.parse(body) as { name: string }).name);
    }
    expect([...names]).toEqual(['two']);
    two.drain();
    const before = one.requests + two.requests;
    const changed = await send(session, { path: '/api/orders', method: 'POST', body: Buffer.from('{}') });
    expect([changed.status, one.requests + two.requests - before]).toEqual([503, 1]);
    const picture = await startUpstream('three');
    const other = await connected(await start([picture]));
    const sent = await send(other, { path: '/api/vision', method: 'POST', body: Buffer.alloc(12_000_000) });
    expect([sent.status, (JSON.parse(sent.body) as { length: number }).length]).toEqual([200, 12_000_000]);
    const large = await send(other, {
      path: '/api/vision',
      method: 'POST',
      body: Buffer.alloc(17 * 1024 * 1024),
    }).catch(() => null);
    expect(large?.status ?? 413).toBe(413);
  });
});

describe.skipIf(caddy === undefined)('Caddy', () => {
  it('NODE-200 passes event streams on at once, hides the metrics, and waits for a node that restarts', async () => {
    const node = await startUpstream('one');
    const port = await freePort();
    await mkdir(join(folder, 'data'));
    const guide = readText('deploy/proxy/Caddyfile')
      .replace('sextant.example {', `https://sextant.example:${port} {\n\ttls internal\n\tbind 127.0.0.1`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${node.port}`);
    // Without HTTP/3: a free port of TCP need not be one of UDP.
    const head =
      '{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n';
    await writeFile(join(folder, 'Caddyfile'), head + guide);
    const home = { HOME: folder, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: join(folder, 'data') };
    startProxy(caddy ?? '', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], home);
    const session = await connected(port);
    expect(session.alpnProtocol).toBe('h2');
    const response = await vi.waitFor(
      async () => {
        const { status, body } = await send(session, { path: '/api/health' });
        expect(status).toBe(200);
        return JSON.parse(body) as { headers: Record<string, string> };
      },
      { timeout: 30_000, interval: 200 },
    );
    expect(response.headers).toMatchObject({ host: `sextant.example`, 'x-forwarded-proto': 'https' });
    const first = await send(session, { path: '/api/events', isFirstPart: true });
    expect(first).toEqual({ status: 200, body: 'data: first\n\n' });
    expect((await send(session, { path: '/metrics' })).status).toBe(404);

    await node.stop();
    const waiting = send(session, { path: '/api/health' });
    await pause(200);
    await startUpstream('restarted', node.port);
    const late = await waiting;
    expect([late.status, (JSON.parse(late.body) as { name: string }).name]).toEqual([200, 'restarted']);
  });
});
