import { buildEngine, generatedFiles, sourceSteps } from './checkSteps.ts';
import { runStep, runSteps } from './steps.ts';

/** `npm run check`: everything that needs neither a database nor a browser. */
const outcomes = [...(await runSteps([buildEngine, ...sourceSteps])), await runStep(generatedFiles)];
outcomes.push(
  await runStep({ title: 'unit tests', command: 'vitest', args: ['run', '--project', 'node', '--project', 'web*'] }),
);
process.exit(outcomes.every(({ isOk }) => isOk) ? 0 : 1);
