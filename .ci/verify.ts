import { buildEngine, buildWeb } from './checkSteps.ts';
import { runStep } from './steps.ts';

/**
 * `npm run test:verify`: page against server at every symbol, interval and moment, of which `npm test` has a share, and a production install
 * of the last commit.
 */
const verify = {
  title: 'verify loop, whole',
  command: 'vitest',
  args: ['run', '--project', 'server', 'server/test/features/backtest/verifyLoop.test.ts'],
  env: { VERIFY_LOOP: 'whole' },
};
const install = { title: 'production install', command: 'node', args: ['.ci/productionInstall.ts'] };
const outcomes = [await runStep(buildEngine), await runStep(verify, true)];
outcomes.push(await runStep(buildWeb), await runStep(install, true));
process.exit(outcomes.every(({ isOk }) => isOk) ? 0 : 1);
