import { buildEngine, checkSteps } from './checkSteps.ts';
import { runStep, runSteps } from './steps.ts';

/** `npm run check`: everything that needs neither a database nor a browser. */
const outcomes = [await runStep(buildEngine), ...(await runSteps(checkSteps))];
outcomes.push(
  await runStep({ title: 'unit tests', command: 'vitest', args: ['run', '--project', 'node', '--project', 'web*'] }),
);
process.exit(outcomes.every(({ isOk }) => isOk) ? 0 : 1);
