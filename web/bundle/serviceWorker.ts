import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const source = join(import.meta.dirname, '../src/serviceWorker/serviceWorker.ts');
/** At the root, so that it serves every page. */
const FILE = 'service-worker.js';

export const readServiceWorker = async (): Promise<string> => stripTypeScriptTypes(await readFile(source, 'utf8'));

/** Emits the service worker under a name that stays: browsers compare it by its address. */
export const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: FILE, source: await readServiceWorker() });
  },
  configureServer(server) {
    server.middlewares.use(`/${FILE}`, (_request, response) => {
      void readServiceWorker().then((text) => response.setHeader('content-type', 'text/javascript').end(text));
    });
  },
});
