import { spawnSync } from 'node:child_process';
import { root } from './steps.ts';

/** dependency-cruiser passes over 0 files when it meets a TypeScript it does not know; that must not look like a pass. */
const MODULES_MIN = 50;
const folders = ['web/src', 'server', 'engine-as/abi', 'workers', 'bench', 'db'];

const run = spawnSync('depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...folders], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});

interface Report {
  summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
}

if (run.error !== undefined || run.stdout === '') {
  console.error(run.error?.message ?? run.stderr);
  process.exit(1);
}
const { summary } = JSON.parse(run.stdout) as Report;
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
console.log(`${summary.totalCruised} modules, ${summary.violations.length} violations`);
if (summary.totalCruised < MODULES_MIN) {
  console.error(`only ${summary.totalCruised} modules were cruised, expected at least ${MODULES_MIN}`);
  process.exit(1);
}
process.exit(summary.violations.length === 0 ? 0 : 1);
