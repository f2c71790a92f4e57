import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { root } from './steps.ts';

/** Sources that a production node runs, each with the manifest that must name its packages. */
const sources: Record<string, string> = {
  'server/src': 'server',
  'server/launch': 'server',
  'server/fakes': 'server',
  'workers/src': 'workers',
  'db/src': 'db',
};

/** They run only where the development packages are: `npm run build`, `npm run dev` and tests. */
const developmentFiles = new Set(['server/launch/build.ts', 'server/launch/buildWeb.ts', 'server/launch/dev.ts']);

/** Import statements and calls whose module exists at run time: types are removed before. */
const specifiers = [
  /^\s*(?:import|export)\s+(?!type\b)[^'";]*?\bfrom\s+'([^']+)'/gm,
  /^\s*import\s+'([^']+)'/gm,
  /\bimport\(\s*'([^']+)'/g,
  /\bimport\.meta\.resolve\(\s*'([^']+)'/g,
  /\brequire\.resolve\(\s*'([^']+)'/g,
];

/** `@scope/name/file.js` is a file of `@scope/name`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

/** Packages that a source loads at run time. */
export function importedPackages(text: string): string[] {
  const code = withoutComments(text);
  const matches = specifiers.flatMap((pattern) => [...code.matchAll(pattern)].map(([, specifier = '']) => specifier));
  const outside = matches.filter((each) => /^[@a-z]/i.test(each) && !isBuiltin(each));
  return [...new Set(outside.map(packageOf))].sort();
}

/** `import { type A, type B } from 'x'` is removed like `import type`. */
const isTypesOnly = (text: string, name: string): boolean => {
  const statements = [...text.matchAll(/import\s+\{([^}]*)\}\s+from\s+'([^']+)'/g)].filter(
    ([, , specifier = '']) => packageOf(specifier) === name,
  );
  const others = importedPackages(text.replaceAll(/import\s+\{[^}]*\}\s+from\s+'[^']+';?/g, ''));
  const areTypes = statements.every(([, names = '']) =>
    names.split(',').every((each) => each.trim() === '' || each.trim().startsWith('type ')),
  );
  return statements.length > 0 && areTypes && !others.includes(name);
};

interface Manifest {
  dependencies?: Record<string, string>;
}

/** `FILE: PACKAGE is no dependency of MANIFEST` for each import that a production install lacks. */
export function productionImportProblems(
  readText: (path: string) => string = (path) => readFileSync(join(root, path), 'utf8'),
  files: readonly string[] = Object.keys(sources).flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,mjs}`, { cwd: root, exclude: ['**/node_modules/**'] }),
  ),
): string[] {
  return files.flatMap((path) => {
    const folder = Object.keys(sources).find((each) => path.startsWith(`${each}/`));
    if (folder === undefined || developmentFiles.has(path)) return [];
    const owner = sources[folder] ?? '';
    const { dependencies = {} } = JSON.parse(readText(`${owner}/package.json`)) as Manifest;
    const text = readText(path);
    const missing = importedPackages(text).filter(
      (name) => dependencies[name] === undefined && name !== `@sextant/${owner}` && !isTypesOnly(text, name),
    );
    return missing.map((name) => `${path}: ${name} is no dependency of ${owner}/package.json`);
  });
}
