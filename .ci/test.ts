import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildEngine, checkSteps } from './checkSteps.ts';
import { runStep, runSteps, type StepOutcome } from './steps.ts';

/**
 * `npm test`: everything CI runs. Checks count as one test each, so that the closing line covers the whole run.
 * The database tests start their own PostgreSQL, the browser tests their own product, all on free loopback ports.
 */
interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const reports = await mkdtemp(join(tmpdir(), 'sextant-test-'));
const counts: Counts = { passed: 0, failed: 0, skipped: 0 };

function countStep(outcome: StepOutcome): void {
  counts[outcome.isOk ? 'passed' : 'failed'] += 1;
}

/** A runner that died before it wrote its report counts as a failure, never as "nothing to report". */
async function countReport(outcome: StepOutcome, path: string, read: (report: unknown) => Counts): Promise<void> {
  try {
    const { passed, failed, skipped } = read(JSON.parse(await readFile(path, 'utf8')));
    counts.passed += passed;
    counts.skipped += skipped;
    counts.failed += failed === 0 && !outcome.isOk ? 1 : failed;
    if (passed + failed === 0) counts.failed += 1;
  } catch {
    counts.failed += 1;
  }
}

const readVitest = (report: unknown): Counts => {
  const total = report as { numPassedTests: number; numFailedTests: number; numPendingTests: number };
  return { passed: total.numPassedTests, failed: total.numFailedTests, skipped: total.numPendingTests };
};
const readPlaywright = (report: unknown): Counts => {
  const { stats } = report as { stats: { expected: number; unexpected: number; flaky: number; skipped: number } };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
};

countStep(await runStep(buildEngine));
for (const outcome of await runSteps(checkSteps)) countStep(outcome);

const vitestReport = join(reports, 'vitest.json');
const vitest = await runStep(
  {
    title: 'unit, engine, server and database tests',
    command: 'vitest',
    args: ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${vitestReport}`],
  },
  true,
);
await countReport(vitest, vitestReport, readVitest);

countStep(await runStep({ title: 'web builds', command: 'vite', args: ['build', 'web', '--logLevel', 'warn'] }));

const playwrightReport = join(reports, 'playwright.json');
const playwright = await runStep(
  {
    title: 'browser tests',
    command: 'playwright',
    args: ['test', '--config', 'web/playwright.config.ts', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
  },
  true,
);
await countReport(playwright, playwrightReport, readPlaywright);

await rm(reports, { recursive: true, force: true });
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);
