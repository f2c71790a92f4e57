#!/usr/bin/env node
import { existsSync } from 'node:fs';

// In the repository the sources run as they are; the packed form has only the built files.
const isBuilt = existsSync(new URL('../dist/command.js', import.meta.url));
await (isBuilt ? import('../dist/command.js') : import('../src/command.ts'));
