import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './results.ts';

const root = join(import.meta.dirname, '../..');

/** Machine and versions of a run. Call it before the run: the run itself raises the load. */
export function readEnvironment(enginePath: string, now: Date): Environment {
  const processors = cpus();
  return {
    node: process.version,
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    commit: readCommit(),
    engine: createHash('sha256').update(readFileSync(enginePath)).digest('hex'),
    load1: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    date: now.toISOString(),
  };
}

/** Short commit, with `-dirty` when tracked files differ from it; `unknown` outside a checkout. */
function readCommit(): string {
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD');
    return git('status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}-dirty`;
  } catch {
    return 'unknown'; // an unpacked archive has no history; the engine's hash still names what was measured
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
