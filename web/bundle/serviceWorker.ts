import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const source = join(import.meta.dirname, '../src/serviceWorker/serviceWorker.ts');
/** At the root, so that it serves every page. */
const FILE = 'service-worker.js';
/** Files of a page whose names have no hash. */
const plainFiles = ['/theme-first.mjs', '/favicon.svg'];

/** @param entry path of the first script of the build; empty in development, which has no copy */
export const readServiceWorker = async (entry = '', files: readonly string[] = []): Promise<string> =>
  `const build = ${JSON.stringify({ entry, files })};\n${stripTypeScriptTypes(await readFile(source, 'utf8'))}`;

/** Emits the service worker under a name that stays: browsers compare it by its address. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  generateBundle: {
    // After all other files are known, those of Web Workers too.
    order: 'post',
    async handler(_options, bundle) {
      const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
      if (entry === undefined) return;
      const assets = Object.keys(bundle).filter((file) => file.startsWith('assets/'));
      const files = [...assets.map((file) => `/${file}`).sort(), ...plainFiles];
      this.emitFile({
        type: 'asset',
        fileName: FILE,
        source: await readServiceWorker(`/${entry.fileName}`, files),
      });
    },
  },
  configureServer(server) {
    server.middlewares.use(`/${FILE}`, (_request, response) => {
      void readServiceWorker().then((text) => response.setHeader('content-type', 'text/javascript').end(text));
    });
  },
});
