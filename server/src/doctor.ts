import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverUrl } from '@sextant/db/src/roles.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { doctorUsage, readDoctorOptions } from './features/status/doctor/options.ts';
import { reportText, runDoctor } from './features/status/doctor/runDoctor.ts';
import { readOrMakeSecrets, type Secrets } from './platform/secrets.ts';

/** Port of the embedded database, from the file of a running PostgreSQL; undefined while none runs. */
async function readEmbeddedPort(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '');
  const port = Number(text.split('\n')[3]);
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

/** Logins to try: an owner may not become app_system, then the login made from it and the secret does. */
async function databaseUrlsOf({ databaseUrl, authSecret, dataDir }: Config): Promise<string[]> {
  // Read, never made: the doctor of another machine must not leave a secret there.
  const hasSecrets = existsSync(join(dataDir, 'secrets.json'));
  const secrets: Secrets | undefined = hasSecrets ? await readOrMakeSecrets(dataDir) : undefined;
  const secret = authSecret ?? secrets?.authSecret;
  const port = databaseUrl === undefined && secrets !== undefined ? await readEmbeddedPort(dataDir) : undefined;
  const ownerUrl =
    databaseUrl ??
    (port === undefined || secrets === undefined
      ? undefined
      : `postgres://sextant_owner:${encodeURIComponent(secrets.databasePassword)}@127.0.0.1:${port}/sextant`);
  if (ownerUrl === undefined) return [];
  return secret === undefined ? [ownerUrl] : [ownerUrl, serverUrl(ownerUrl, secret)];
}

function ownProbeOf({ probes }: Config): string | undefined {
  if (probes === undefined) return undefined;
  const { host, port } = probes;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** `npx sextant doctor`. @returns the exit code */
export async function doctor(words: readonly string[]): Promise<number> {
  try {
    // As for `npm start`: .env and DATA_DIR are relative to the installation.
    process.chdir(join(import.meta.dirname, '../..'));
    if (existsSync('.env')) process.loadEnvFile('.env');
    const config = readConfig(process.env);
    const options = readDoctorOptions(words, ownProbeOf(config));
    if (!options.ok) {
      process.stderr.write(`${options.error}\n`);
      return 2;
    }
    if (options.value === 'help') {
      process.stdout.write(doctorUsage);
      return 0;
    }
    const { probes, isJson } = options.value;
    const databaseUrls = await databaseUrlsOf(config);
    if (databaseUrls.length === 0) {
      process.stderr.write('DATABASE_URL: is not set, and no embedded database runs in DATA_DIR\n');
      return 2;
    }
    const report = await runDoctor({ databaseUrls, probes, dataDir: config.dataDir });
    process.stdout.write(isJson ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
    return report.findings.some(({ level }) => level === 'problem') ? 1 : 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

if (import.meta.main) {
  const code = await doctor(process.argv.slice(2));
  // A query that hangs must not hold the report.
  process.exit(code);
}
