import { readFile } from 'node:fs/promises';
import { buildApp } from './src/app.ts';
import { readConfig } from './src/config.ts';
import { createDeps } from './src/deps.ts';
import { openDatabase } from './src/platform/db/database.ts';

/** The API document of this source tree. Builds the app without listening, connecting or running anything. */
export async function openApiDocument(): Promise<Record<string, unknown>> {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const database = openDatabase({ url: 'postgres://127.0.0.1:1/none', onError: () => undefined });
  const deps = createDeps({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    database,
    engine: {
      run: () => Promise.reject(new Error('the document needs no engine')),
      close: () => Promise.resolve(),
    },
    newEngine: () => {
      throw new Error('the document needs no engine');
    },
    authSecret: 'signs nothing: no request is answered here',
    version: manifest.version,
    webDir: '/nowhere',
  });
  const app = await buildApp(deps);
  await app.ready();
  const document = app.swagger() as unknown as Record<string, unknown>;
  await app.close();
  await deps.close();
  await database.close();
  return document;
}
