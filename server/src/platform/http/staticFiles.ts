import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { App } from './app.ts';
import { readBuiltPages, servePages } from './builtPages.ts';

const yearS = 365 * 24 * 3600;

/**
 * Serves the built web. Files under /assets carry a hash in their name and are kept for a year; everything else is asked for
 * again each time. Returns what answers a path that is no page, or undefined when no web is built: it leads home.
 * @param origin `https://sextant.example`: what the pages say their address is
 */
export async function serveWeb(
  app: App,
  webDir: string,
  origin: string,
): Promise<((reply: FastifyReply) => FastifyReply) | undefined> {
  if (!existsSync(join(webDir, 'index.html'))) return undefined;
  servePages(app, await readBuiltPages(webDir, origin));
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
