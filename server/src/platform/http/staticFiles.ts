import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { once } from '../once.ts';
import type { App } from './app.ts';

interface Page {
  type: string;
  etag: string;
  /** Compressed when first asked for: a start does not wait for it. */
  bodies: Record<'br' | 'gzip' | 'identity', () => Promise<Buffer>>;
}

/** Stands in the built files where the address of this installation belongs; the build cannot know it. */
const originMark = '%ORIGIN%';
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

function pageOf(text: string, type: string): Page {
  const identity = Buffer.from(text);
  return {
    type,
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    bodies: {
      identity: () => Promise.resolve(identity),
      br: once(() => promisify(brotliCompress)(identity)),
      gzip: once(() => promisify(gzip)(identity)),
    },
  };
}

/** Files of the build that no address names: the page for people with a session, and the paths at which they get it. */
const appFile = '.signed-in.html';
const appPathsFile = '.signed-in.json';

/** Files beside the pages that name addresses of the installation. */
const addressed = new Set(['sitemap.xml', 'robots.txt', 'llms.txt']);

/** `/features` for features.html, `/` for index.html, `/sitemap.xml` as it is. */
const urlOf = (file: string): string => `/${file.replaceAll('\\', '/').replace(/(^|\/)index\.html$|\.html$/, '')}`;

/**
 * The pages that the build wrote out, by path, with the origin of this installation in their links. They stay in memory: there
 * are some eighty small ones, and each has to be changed once.
 */
async function readBuiltPages(webDir: string, origin: string): Promise<Map<string, Page>> {
  const files = (await readdir(webDir, { recursive: true })).filter(
    (file) => (file.endsWith('.html') && file !== appFile) || addressed.has(file),
  );
  const pages = await Promise.all(
    files.map(async (file) => {
      const text = (await readFile(join(webDir, file), 'utf8')).replaceAll(originMark, origin);
      return [urlOf(file), pageOf(text, types[/\.[a-z]+$/.exec(file)?.[0] ?? ''] ?? 'text/plain')] as const;
    }),
  );
  return new Map(pages);
}

interface SignedIn {
  page: Page;
  /** Paths of the public pages that it stands in for. */
  paths: ReadonlySet<string>;
  findSession: FindSession;
}

/** Finds the session of a request, with the cookies that renew it; null without one. May fail. */
type FindSession = (request: FastifyRequest) => Promise<{ cookies: readonly string[] } | null>;

async function readSignedIn(webDir: string, findSession: FindSession): Promise<SignedIn | undefined> {
  if (!existsSync(join(webDir, appFile))) return undefined;
  const paths = JSON.parse(await readFile(join(webDir, appPathsFile), 'utf8')) as string[];
  const page = pageOf(await readFile(join(webDir, appFile), 'utf8'), types['.html'] ?? '');
  return { page, paths: new Set(paths), findSession };
}

/** A database that hangs holds up no page for longer. */
const SESSION_WAIT_MS = 500;

/**
 * Sends the product to who has a session and the public page to everybody else. While sessions cannot be read, a request that may have one
 * gets the product, which says what it cannot reach.
 */
async function sendPageFor(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicPage, signedIn }: { publicPage: Page; signedIn: SignedIn },
): Promise<FastifyReply> {
  const unknown = { cookies: [] };
  const session = await Promise.race([
    signedIn.findSession(request).catch(() => unknown),
    pause(SESSION_WAIT_MS, unknown, { ref: false }),
  ]);
  const vary = 'accept-encoding, cookie';
  if (session === null) return sendPage(request, reply, publicPage, { ...forAll, vary });
  if (session.cookies.length > 0) void reply.header('set-cookie', [...session.cookies]);
  // Cookies of one person must stay out of shared caches.
  return sendPage(request, reply, signedIn.page, { 'cache-control': 'private, no-cache', vary });
}

/**
 * Adds a route for each page, before the files: these answer compressed, and with 304 to who has them already. A page whose path a
 * feature answers itself is left out: outside a demo there is no outbox, though its page is built.
 */
function servePages(app: App, pages: ReadonlyMap<string, Page>, signedIn: SignedIn | undefined): void {
  for (const [url, publicPage] of pages) {
    if (app.hasRoute({ method: 'GET', url })) continue;
    const isForSignedIn = signedIn?.paths.has(url) === true;
    app.get(url, { schema: { hide: true } }, (request, reply) =>
      isForSignedIn ? sendPageFor(request, reply, { publicPage, signedIn }) : sendPage(request, reply, publicPage),
    );
  }
}

/** Headers of a page that is the same for every reader. */
const forAll = { 'cache-control': 'no-cache', vary: 'accept-encoding' };

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, bodies }: Page,
  headers = forAll,
): Promise<FastifyReply> {
  void reply.headers({ ...headers, etag });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!;q=0(\\.0*)?(,|$))`).test(accepted),
  );
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply.type(type).send(await bodies[encoding ?? 'identity']());
}

const yearS = 365 * 24 * 3600;

/**
 * Serves the built web. Files under /assets carry a hash in their name and are kept for a year; everything else is asked for
 * again each time. Returns what answers a path that is no page, or undefined when no web is built: it leads home.
 * @param origin `https://sextant.example`: what the pages say their address is
 * @param findSession who has a session gets the product at public addresses
 */
export async function serveWeb(
  app: App,
  webDir: string,
  origin: string,
  findSession: FindSession,
): Promise<((reply: FastifyReply) => FastifyReply) | undefined> {
  if (!existsSync(join(webDir, 'index.html'))) return undefined;
  servePages(app, await readBuiltPages(webDir, origin), await readSignedIn(webDir, findSession));
  await app.register(fastifyStatic, {
    root: webDir,
    cacheControl: false,
    wildcard: true,
    schemaHide: true,
    // The build leaves a compressed twin beside each file that gains by it.
    preCompressed: true,
    index: false,
    // Pages are served above, with their links made whole; what the build keeps for itself is no page.
    allowedPath: (path) => !/\.html$|\/\.[^/]*$/.test(path),
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(webDir, 'assets'));
      void reply.header('cache-control', isHashed ? `public, max-age=${yearS}, immutable` : 'no-cache');
    },
  });
  return (reply) => reply.header('cache-control', 'no-store').redirect('/', 302);
}
