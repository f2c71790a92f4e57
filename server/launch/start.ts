import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, launch } from './launch.ts';
import { StartError } from './startError.ts';

/** Builds whatever is older than its sources. */
const buildWhenStale: Build = async (report) => {
  // Loaded here: the port responds first.
  const { buildEngine } = await import('@sextant/engine-as/build.ts');
  const { buildWebWhenStale } = await import('./buildWeb.ts');
  const { isRebuilt } = await buildEngine();
  if (isRebuilt) report('Built the engine.');
  if (await buildWebWhenStale()) report('Built the pages.');
};

/** A production install has no compilers and may be read-only: it serves what `npm run build` made. */
const requireBuilt: Build = () => {
  const root = join(import.meta.dirname, '../..');
  const missing = ['engine-as/build/engine.wasm', 'web/dist/index.html'].filter(
    (path) => !existsSync(join(root, path)),
  );
  return missing.length === 0
    ? Promise.resolve()
    : Promise.reject(
        new StartError(`${missing.join(' and ')} missing; run npm ci && npm run build before npm ci --omit=dev`),
      );
};

/** `npm start`: everything on one machine, or one line that says why not. */
await launch(process.env['NODE_ENV'] === 'production' ? requireBuilt : buildWhenStale);
