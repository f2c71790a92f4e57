import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Which file each import means, from the last start: resolving more than a thousand modules again takes a fifth of the processor
 * time of a start. Valid for one Node, one place, and one state of the installed packages and of our manifests; a file of another
 * state is ignored. Our own imports name a file by its relative path, which means the same file always.
 */

const manifests = [
  'node_modules/.package-lock.json',
  'package.json',
  'server/package.json',
  'workers/package.json',
  'engine-as/package.json',
  'db/package.json',
  'web/package.json',
];

/** @param {string} root */
function stateOf(root) {
  const stamps = manifests.map((name) => {
    const found = statSync(join(root, name), { throwIfNoEntry: false });
    return found === undefined ? `${name}: none` : `${name}: ${found.mtimeMs} ${found.size}`;
  });
  return [process.version, root, ...stamps].join('\n');
}

/**
 * @typedef {[url: string, format: string | null]} Target
 * @param {string} file
 * @param {string} state
 * @returns {Record<string, Record<string, Target>>} by the importing file, then by the kind of import and its specifier
 */
function read(file, state) {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    return stored.state === state ? stored.targets : {};
  } catch {
    return {};
  }
}

/**
 * Resolves imports from the file of the last start. A start that fails deletes the file, so that the next one resolves them itself.
 * @param {string} file in a folder that no other user can write: who can write there decides what we run
 * @param {string} root of the repository
 * @returns {() => void} ends it, and keeps what was found for the next start
 */
export function rememberPaths(file, root) {
  const state = stateOf(root);
  const base = pathToFileURL(`${root}/`).href;
  const targets = read(file, state);
  let isNew = false;
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      if (parentURL === undefined || !parentURL.startsWith(base)) return next(specifier, context);
      const own = (targets[parentURL.slice(base.length)] ??= {});
      const key = `${context.conditions.includes('import') ? 'import' : 'require'} ${specifier}`;
      const target = own[key];
      if (target !== undefined) {
        return { url: base + target[0], format: target[1] ?? undefined, shortCircuit: true };
      }
      const found = next(specifier, context);
      if (found.url.startsWith(base)) {
        own[key] = [found.url.slice(base.length), found.format ?? null];
        isNew = true;
      }
      return found;
    },
  });
  /** @param {number} code */
  const forget = (code) => code !== 0 && rmSync(file, { force: true });
  process.once('exit', forget);
  return () => {
    hooks.deregister();
    process.off('exit', forget);
    if (!isNew) return;
    try {
      // Another start may read it now.
      writeFileSync(`${file}.${process.pid}`, JSON.stringify({ state, targets }), {
        mode: 0o600,
      });
      renameSync(`${file}.${process.pid}`, file);
    } catch {
      // A full disk: the next start finds the files itself.
    }
  };
}
