#!/usr/bin/env node
import { existsSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

// In the repository the sources run as they are; the packed form has only the built files.
const isBuilt = existsSync(new URL('../dist/command.js', import.meta.url));
// Compiled code of the last start, stored beside the code: who can write there can change the code itself. Only the owner of these files
// writes it: files left by `sudo` could not be replaced by the owner. A folder that is read-only stays without it.
const cache = isBuilt ? '../dist/.code-cache' : '../../../node_modules/.cache/sextant-code';
const isOwner = process.getuid === undefined || process.getuid() === statSync(new URL(import.meta.url)).uid;
if (isOwner && (process.env['NODE_COMPILE_CACHE'] ?? '') === '')
  nodeModule.enableCompileCache(fileURLToPath(new URL(cache, import.meta.url)));
await (isBuilt ? import('../dist/command.js') : import('../src/command.ts'));
