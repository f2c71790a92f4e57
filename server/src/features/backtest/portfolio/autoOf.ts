import type { ChosenStrategy, TuningWeights } from '@sextant/workers/src/signals/signalRules.ts';
import type { MarketMode } from '../../../config.ts';
import { type Db, withUser } from '../../../platform/db/scope.ts';
import { preferencesOf } from '../../preferences/preferencesOf.ts';
import type { ConfidenceBasis } from '../../signals/confidenceBasis.ts';
import { usedStrategyOf } from '../../signals/usedStrategy.ts';
import { readStrategyBases } from '../../trackRecord/strategyRecord.ts';
import { tuningOf } from '../../tuning/tuningOf.ts';
import type { AutoSettings } from './autoAccount.ts';

/** What Auto of a user trades now. */
export interface Auto {
  settings: AutoSettings;
  tuning: TuningWeights;
  /** The saved strategy that decides; undefined: Live rules with the tuning. */
  strategy: ChosenStrategy | undefined;
  /** Its measured chances, by interval; empty until enough of its outcomes are known. */
  strategyBases: readonly ConfidenceBasis[];
}

export type ReadAuto = (userId: string) => Promise<Auto>;

export const readAutoFrom =
  (db: Db, market: MarketMode): ReadAuto =>
  (userId) =>
    withUser(db, userId, async (tx) => {
      const strategy = await usedStrategyOf(tx);
      const { id: strategyId, version } = strategy ?? {};
      const isMeasured = strategyId !== undefined && version !== undefined;
      return {
        settings: await preferencesOf(tx),
        tuning: await tuningOf(tx, userId),
        strategy,
        strategyBases: isMeasured ? await readStrategyBases(tx, { userId, strategyId, version }, market) : [],
      };
    });
