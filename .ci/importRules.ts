import { spawnSync } from 'node:child_process';
import { folderCircles } from './folderCircles.ts';
import { root } from './steps.ts';

/** Each folder needs a part that contains modules: dependency-cruiser silently skips files when it does not know their TypeScript. */
const folders = ['.ci', 'bench', 'db', 'engine-as', 'server', 'web', 'workers'];
const parts = [...folders, 'engine-as/abi', 'engine-as/assembly', 'server/fakes', 'web/e2e', 'web/src', 'web/test'];

/** Folders whose subfolders must not form a circle, types included. */
const houses = ['workers/src', 'server/src/features', 'web/src', 'web/src/features', 'engine-as/assembly'];

const run = spawnSync('depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...folders], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});

interface Report {
  modules: { source: string; dependencies: { resolved: string }[] }[];
  summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
}

if (run.error !== undefined || run.stdout === '') {
  console.error(run.error?.message ?? run.stderr);
  process.exit(1);
}
const { modules, summary } = JSON.parse(run.stdout) as Report;
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
console.log(`${summary.totalCruised} modules, ${summary.violations.length} violations`);
const imports = modules.map(({ source, dependencies }) => ({
  source,
  targets: dependencies.map(({ resolved }) => resolved),
}));
const circles = houses.flatMap((house) =>
  folderCircles(imports, house).map((rooms) => `${house}: ${rooms.join(', ')}`),
);
for (const circle of circles) console.error(`circle between folders of ${circle}`);
const unread = parts.filter((part) => !modules.some(({ source }) => source.startsWith(`${part}/`)));
for (const part of unread) console.error(`${part}: no module was read`);
process.exit(summary.violations.length + circles.length + unread.length === 0 ? 0 : 1);
