import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Runs after every install (`postinstall` of package.json). After `npm ci --omit=dev` it removes packages that no production code loads:
 * libraries of the pages, which `npm run build` bundles, tools that npm installs as optional peers, and builds of a package for other hosts.
 * Other installs stay as they are.
 */
const root = resolve(import.meta.dirname, '../..');

/** Folders of a server node. `web` and `bench` are not among them. */
const runtimeFolders = ['', 'server', 'workers', 'db', 'engine-as'];

/** Parts of packages that only browsers, bundlers or debuggers load. */
const unusedParts = ['ccxt/dist', 'openai/src'];

/** What `package-lock.json` says of one package. */
export interface LockedPackage {
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}
type Packages = Record<string, LockedPackage>;

/** Where Node finds `name` from a package: the nearest `node_modules` on the way up. */
function find(packages: Packages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

/** Names that a package loads in production. Optional peers are for its other users. */
function namesOf(locked: LockedPackage): string[] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = locked;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Paths in `package-lock.json` of the packages that the folders need in production: `node_modules/fastify`. */
export function neededPackages(packages: Packages, folders: readonly string[] = runtimeFolders): Set<string> {
  const needed = new Set<string>();
  const open = [...folders];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const name of namesOf(packages[from] ?? {})) {
      const path = find(packages, from, name);
      if (path === undefined || needed.has(path)) continue;
      needed.add(path);
      // A workspace of the repository: its folder is in `folders` when it runs on a node.
      if (packages[path]?.link !== true) open.push(path);
    }
  }
  return needed;
}

/** Removes what production does not load. */
function prune(): void {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Packages };
  const needed = neededPackages(packages);
  const isInside = (path: string): boolean => [...needed].some((each) => each.startsWith(`${path}/`));
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.startsWith('node_modules/') || entry.link === true || needed.has(path) || isInside(path)) continue;
    rmSync(join(root, path), { recursive: true, force: true });
  }
  for (const part of unusedParts) rmSync(join(root, 'node_modules', part), { recursive: true, force: true });
  removeDangling(join(root, 'node_modules/.bin'));
}

/** Links of removed packages. */
function removeDangling(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!existsSync(path)) rmSync(path, { force: true });
  }
}

/** npm leaves out development packages by its option `omit`, and by default where NODE_ENV is production. */
function isProductionInstall(env: Record<string, string | undefined>): boolean {
  const { npm_config_omit: omit, npm_config_include: include = '', NODE_ENV: mode } = env;
  if (omit !== undefined && omit !== '') return omit.split(/[\s,]+/).includes('dev');
  return mode === 'production' && !include.split(/[\s,]+/).includes('dev');
}

const isRun = process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename;
if (isRun && isProductionInstall(process.env)) prune();
