import { serverUrl } from '@sextant/db/src/roles.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { createVenues } from '../../../src/adapters/exchanges/createVenues.ts';
import { Backfill } from '../../../src/features/history/backfill.ts';
import { historyMonthsDefault } from '@sextant/workers/src/core/historyMonths.ts';
import { createCandleStore } from '../../../src/features/history/candleStore.ts';
import { manualClock } from '../../adapters/exchanges/support/testExchanges.ts';

/** One round of the back-fill in a process of its own, which a test kills. Prints `writing` before each write, then `complete` or `incomplete`. */
const { OWNER_URL = '', SECRET = '', EXCHANGES_URL = '', NOW_MS = '' } = process.env;
const clock = manualClock(Number(NOW_MS));
const database = openDatabase({ url: serverUrl(OWNER_URL, SECRET), onError: () => undefined });
const venues = createVenues({ exchangesUrl: EXCHANGES_URL, clock, fundingLimit: 100_000 });
const onError = (error: Error): void => void process.stdout.write(`${error.message}\n`);
const store = createCandleStore({ db: database.db, source: 'simulated kill', onError, now: clock.now });
const job = {
  db: database.db,
  source: 'simulated kill',
  store: {
    write(...given: Parameters<typeof store.write>): Promise<void> {
      process.stdout.write('writing\n');
      return store.write(...given);
    },
  },
  venues: venues.byExchange,
  symbolsMax: 3,
  retention: { ...historyMonthsDefault, '15m': 2, '1h': 6, '4h': 12, '1d': 24 },
  warn: () => undefined,
  now: clock.now,
  sleep: (ms: number, signal: AbortSignal) => clock.sleep(ms, signal),
};
const isComplete = await new Backfill(job, 'binance', new AbortController().signal).run();
process.stdout.write(isComplete ? 'complete\n' : 'incomplete\n');
await venues.close();
await database.close();
