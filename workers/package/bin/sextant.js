#!/usr/bin/env node
import { existsSync } from 'node:fs';

/** The doctor reads an installation, so only the repository has it: the packed form is the engine alone. */
const doctor = new URL('../../../server/src/doctor.ts', import.meta.url);
const [task, ...rest] = process.argv.slice(2);
if (task === 'doctor') {
  if (existsSync(doctor)) {
    const module = await import(doctor.href);
    process.exit(await module.doctor(rest));
  }
  process.stderr.write('doctor: run it in the folder of a Sextant installation\n');
  process.exit(2);
}

// In the repository the sources run as they are; the packed form has only the built files.
const isBuilt = existsSync(new URL('../dist/command.js', import.meta.url));
await (isBuilt ? import('../dist/command.js') : import('../src/command.ts'));
