import { buildEngine } from './checkSteps.ts';
import { runStep, type Step } from './steps.ts';

/** `npm run test:statistics`: what `npm test` runs a share of. Each line says the share. */
const steps: Step[] = [
  {
    // A fifth of the seeds.
    title: 'statistical tests, all seeds',
    command: 'vitest',
    args: ['run', '--project', 'node', 'honesty.test', 'honestyRates', 'randomEntryNoise'],
    env: { STATISTICS: 'full' },
  },
  {
    // 3 crashes of the product, 2 kills of a node that scans, 1 of a node that searches.
    title: 'kills and crashes, 20 each',
    command: 'vitest',
    args: ['run', '--project', 'server', 'launch/recovery', 'scan/killed.test', 'killedSearch'],
    env: { CRASHES: '20', KILLS: '20' },
  },
];

const outcomes = [await runStep(buildEngine)];
for (const step of steps) outcomes.push(await runStep(step, true));
process.exit(outcomes.every(({ isOk }) => isOk) ? 0 : 1);
