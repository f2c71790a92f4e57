import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const here = import.meta.dirname;

/** The stand-alone verifier as one HTML text that needs neither a network nor other files. The engine must be built. */
export async function verifierPage(): Promise<string> {
  const [template, wasm, script] = await Promise.all([
    readFile(join(here, 'page.html'), 'utf8'),
    readFile(resolve(here, '../../../engine-as/build/engine.wasm')),
    bundle(),
  ]);
  const parts: Record<string, string> = {
    engine: gzipSync(wasm, { level: 9 }).toString('base64'),
    // An end tag inside a string would end the script.
    script: script.replaceAll('</script', '<\\/script'),
  };
  return template.replaceAll(/\/\* (engine|script) \*\//g, (_whole, name: string) => parts[name] ?? '');
}

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: join(here, 'page.ts'),
    platform: 'browser',
    logLevel: 'warn',
    resolve: { conditionNames: ['import', 'module', 'default'], mainFields: ['module', 'main'] },
    treeshake: { moduleSideEffects: false },
  });
  const { output } = await build.generate({ format: 'iife', minify: true });
  await build.close();
  return output[0].code;
}
