import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const webTests = 'web/test/**/*.test.{ts,tsx}';
/** Files that replace globals of the browser: in a shared process the modules of other files would see the replacements. */
const onesThatReplaceGlobals = globSync(webTests, { cwd: import.meta.dirname }).filter((path) =>
  /\bvi\.(stubGlobal|unstubAllGlobals|useFakeTimers|mock)\(/.test(readFileSync(new URL(path, import.meta.url), 'utf8')),
);

/**
 * Files that take many seconds each: markets for a rate, pictures for a share, a million candles, benchmarks, a second build. `npm test` has
 * them, `npm run test:unit` has not.
 */
const statisticsTests = [
  'bench/test/{main,suites/agreement}.test.ts',
  'engine-as/test/{build,honesty/cscvBand,indicators/million}.test.ts',
  'workers/test/tasks/{honesty,honestyRates,ownRulesWorlds,plantedWorlds,randomEntryNoise}.test.ts',
  'workers/test/vision/{ground,groundPictures,libraryCharts,overlays,pictureSet,readChart}.test.ts',
];

/** A worker keeps the modules it has loaded from one file to the next: loading them again was most of the work of a small file. */
const shared = { isolate: false };

/** The first test of the engine builds it. */
const forEngine = { ...shared, testTimeout: 60_000, hookTimeout: 60_000 };

/**
 * Files of the server that wait for longest: for leases, for holds that run out, for products that start. Started last, one of them would
 * leave the other workers without work.
 */
const longest = [
  'gateway/nodes',
  'positions/frozenLeader',
  'history/killedBackfill',
  'launch/recovery',
  'launch/start',
  'vision/killed',
  'arbitrage/killed',
  'apiKeys/killedLog',
  'scan/killedAway',
  'scan/killed',
  'backtest/search/killedSearch',
  'backtest/search/searchMinutes',
  'profile/twoServers',
  'positions/watch',
  'positions/watchRestart',
  'positions/watchFaults',
  'positions/stalePrice',
  'vision/hostilePictures',
];
const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return rank === -1 ? longest.length : rank;
};

/** The order of vitest, projects one after the other, with the longest files of a project before its others. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...projects.values()].flatMap((ones) => ones.toSorted((a, b) => rankOf(a) - rankOf(b)));
  }
}

/** One west of Greenwich with summer time, one of a half hour, one east with summer time. */
const zones = ['America/New_York', 'Asia/Kolkata', 'Europe/Berlin'];
/** Everything that formats or parses a time without a database: the same results in every zone of the server and the browser. */
const zoneTests = [
  'web/test/format/time.test.ts',
  'web/test/format/timeZones.test.ts',
  'web/test/charts/timeAxis.test.ts',
  'web/test/api/candles.test.ts',
  'web/test/api/positionView.test.ts',
  'web/test/api/serverClock.test.ts',
  'web/test/features/backtest/csv/parseCsv.test.ts',
  'web/test/features/backtest/results/exports.test.ts',
  'web/test/features/backtest/setup/dateRange.test.ts',
  'workers/test/candles/candleWindow.test.ts',
  'workers/test/protocol/wire/klineRows.test.ts',
  'server/test/adapters/feeds/datesAndTexts.test.ts',
  'server/test/features/arbitrage/episodes.test.ts',
  'server/test/features/notifications/message.test.ts',
  'workers/test/signals/outcome.test.ts',
];
const unmatched = zoneTests.filter((pattern) => globSync(pattern, { cwd: import.meta.dirname }).length === 0);
if (unmatched.length > 0) throw new Error(`No test has the name ${unmatched.join(', ')}`);

export default defineConfig({
  test: {
    reporters: ['default'],
    // Half of the time of a server test it waits, for a database, an exchange or a process: two workers for each core keep all cores busy.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'statistics',
          include: statisticsTests,
          ...forEngine,
        },
      },
      {
        test: {
          name: 'node',
          include: ['{engine-as,workers,bench}/test/**/*.test.ts', '.ci/test/**/*.test.ts'],
          exclude: [...statisticsTests, '.ci/test/zone.test.ts'],
          ...forEngine,
        },
      },
      {
        test: {
          name: 'web',
          include: [webTests],
          exclude: onesThatReplaceGlobals,
          ...shared,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'web alone',
          include: onesThatReplaceGlobals,
          testTimeout: 30_000,
        },
      },
      ...zones.map((zone) => ({
        test: {
          name: `zone ${zone}`,
          include: ['.ci/test/zone.test.ts', ...zoneTests],
          env: { TZ: zone },
          ...shared,
          testTimeout: 30_000,
        },
      })),
      {
        test: {
          name: 'server',
          include: ['{server,db}/test/**/*.test.ts'],
          globalSetup: ['server/test/support/globalDatabase.ts'],
          // The simulated market is the same at any hour; another seed is another one.
          env: { EXCHANGES_START: '2026-03-02', EXCHANGES_SEED: process.env.TEST_SEED ?? '' },
          ...shared,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // A second is short for a database that others keep busy.
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
