import { buildEngine } from './checkSteps.ts';
import { runStep } from './steps.ts';

/** `npm run test:verify`: page against server at every symbol, interval and moment; `npm test` has a share of them. */
const verify = {
  title: 'verify loop, whole',
  command: 'vitest',
  args: ['run', '--project', 'server', 'server/test/features/backtest/verifyLoop.test.ts'],
  env: { VERIFY_LOOP: 'whole' },
};
const outcomes = [await runStep(buildEngine), await runStep(verify, true)];
process.exit(outcomes.every(({ isOk }) => isOk) ? 0 : 1);
