import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Shared memory in files on the disk, for a container whose /dev/shm is small. Playwright passes it too. */
const onDisk = '--disable-dev-shm-usage';

/** `--no-sandbox` because CI runs as root; the rest keeps Chromium from calling home. */
const chromiumArgs = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** A Chromium for tests: $CHROMIUM, else an installed one, else the one packed in @sparticuz/chromium with its own libraries. */
async function chromiumPath(): Promise<string> {
  const installed = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
  const match = installed.find((path) => path !== undefined && path !== '' && existsSync(path));
  if (match !== undefined) return match;

  const cache = join(import.meta.dirname, 'node_modules/.cache/chromium-153'); // versioned: the package reuses a stale one
  mkdirSync(cache, { recursive: true });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = cache;
  const { default: chromium, inflate, setupLambdaEnvironment } = await import('@sparticuz/chromium');
  const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'bin');
  const bin = existsSync(packed) ? packed : join(import.meta.dirname, 'node_modules/@sparticuz/chromium/bin');
  if (!existsSync(join(cache, 'al2023'))) await inflate(join(bin, 'al2023.tar.br'));
  // The packed fonts.conf names folders of AWS Lambda. Without any font Chromium ends itself at the first <input>.
  const folders = [join(cache, 'fonts/fonts'), '/usr/share/fonts'].map((folder) => `<dir>${folder}</dir>`).join('');
  const config = `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${join(cache, 'font-cache')}</cachedir></fontconfig>`;
  process.env.FONTCONFIG_PATH = join(cache, 'font-config');
  mkdirSync(process.env.FONTCONFIG_PATH, { recursive: true });
  writeFileSync(join(process.env.FONTCONFIG_PATH, 'fonts.conf'), config);
  setupLambdaEnvironment(join(cache, 'al2023/lib'));
  const path = await chromium.executablePath();
  // Other tests of this process keep their folders outside node_modules, which lint ignores.
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  return path;
}

interface ChromiumLaunch {
  executablePath: string;
  args: string[];
  ignoreDefaultArgs: string[];
}

/**
 * What `chromium.launch` takes. With `isInMemory`, which is for a /dev/shm with room, the shared memory of Chromium stays in memory: on a
 * disk, drawing takes a tenth of the processor time of a browser test, and a page waits in every frame while something is written, up to
 * half a second on a busy disk.
 */
export async function chromiumLaunch(isInMemory = false): Promise<ChromiumLaunch> {
  const executablePath = await chromiumPath();
  return isInMemory
    ? { executablePath, args: chromiumArgs, ignoreDefaultArgs: [onDisk] }
    : { executablePath, args: [...chromiumArgs, onDisk], ignoreDefaultArgs: [] };
}
