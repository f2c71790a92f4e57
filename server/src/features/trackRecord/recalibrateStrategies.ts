import { databaseNowMs } from '../../platform/db/databaseNow.ts';
import { withSystem } from '../../platform/db/scope.ts';
import { basisAt, hasSameOutcomes, type RecalibrateDeps, WINDOW_MS } from './recalibrate.ts';
import { METHOD } from '../signals/confidenceBasis.ts';
import { insertStrategyBasis, readSettledVersions, readStrategyBases, readStrategyLedger } from './strategyRecord.ts';

/**
 * One round like `recalibrate`, for every active version of a saved strategy: from the outcomes of that owner, strategy and version
 * alone, shrunk to their base rate.
 */
export async function recalibrateStrategies({ db, config, assertLeader }: RecalibrateDeps): Promise<number> {
  const { market } = config;
  let writtenCount = 0;
  for (const own of await withSystem(db, (tx) => readSettledVersions(tx, market))) {
    await withSystem(db, async (tx) => {
      const { interval, version } = own;
      const before = (await readStrategyBases(tx, own, market, METHOD)).find((each) => each.interval === interval);
      const asOfMs = await databaseNowMs(tx);
      const since = new Date(asOfMs - WINDOW_MS);
      const ledger = await readStrategyLedger(tx, own, { market, interval, since });
      const basis = basisAt(interval, ledger, asOfMs, version);
      if (before === undefined ? basis.outcome_count === 0 : hasSameOutcomes(before, basis)) return;
      await assertLeader(tx);
      await insertStrategyBasis(tx, own, market, basis);
      writtenCount += 1;
    });
  }
  return writtenCount;
}
