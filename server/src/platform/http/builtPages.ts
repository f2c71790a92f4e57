import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';

interface Page {
  type: string;
  etag: string;
  bodies: Record<'br' | 'gzip' | 'identity', Buffer>;
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
    bodies: { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) },
  };
}

/** `/features` for features.html, `/` for index.html, `/sitemap.xml` as it is. */
const urlOf = (file: string): string => `/${file.replaceAll('\\', '/').replace(/(^|\/)index\.html$|\.html$/, '')}`;

/**
 * The pages that the build wrote out, by path, with the origin of this installation in their links. They stay in memory: there
 * are a few, and each has to be changed once.
 */
export async function readBuiltPages(webDir: string, origin: string): Promise<Map<string, Page>> {
  const files = (await readdir(webDir, { recursive: true })).filter(
    (file) => file.endsWith('.html') || file === 'sitemap.xml' || file === 'robots.txt',
  );
  const pages = await Promise.all(
    files.map(async (file) => {
      const text = (await readFile(join(webDir, file), 'utf8')).replaceAll(originMark, origin);
      return [urlOf(file), pageOf(text, types[/\.[a-z]+$/.exec(file)?.[0] ?? ''] ?? 'text/plain')] as const;
    }),
  );
  return new Map(pages);
}

/**
 * Adds a route for each page, before the files: these answer compressed, and with 304 to who has them already. A page whose path a
 * feature answers itself is left out: outside a demo there is no outbox, though its page is built.
 */
export function servePages(app: App, pages: ReadonlyMap<string, Page>): void {
  for (const [url, page] of pages) {
    if (app.hasRoute({ method: 'GET', url })) continue;
    app.get(url, { schema: { hide: true } }, (request, reply) => sendPage(request, reply, page));
  }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { type, etag, bodies }: Page): FastifyReply {
  void reply.header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!;q=0(\\.0*)?(,|$))`).test(accepted),
  );
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply.type(type).send(bodies[encoding ?? 'identity']);
}
