import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { progressLine } from '../../src/node/progressLine.ts';
import { respondToTask } from '../../src/node/respondToTask.ts';
import { loadEngine, openThreads } from './node.ts';
import { openDoctor } from './openDoctor.ts';

const [task, ...rest] = process.argv.slice(2);
if (task === 'doctor') process.exit(await openDoctor(rest));

const progress = progressLine(process.stderr);
const { code, stdout, stderr } = await respondToTask(
  process.argv.slice(2),
  () => (process.stdin.isTTY ? Promise.resolve('') : text(process.stdin)),
  () => Promise.resolve(),
  {
    command: 'npx sextant',
    engine: loadEngine,
    openPool: (engine, threads = availableParallelism()) => Promise.resolve(openThreads(engine, threads)),
    onProgress: (done, total) => progress.report(done, total),
  },
);
progress.end();
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
