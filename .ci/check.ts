import { changedFiles, changedSteps } from './changedSteps.ts';
import { buildEngine, generatedFiles, sourceSteps } from './checkSteps.ts';
import { runStep, runSteps } from './steps.ts';

/** `npm run check -- --changed`: what differs from the last commit, in seconds. */
if (process.argv.includes('--changed')) {
  const { present, deleted } = changedFiles();
  const outcomes = await runSteps(changedSteps(present, deleted));
  process.exit(outcomes.every(({ isOk }) => isOk) ? 0 : 1);
}

/** `npm run check`: everything that needs neither a database nor a browser. */
const outcomes = [...(await runSteps([buildEngine, ...sourceSteps])), await runStep(generatedFiles)];
outcomes.push(
  await runStep({ title: 'unit tests', command: 'vitest', args: ['run', '--project', 'node', '--project', 'web*'] }),
);
process.exit(outcomes.every(({ isOk }) => isOk) ? 0 : 1);
