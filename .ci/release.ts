import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedChangelog } from './changelog.ts';
import { root } from './steps.ts';

/** `npm run release -- 0.2.0`: dates the changelog, sets the version of every package, commits and tags. Pushes nothing. */
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const [version] = process.argv.slice(2);
try {
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version))
    throw new Error('Name the version: npm run release -- 0.2.0');
  if (run('git', 'status', '--porcelain') !== '') throw new Error('Commit or discard your changes first.');
  if (run('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`v${version} exists already.`);
  const path = join(root, 'CHANGELOG.md');
  writeFileSync(path, releasedChangelog(readFileSync(path, 'utf8'), version, new Date()));
  run(
    'npm',
    'version',
    version,
    '--workspaces',
    '--include-workspace-root',
    '--no-git-tag-version',
    '--ignore-scripts',
  );
  run('git', 'commit', '--all', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Sextant ${version}`);
  console.log(`v${version} is tagged. Push it with: git push --follow-tags`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
