import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firefoxPath, openFirefox } from '../../web/e2e/support/firefox.ts';
import { engineTimeoutMs, testEngine } from './support/engine.ts';
import { engineBits } from './support/engineBits.ts';

/** The console of JavaScriptCore: $JSC, or that of Debian (libjavascriptcoregtk-4.0-bin). */
const jscPath = [process.env['JSC'], '/usr/bin/jsc'].find((path) => path !== undefined && existsSync(path));
/** All cases in `npm run test:statistics`. */
const share = process.env.STATISTICS === 'full' ? 1 : 0.3;
const wasm = join(import.meta.dirname, '../../engine-as/build/engine.wasm');
type Bits = Awaited<ReturnType<typeof engineBits>>;

let folder: string;
let expected: Bits;
beforeAll(async () => {
  await testEngine();
  folder = await mkdtemp(join(tmpdir(), 'sextant-engines-'));
  const build = await rolldown({
    input: join(import.meta.dirname, 'support/engineBits.ts'),
    platform: 'neutral',
    logLevel: 'warn',
    resolve: { conditionNames: ['import', 'module', 'default'], mainFields: ['module', 'main'] },
  });
  await build.write({ file: join(folder, 'bits.js'), format: 'esm' });
  await build.close();
  expected = await engineBits(new Uint8Array(await readFile(wasm)), share);
}, engineTimeoutMs);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the bits of V8', () => {
  it('are of runs that finish and differ: comparing rejections would prove nothing', () => {
    const kinds = Object.values(expected.kinds);
    expect(kinds).toHaveLength(7);
    expect(kinds.filter(({ finished, distinct }) => finished < distinct * 0.8 || distinct === 0)).toEqual([]);
    expect(expected.kinds['backtests']?.finished).toBeGreaterThan(250 * share);
  });

  it.skipIf(jscPath === undefined)(
    'PKG-097 are those of JavaScriptCore',
    async () => {
      await writeFile(
        join(folder, 'run.mjs'),
        `globalThis.structuredClone ??= (value) => JSON.parse(JSON.stringify(value));
        const { engineBits } = await import('./bits.js');
        print(JSON.stringify(await engineBits(read(${JSON.stringify(wasm)}, 'binary'), ${share})));`,
      );
      const { stdout } = await promisify(execFile)(jscPath ?? '', ['-m', join(folder, 'run.mjs')]);
      expect(JSON.parse(stdout)).toEqual(expected);
    },
    engineTimeoutMs,
  );

  it.skipIf(firefoxPath === undefined)(
    'PKG-097 are those of SpiderMonkey, in Firefox',
    async () => {
      const page = `<!doctype html><title>Engine</title><script type="module">
        import { engineBits } from './bits.js';
        const bytes = await (await fetch('./engine.wasm')).arrayBuffer();
        window.outcome = await engineBits(new Uint8Array(bytes), ${share});
      </script>`;
      const files: Record<string, [type: string, content: () => Promise<Buffer | string>]> = {
        '/': ['text/html', () => Promise.resolve(page)],
        '/bits.js': ['text/javascript', () => readFile(join(folder, 'bits.js'))],
        '/engine.wasm': ['application/wasm', () => readFile(wasm)],
      };
      const server = createServer((sent, response) => {
        const [type, content] = files[sent.url ?? ''] ?? [];
        if (type === undefined || content === undefined) response.writeHead(404).end();
        else void content().then((body) => response.setHeader('content-type', type).end(body));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const firefox = await openFirefox(firefoxPath ?? '');
      try {
        await firefox.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        expect(await firefox.until<Bits>('window.outcome ?? false')).toEqual(expected);
      } finally {
        await firefox.close();
        server.close();
      }
    },
    2 * engineTimeoutMs,
  );
});
