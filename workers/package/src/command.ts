import { text } from 'node:stream/consumers';
import { respondToTask } from '../../src/node/respondToTask.ts';
import { loadEngine } from './node.ts';

const { code, stdout, stderr } = await respondToTask(
  process.argv.slice(2),
  () => text(process.stdin),
  () => Promise.resolve(),
  { command: 'npx sextant', engine: loadEngine },
);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
