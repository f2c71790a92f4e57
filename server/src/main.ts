import { flushCompileCache } from 'node:module';
import { DatabaseSetupError } from '@sextant/db/src/databaseSetupError.ts';
import { ConfigError, readConfig } from './config.ts';
import { prepareDataDir } from './platform/dataDir.ts';
import { readOrMakeSecrets } from './platform/secrets.ts';
import { listenEarly } from './platform/http/earlyServer.ts';

/**
 * One server node on an existing database: `node server/src/main.ts`. `npm start` also starts a database and a market.
 */
async function main(): Promise<void> {
  const { databaseUrl, ...config } = readConfig(process.env);
  if (databaseUrl === undefined) throw new ConfigError('DATABASE_URL: is required; npm start provides a database');
  if (config.market !== 'live' && config.exchangesUrl === undefined) {
    throw new ConfigError('EXCHANGES_URL: is required unless MARKET=live; npm start provides a market');
  }
  const dataDir = await prepareDataDir(config.dataDir);
  const early =
    config.role === 'worker' || config.role === 'market' ? undefined : await listenEarly(config.host, config.port);
  // Loaded while the early server responds: it takes most of the start time.
  const { runServer } = await import('./runServer.ts');
  const server = await runServer({ ...config, dataDir, databaseUrl }, await readOrMakeSecrets(dataDir), early);
  process.stdout.write(`${server.url}\n`);
  // Written now, so that even a killed process leaves its compiled code in NODE_COMPILE_CACHE.
  flushCompileCache();
  const stop = () => {
    server.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

try {
  await main();
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof DatabaseSetupError;
  process.stderr.write(`Sextant cannot start: ${isExpected ? error.message : String(error)}\n`);
  process.exit(1);
}
