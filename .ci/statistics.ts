import { buildEngine } from './checkSteps.ts';
import { runStep } from './steps.ts';

/** `npm run test:statistics`: the statistical tests on all of their seeds; `npm test` runs every fifth. */
const files = ['honesty.test', 'honestyRates', 'randomEntryNoise'];
const statistics = {
  title: 'statistical tests, all seeds',
  command: 'vitest',
  args: ['run', '--project', 'node', ...files],
  env: { STATISTICS: 'full' },
};
const outcomes = [await runStep(buildEngine), await runStep(statistics, true)];
process.exit(outcomes.every(({ isOk }) => isOk) ? 0 : 1);
