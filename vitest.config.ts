import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default'],
    // By default a core is left idle.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'node',
          include: ['{engine-as,workers,bench}/test/**/*.test.ts', '.ci/test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000, // the first engine test builds the wasm
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/test/**/*.test.{ts,tsx}'],
        },
      },
      {
        test: {
          name: 'server',
          include: ['{server,db}/test/**/*.test.ts'],
          globalSetup: ['server/test/support/globalDatabase.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
