import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { buildEngine, buildWeb, generatedFiles, sourceSteps } from './checkSteps.ts';
import { root, runStep, runSteps, type Step, type StepOutcome } from './steps.ts';

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
/** Failed tests and checks with their first message, printed last: CI keeps the end of its output. */
const failures: string[] = [];
const MESSAGE_LINES = 14;

function noteFailure(name: string, message = ''): void {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, MESSAGE_LINES);
  failures.push([name, ...lines.filter((line) => line.trim() !== '').map((line) => `    ${line}`)].join('\n'));
}

function countStep({ title, isOk }: StepOutcome): void {
  counts[isOk ? 'passed' : 'failed'] += 1;
  if (!isOk) failures.push(title);
}

/** Runs a test runner and adds the counts of its report. A runner that died before it wrote one counts as a failure. */
async function runTests(step: Step, report: string, read: (report: unknown) => Counts): Promise<void> {
  const { isOk } = await runStep(step, true);
  try {
    const { passed, failed, skipped } = read(JSON.parse(await readFile(report, 'utf8')));
    counts.passed += passed;
    counts.skipped += skipped;
    counts.failed += failed === 0 && !isOk ? 1 : failed;
    if (passed + failed === 0) counts.failed += 1;
  } catch {
    counts.failed += 1;
  }
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { name: string; assertionResults: { status: string; fullName: string; failureMessages?: string[] }[] }[];
}
const readVitest = (report: unknown): Counts => {
  const total = report as VitestReport;
  for (const { name, assertionResults } of total.testResults)
    for (const { status, fullName, failureMessages = [] } of assertionResults)
      if (status === 'failed') noteFailure(`${relative(root, name)} ${fullName}`, failureMessages[0]);
  return { passed: total.numPassedTests, failed: total.numFailedTests, skipped: total.numPendingTests };
};
interface PlaywrightSuite {
  specs?: { file: string; title: string; ok: boolean; tests?: { results: { errors: { message?: string }[] }[] }[] }[];
  suites?: PlaywrightSuite[];
}
interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}
const firstMessage = (tests: readonly { results: { errors: { message?: string }[] }[] }[]): string | undefined =>
  tests.flatMap(({ results }) => results).flatMap(({ errors }) => errors)[0]?.message;
function noteFailedSpecs({ specs = [], suites = [] }: PlaywrightSuite): void {
  for (const { file, title, ok, tests = [] } of specs)
    if (!ok) noteFailure(`web/e2e/${file} ${title}`, firstMessage(tests));
  suites.forEach(noteFailedSpecs);
}
const readPlaywright = (report: unknown): Counts => {
  noteFailedSpecs(report as PlaywrightReport);
  const { stats } = report as PlaywrightReport;
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
};

async function vitest(): Promise<void> {
  const report = join(reports, 'vitest.json');
  const args = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  await runTests({ title: 'unit, engine, server and database tests', command: 'vitest', args }, report, readVitest);
}

async function browserTests(): Promise<void> {
  const report = join(reports, 'playwright.json');
  await runTests(
    {
      title: 'browser tests',
      command: 'playwright',
      args: ['test', '--config', 'web/playwright.config.ts', '--reporter=list,json'],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    },
    report,
    readPlaywright,
  );
}

const SHOWN_LINES = 200;

/** Prints the accessibility tree of the page of each failed test. CI keeps only the output, not the screenshots. */
async function printFailedPages(): Promise<void> {
  for await (const path of glob('test-results/*/error-context.md', { cwd: root })) {
    const [, shown = ''] = /```yaml\n(.*?)```/s.exec(await readFile(join(root, path), 'utf8')) ?? [];
    // The bar above it is the same on every page.
    const lines = shown.slice(Math.max(0, shown.indexOf('- main'))).split('\n');
    console.log(`\n${path}\n${lines.slice(0, SHOWN_LINES).join('\n')}`);
  }
}

const inBackground = (steps: readonly Step[]): Promise<StepOutcome[]> =>
  runSteps(steps.map((step) => ({ ...step, isBackground: true })));

// While tests wait for databases and servers the checks run, at low priority: no test gets slower for them.
const checks = inBackground(sourceSteps);
countStep(await runStep(buildEngine));
// The browser tests need only the pages; the remaining checks run beside them.
const pages = inBackground([buildWeb]);
const generated = checks.then(() => inBackground([generatedFiles]));
await vitest();
(await pages).forEach(countStep);
// After the others: each runner uses all cores, and side by side both took longer than in turn.
await browserTests();
await printFailedPages();
for (const outcomes of await Promise.all([checks, generated])) outcomes.forEach(countStep);

await rm(reports, { recursive: true, force: true });
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);
