import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** `--no-sandbox` because CI runs as root; the rest keeps Chromium from calling home and from a small /dev/shm. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** A Chromium for tests: $CHROMIUM, else an installed one, else the one packed in @sparticuz/chromium with its own libraries. */
export async function chromiumPath(): Promise<string> {
  const installed = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
  const found = installed.find((path) => path !== undefined && path !== '' && existsSync(path));
  if (found !== undefined) return found;

  const cache = join(import.meta.dirname, 'node_modules/.cache/chromium-153'); // versioned: the package reuses a stale one
  mkdirSync(cache, { recursive: true });
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
  return chromium.executablePath();
}
