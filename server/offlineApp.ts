import { readFile } from 'node:fs/promises';
import { buildApp } from './src/app.ts';
import { readConfig } from './src/config.ts';
import { createDeps, type Deps, type Surroundings } from './src/deps.ts';
import { initialWorld } from './src/features/sandbox/world.ts';
import { openDatabase } from './src/platform/db/database.ts';
import type { App } from './src/platform/http/app.ts';

export interface OfflineOptions {
  /** Without one no call may need it. */
  engine?: Pick<Surroundings, 'engine' | 'newEngine'>;
  /** Replaces parts of what the app needs. */
  deps?: (made: Deps) => Partial<Deps>;
}

const noEngine: Pick<Surroundings, 'engine' | 'newEngine'> = {
  engine: {
    threads: 1,
    run: () => Promise.reject(new Error('there is no engine here')),
    close: () => Promise.resolve(),
  },
  newEngine: () => {
    throw new Error('there is no engine here');
  },
};

/** No test key moved its clock here. */
const stoppedClocks: Deps['sandboxClocks'] = {
  read: () => Promise.resolve({ version: 0, world: initialWorld }),
  write: () => Promise.resolve(false),
  admit: () => Promise.resolve(undefined),
  admitPost: () => Promise.resolve(undefined),
};

/** The app of this source tree without a database and a port, for what is generated from it. */
export async function withOfflineApp<T>(work: (app: App) => Promise<T>, options: OfflineOptions = {}): Promise<T> {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const database = openDatabase({ url: 'postgres://127.0.0.1:1/none', onError: () => undefined });
  const made = createDeps({
    config: readConfig({ LOG_LEVEL: 'silent' }),
    database,
    ...(options.engine ?? noEngine),
    authSecret: 'signs nothing: no session is opened here',
    version: manifest.version,
    webDir: '/nowhere',
  });
  const app = await buildApp({ ...made, sandboxClocks: stoppedClocks, ...options.deps?.(made) });
  try {
    await app.ready();
    return await work(app);
  } finally {
    await app.close();
    await made.close();
    await database.close();
  }
}
