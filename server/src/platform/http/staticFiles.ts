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
  /** Compressed at first use, so that the start does not wait. */
  bodies: Record<'br' | 'gzip' | 'identity', () => Promise<Buffer>>;
}

/** Placeholder in the built files for the origin of this installation, which the build cannot know. */
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

/** Build files without a URL: the page for signed-in users, and the paths at which they get it. */
const appFile = '.signed-in.html';
const appPathsFile = '.signed-in.json';

/** Files beside the pages that contain URLs of the installation. */
const addressed = new Set(['sitemap.xml', 'robots.txt', 'llms.txt']);

/** `/features` for features.html, `/` for index.html, `/sitemap.xml` unchanged. */
const urlOf = (file: string): string => `/${file.replaceAll('\\', '/').replace(/(^|\/)index\.html$|\.html$/, '')}`;

/**
 * The pages of the build by path, with the origin of this installation in their links. Cached in memory: there are about eighty
 * small ones, and each needs one replacement.
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
  /** Paths of the public pages that it replaces. */
  paths: ReadonlySet<string>;
  findSession: FindSession;
}

/** Finds the session of a request, with the cookies that renew it; null without one. May reject. */
type FindSession = (request: FastifyRequest) => Promise<{ cookies: readonly string[] } | null>;

async function readSignedIn(webDir: string, findSession: FindSession): Promise<SignedIn | undefined> {
  if (!existsSync(join(webDir, appFile))) return undefined;
  const paths = JSON.parse(await readFile(join(webDir, appPathsFile), 'utf8')) as string[];
  const page = pageOf(await readFile(join(webDir, appFile), 'utf8'), types['.html'] ?? '');
  return { page, paths: new Set(paths), findSession };
}

/** Longest wait for the session, so that a hanging database does not delay pages further. */
const SESSION_WAIT_MS = 500;

/**
 * Sends the app to signed-in users and the public page to all others. While sessions cannot be read, the app is sent, which reports
 * what it cannot reach.
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
  // A user's cookies must stay out of shared caches.
  return sendPage(request, reply, signedIn.page, { 'cache-control': 'private, no-cache', vary });
}

/**
 * Adds a route for each page before the static files: pages are sent compressed, or as 304 to clients that have them. Skips a page whose
 * path a feature serves: outside a demo there is no outbox, although its page is built.
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

/** Headers of a page that is the same for all readers. */
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
 * Serves the built web. Files under /assets have a hash in their name and are cached for a year; all others are revalidated
 * each time. Returns a handler that redirects an unknown page to `/`, or undefined when no web is built.
 * @param origin `https://sextant.example`: the origin in the pages' URLs
 * @param findSession signed-in users get the app at public URLs
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
    // The build writes a compressed copy beside each file that benefits.
    preCompressed: true,
    index: false,
    // Pages are served above, with complete links; dotfiles are internal to the build.
    allowedPath: (path) => !/\.html$|\/\.[^/]*$/.test(path),
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(webDir, 'assets'));
      void reply.header('cache-control', isHashed ? `public, max-age=${yearS}, immutable` : 'no-cache');
    },
  });
  return (reply) => reply.header('cache-control', 'no-store').redirect('/', 302);
}
