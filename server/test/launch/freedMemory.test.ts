import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mallocSettings } from '../../launch/freedMemory.ts';
import { childEnv } from '../support/childEnv.ts';

const program = join(import.meta.dirname, 'freedBuffers.ts');
/** Growth of a process in MiB after 252 MiB were allocated and 240 freed. */
function growthOf(mode: 'product' | 'plain'): number {
  const output = execFileSync(process.execPath, ['--expose-gc', program, mode], { env: childEnv, encoding: 'utf8' });
  return Number(output.split(' ')[0]);
}
/** Other C libraries have allocators of their own. */
const isGlibc = (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header.glibcVersionRuntime;

describe.skipIf(process.platform !== 'linux' || isGlibc === undefined)('memory that was freed', () => {
  it('NODE-190 goes back to the system in a process that was started as a node is', () => {
    expect(growthOf('product')).toBeLessThan(40);
  });

  it('NODE-190 stays with a process that has the usual settings, which shows that the limit above can be missed', () => {
    expect(growthOf('plain')).toBeGreaterThan(120);
  });
});

it('NODE-190 settings that the operator chose stay as they are', () => {
  const chosen = { ...childEnv, [Object.keys(mallocSettings)[0]!]: '4' };
  const script = `import { startWithMallocSettings } from '${join(import.meta.dirname, '../../launch/freedMemory.ts')}';
    startWithMallocSettings(); console.log(${JSON.stringify(Object.keys(mallocSettings))}.map((name) => process.env[name]).join());`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: chosen,
    encoding: 'utf8',
  });
  expect(output.trim()).toBe('4,,');
});
