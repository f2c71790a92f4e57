import { execFile } from 'node:child_process';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const folder = join(import.meta.dirname, '../../native');
const buildFolder = join(folder, 'build');

interface Program {
  sources: readonly string[];
  flags: readonly string[];
  /** Macro of the instructions it is written with. */
  needs?: string;
}

/** Sources beside twin.c, and the flags that are theirs: an exact twin must not fuse a multiplication with an addition. */
const programs = {
  indicators: { sources: ['indicators.c'], flags: [] },
  optimizer: {
    sources: ['optimizer.c', 'optimizerPlain.c', 'optimizerFast.c'],
    flags: ['-ffp-contract=off'],
    needs: '__AVX2__',
  },
  sweep: { sources: ['sweep.c'], flags: ['-ffp-contract=off'] },
} as const satisfies Record<string, Program>;

export type NativeProgram = keyof typeof programs;

export type Compiled = { isAvailable: true; path: string } | { isAvailable: false; reason: string };

/**
 * Compiles a native twin with the machine's C compiler. Compiles every time: it takes half a second, and `-march=native` depends on the
 * machine. Without a compiler the native comparisons are skipped. @throws Error when the sources do not compile
 */
export async function compileTwin(program: NativeProgram, compiler = process.env['CC'] ?? 'cc'): Promise<Compiled> {
  if (!(await hasCompiler(compiler))) return { isAvailable: false, reason: `no C compiler (${compiler})` };
  const { sources, flags, needs }: Program = programs[program];
  if (needs !== undefined && !(await hasMacro(compiler, needs))) return { isAvailable: false, reason: `no ${needs}` };
  await mkdir(buildFolder, { recursive: true });
  const path = join(buildFolder, program);
  const draft = `${path}.${process.pid}`; // two benchmarks at once must not run each other's half-written file
  const options = ['-O3', '-march=native', '-std=gnu11', '-Wall', '-Wextra', '-Werror', ...flags];
  const files = [...sources, 'twin.c'].map((source) => join(folder, source));
  try {
    await promisify(execFile)(compiler, [...options, ...files, '-o', draft, '-lm']);
  } catch (cause) {
    const { stderr } = cause as { stderr?: string };
    throw new Error(`bench/native does not compile: ${stderr ?? String(cause)}`, { cause });
  }
  await rename(draft, path);
  await stat(path);
  return { isAvailable: true, path };
}

/** True when `-march=native` sets the macro on this machine. */
async function hasMacro(compiler: string, macro: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)(compiler, ['-march=native', '-dM', '-E', '-x', 'c', '/dev/null']);
  return stdout.includes(macro);
}

async function hasCompiler(compiler: string): Promise<boolean> {
  return promisify(execFile)(compiler, ['--version']).then(
    () => true,
    () => false,
  );
}
