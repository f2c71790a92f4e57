import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import type { App } from './app.ts';

const yearS = 365 * 24 * 3600;

/**
 * Serves the built web. Files under /assets carry a hash in their name and are kept for a year; everything else is asked for
 * again each time. Returns how to send the page, or undefined when no web is built.
 */
export async function serveWeb(app: App, webDir: string): Promise<((reply: FastifyReply) => FastifyReply) | undefined> {
  if (!existsSync(join(webDir, 'index.html'))) return undefined;
  await app.register(fastifyStatic, {
    root: webDir,
    cacheControl: false,
    wildcard: true,
    schemaHide: true,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(webDir, 'assets'));
      void reply.header('cache-control', isHashed ? `public, max-age=${yearS}, immutable` : 'no-cache');
    },
  });
  return (reply) => reply.code(200).header('cache-control', 'no-cache').sendFile('index.html');
}
