import { lstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { startWithMallocSettings } from './freedMemory.ts';
import { rememberPaths } from './rememberPaths.mjs';

/**
 * `npm start`. Plain JavaScript, so that the code which the last start compiled is used from the first TypeScript file on: stripping its
 * types costs a tenth of a second. Only from a data folder that no other user can write; launch.ts makes one where there is none.
 */
startWithMallocSettings();
const root = resolve(import.meta.dirname, '../..');
const dataDir = resolve(root, process.env['DATA_DIR'] ?? '.data');
const found = lstatSync(dataDir, { throwIfNoEntry: false });
const isOurs = found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
if (isOurs && (process.env['NODE_COMPILE_CACHE'] ?? '') === '') enableCompileCache(join(dataDir, 'code-cache'));
const keepPaths = isOurs ? rememberPaths(join(dataDir, 'import-paths.json'), root) : () => undefined;

// Resolves when the server is ready.
await import('./start.ts');
keepPaths();
