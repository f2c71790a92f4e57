import { buildEngine } from './checkSteps.ts';
import { runStep, type Step } from './steps.ts';

/** `npm run test:statistics`: what `npm test` runs a share of. Each line says the share. */
const steps: Step[] = [
  {
    // A fifth of the seeds; of the planted worlds a tenth, of their noise a twentieth; of those of own rules an eighth to a twentieth.
    title: 'statistical tests, all seeds',
    command: 'vitest',
    args: [
      'run',
      '--project',
      'statistics',
      'honesty.test',
      'honestyRates',
      'randomEntryNoise',
      'plantedWorlds',
      'ownRulesWorlds',
    ],
    env: { STATISTICS: 'full' },
  },
  {
    // 2 worlds with 5 searches through each door.
    title: 'noise searched again and again: 20 worlds, 40 searches each through page, API, MCP and command line',
    command: 'vitest',
    args: ['run', 'noiseWorlds'],
    env: { STATISTICS: 'full' },
  },
  {
    // Half of the backtests, two fifths of the searches, three tenths of the runs in threads; a small module is built twice.
    title: 'engine against its twins, all runs, and built twice',
    command: 'vitest',
    args: [
      'run',
      '--project',
      'node',
      '--project',
      'statistics',
      'backtest/twin',
      'optimize/equality',
      'sameBits',
      'engine-as/test/build',
    ],
    env: { STATISTICS: 'full' },
  },
  {
    // 500 texts; 20,000 texts.
    title: 'own rules: 10,000 texts against the interpreter, 1,000,000 random and mutilated texts',
    command: 'vitest',
    args: ['run', '--project', 'node', 'rules/parity', 'rules/hostile'],
    env: { RULES_PARITY: '10000', RULES_FUZZ: '1000000' },
  },
  {
    // 16 strategies of rules: lab, scanner and position monitor.
    title: 'one strategy everywhere, 1,000 random strategies in Node',
    command: 'vitest',
    args: ['run', '--project', 'node', 'tasks/strategy.test', '-t', 'random strategies', '--testTimeout=3600000'],
    env: { STRATEGY_RUNS: '1000' },
  },
  {
    // 16 strategies of rules. The test serves its page itself, so no product is started.
    title: 'one strategy everywhere, the same 1,000 in Chromium',
    command: 'playwright',
    args: ['test', '--config', 'web/playwright.config.ts', 'sameBits', '-g', 'random strategies'],
    env: { STRATEGY_RUNS: '1000', BASE_URL: 'http://127.0.0.1' },
  },
  {
    // 24 symbols with 1,200 candles each instead of 128 with 5,000; 6 drawn pictures of 170 and 10 strange or flipped ones of 200.
    title: 'market of a chart picture, 128 symbols on 4 intervals with 5,000 candles',
    command: 'vitest',
    args: ['run', '--project', 'statistics', 'vision/ground'],
    env: { STATISTICS: 'full' },
  },
  {
    // 5,000 books.
    title: 'spread kernel against its twin, 100,000 random books',
    command: 'vitest',
    args: ['run', '--project', 'node', 'arbitrage/spread.test'],
    env: { SPREAD_BOOKS: '100000' },
  },
  {
    // 20 markets of noise.
    title: 'spreads of noise, 100 markets',
    command: 'vitest',
    args: ['run', '--project', 'server', 'arbitrage/sampler.test', '-t', 'markets of noise'],
    env: { STATISTICS: 'full' },
  },
  {
    // The first of its spans with 4 symbols, 60 moments, 2 replays. docs/signals.md has the figures of those that were measured.
    title: 'chances of a replay on the market that follows: 20 symbols, 120 moments of 155 days, 10 replays, each span',
    command: 'vitest',
    args: ['run', '--project', 'server', 'replay/forwardCalibration'],
    env: { STATISTICS: 'full' },
  },
  {
    // 4 searches.
    title: 'deep searches with minutes on the server, 8 searches',
    command: 'vitest',
    args: ['run', '--project', 'server', 'search/searchMinutes'],
    env: { STATISTICS: 'full' },
  },
  {
    // 160 guesses of each kind; 200 scans on 100 credits.
    title: 'guesses at passwords, links and codes, 1,000 of each kind; 1,000 scans at once on 500 credits',
    command: 'vitest',
    args: ['run', '--project', 'server', 'auth/guesses', 'scan/manyScans'],
    env: { STATISTICS: 'full' },
  },
  {
    // 6 charts and 8 other pictures.
    title: 'chart reader, all drawn pictures',
    command: 'vitest',
    args: ['run', '--project', 'statistics', 'vision/pictureSet', 'vision/overlays'],
    env: { STATISTICS: 'full' },
  },
  {
    // Each style with 70 candles.
    title: 'charts of libraries with 30, 40, 70, 100 and 150 candles',
    command: 'vitest',
    args: ['run', '--project', 'statistics', 'vision/libraryCharts'],
    env: { STATISTICS: 'full' },
  },
  {
    // 4 texts.
    title: 'fifty hostile pictures through the whole product',
    command: 'vitest',
    args: ['run', '--project', 'server', 'vision/hostilePictures'],
    env: { STATISTICS: 'full' },
  },
  {
    // 3 crashes of the product, 2 kills each of a node that scans signals and spreads or logs calls, 1 of a node that searches.
    title: 'kills and crashes, 20 each',
    command: 'vitest',
    args: [
      'run',
      '--project',
      'server',
      'launch/recovery',
      'scan/killed.test',
      'arbitrage/killed.test',
      'vision/killed.test',
      'apiKeys/killedLog',
      'killedSearch',
    ],
    env: { CRASHES: '20', KILLS: '20' },
  },
  {
    // None: a machine busy with other tests starves so many nodes.
    title: 'nodes of every role: 30 kills and freezes, ten at once, 150 s at the limits of the exchanges, wrong clocks',
    command: 'vitest',
    args: ['run', '--project', 'server', 'platform/nodes', 'clocks/wrongClocks', '--maxWorkers=1'],
    env: { ROLE_KILLS: '30', NODES: '10', BUSY_S: '150' },
  },
  {
    // 2,000 scripts, 20 of them in the database.
    title: 'accounts of the desk against a plain reference: 10,000 scripts, 100 in the database',
    command: 'vitest',
    args: ['run', '--project', 'server', 'orders/accountProperty'],
    env: { STATISTICS: 'full' },
  },
  {
    // 400 notifications, 4 kills, 60 sequences.
    title: 'payments: 3,000 notifications, 100 kills, 2,000 sequences',
    command: 'vitest',
    args: ['run', '--project', 'server', 'payments/exactlyOnce', 'payments/killed', 'payments/model'],
    env: { PAYMENT_NOTICES: '3000', PAYMENT_KILLS: '100', PAYMENT_SEQUENCES: '2000' },
  },
];

const outcomes = [await runStep(buildEngine)];
for (const step of steps) outcomes.push(await runStep(step, true));
process.exit(outcomes.every(({ isOk }) => isOk) ? 0 : 1);
