import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folderCircles, importCircle, type Imports } from './folderCircles.ts';
import { root } from './steps.ts';

/** Each folder needs a part that contains modules: dependency-cruiser silently skips files when it does not know their TypeScript. */
const folders = ['.ci', 'bench', 'db', 'engine-as', 'server', 'web', 'workers'];
const parts = [...folders, 'engine-as/abi', 'engine-as/assembly', 'server/fakes', 'web/e2e', 'web/src', 'web/test'];

/** Folders whose subfolders must not form a circle, types included. */
const houses = ['workers/src', 'server/src/features', 'web/src', 'web/src/features', 'engine-as/assembly'];

/** The graph of the last whole run, to which the imports of changed files are added. */
const graphPath = join(root, 'node_modules/.cache/imports.json');

interface Report {
  modules: { source: string; dependencies: { resolved: string; dependencyTypes: string[] }[] }[];
  summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
}

function cruise(...args: string[]): Report {
  const run = spawnSync('depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (run.error === undefined && run.stdout !== '') return JSON.parse(run.stdout) as Report;
  console.error(run.error?.message ?? run.stderr);
  process.exit(1);
}

const importsOf = ({ modules }: Report): Imports[] =>
  modules.map(({ source, dependencies }) => ({
    source,
    targets: dependencies.map(({ resolved }) => resolved),
    types: dependencies
      .filter(({ dependencyTypes }) => dependencyTypes.includes('type-only'))
      .map(({ resolved }) => resolved),
  }));

const violationsOf = ({ summary }: Report): string[] =>
  summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);

const houseCircles = (modules: readonly Imports[]): string[] =>
  houses.flatMap((house) =>
    folderCircles(modules, house).map((rooms) => `circle between folders of ${house}: ${rooms.join(', ')}`),
  );

/** Reads the changed files alone; undefined without a stored graph, or where it shows a circle, which only a whole run proves. */
async function checkChanged(changed: readonly string[]): Promise<string[] | undefined> {
  const stored = await readFile(graphPath, 'utf8').catch(() => undefined);
  if (stored === undefined) return undefined;
  const report = cruise('--max-depth', '1', ...changed);
  const read = importsOf(report).filter(({ source }) => changed.includes(source));
  const others = (JSON.parse(stored) as Imports[]).filter(({ source }) => !changed.includes(source));
  const modules = [...others, ...read];
  if (houseCircles(modules).length > 0 || importCircle(modules, changed) !== undefined) return undefined;
  await writeFile(graphPath, JSON.stringify(modules));
  console.log(`${changed.length} changed modules of ${modules.length}`);
  return violationsOf(report);
}

async function checkAll(): Promise<string[]> {
  const report = cruise(...folders);
  const modules = importsOf(report);
  await mkdir(dirname(graphPath), { recursive: true });
  await writeFile(graphPath, JSON.stringify(modules));
  console.log(`${report.summary.totalCruised} modules`);
  const unread = parts.filter((part) => !modules.some(({ source }) => source.startsWith(`${part}/`)));
  return [...violationsOf(report), ...houseCircles(modules), ...unread.map((part) => `${part}: no module was read`)];
}

/** `--changed <files>`: the imports of these files, in the graph of the last whole run. */
const changed = process.argv[2] === '--changed' ? process.argv.slice(3) : [];
const problems = (changed.length > 0 ? await checkChanged(changed) : undefined) ?? (await checkAll());
for (const problem of problems) console.error(problem);
console.log(`import rules: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
