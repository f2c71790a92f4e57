import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './steps.ts';

/** Exact versions, an integrity hash on every package, no install script that is not on the allow list. */
interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}
interface LockedPackage {
  version?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  dev?: boolean;
  dependencies?: Record<string, string>;
}

/** Production packages of browser and server: the current number plus two (docs/security.md lists their sources). */
const PRODUCTION_MAX = 481;
/** `npm:name@version` installs a second major version of a package beside the first. */
const EXACT = /^(?:npm:[@\w./-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const problems: string[] = [];
const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(join(root, path), 'utf8'));

const rootManifest = (await readJson('package.json')) as Manifest;
const workspaces = ['web', 'server', 'server/client', 'engine-as', 'workers', 'workers/package', 'bench', 'db'].map(
  (name) => `${name}/package.json`,
);
for (const path of ['package.json', ...workspaces]) {
  const manifest = (await readJson(path)) as Manifest;
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    if (!EXACT.test(version)) problems.push(`${path}: ${name}@${version} is not an exact version`);
  }
}

const lock = (await readJson('package-lock.json')) as { packages: Record<string, LockedPackage> };
const allowed = rootManifest.allowScripts ?? {};
const packages = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'));
for (const [path, entry] of packages) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  if (entry.link === true) continue;
  if (entry.integrity === undefined) problems.push(`package-lock.json: ${name} has no integrity hash`);
  // fsevents is macOS only and optional; npm never runs its script elsewhere.
  if (entry.hasInstallScript === true && !(name in allowed) && name !== 'fsevents') {
    problems.push(`package-lock.json: ${name} has an install script and is not on the allowScripts list`);
  }
}

const production = reachable(['server', 'web', 'workers', 'db', 'engine-as']);
if (production > PRODUCTION_MAX)
  problems.push(
    `package-lock.json: ${production} production packages, more than ${PRODUCTION_MAX}; drop one or raise the bound`,
  );
for (const problem of problems) console.error(problem);
console.log(
  `${packages.length} packages locked, ${production} of at most ${PRODUCTION_MAX} for production; ${problems.length} problems`,
);
process.exit(problems.length === 0 ? 0 : 1);

/** How many packages these workspaces need, with what those need: tools, tests and benches aside, and no optional ones. */
function reachable(folders: readonly string[]): number {
  const matches = new Set<string>();
  const open = [...folders];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const name of Object.keys(lock.packages[from]?.dependencies ?? {})) {
      const path = resolved(from, name);
      if (path === undefined || matches.has(path) || lock.packages[path]?.link === true) continue;
      matches.add(path);
      open.push(path);
    }
  }
  return matches.size;
}

/** Where Node finds a package: the nearest `node_modules` on the way up. */
function resolved(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock.packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}
