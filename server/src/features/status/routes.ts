import type { Config } from '../../config.ts';
import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { problems } from '../../platform/http/problem.ts';
import { createSharedResponse } from '../../platform/sharedResponse.ts';
import { StatusResponse } from './contract.ts';
import { configuredParts } from './dependencies.ts';
import { createStatusPast, readStatus } from './readStatus.ts';

export interface StatusDeps {
  db: Db;
  config: Config;
  /** Market of the stored candles. */
  historySource: string;
  /** Epoch ms; the database's clock, which stamps the probes, when absent. */
  now?: () => number;
}

/** Cache time of a response: probes run once a minute, and the route is public. */
const freshMs = 20_000;

export function statusRoutes(app: App, { db, config, historySource, now }: StatusDeps): void {
  const { market } = config;
  const parts = configuredParts(config);
  const past = createStatusPast();
  const readNow = async (): Promise<number> => now?.() ?? (await withSystem(db, databaseNowMs));
  const read = async () => readStatus(db, { market, historySource, parts, nowMs: await readNow(), past });
  const shared = createSharedResponse(freshMs, read, now ?? (() => performance.now()));
  app.get(
    '/api/status',
    {
      schema: {
        access: 'public',
        sandbox: 'same',
        tags: ['Service'],
        summary: 'Read state, uptime and incidents of the last 90 days',
        response: { 200: StatusResponse, ...problems('database_unavailable') },
      },
    },
    () => shared(),
  );
}
