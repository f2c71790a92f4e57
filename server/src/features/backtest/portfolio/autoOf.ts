import type { ChosenStrategy, TuningWeights } from '@sextant/workers/src/signals/signalRules.ts';
import { type Db, withUser } from '../../../platform/db/scope.ts';
import { preferencesOf } from '../../preferences/preferencesOf.ts';
import { usedStrategyOf } from '../../signals/usedStrategy.ts';
import { tuningOf } from '../../tuning/tuningOf.ts';
import type { AutoSettings } from './autoAccount.ts';

/** What Auto of a user trades now. */
export interface Auto {
  settings: AutoSettings;
  tuning: TuningWeights;
  /** The saved strategy that decides; undefined: Live rules with the tuning. */
  strategy: ChosenStrategy | undefined;
}

export type ReadAuto = (userId: string) => Promise<Auto>;

export const readAutoFrom =
  (db: Db): ReadAuto =>
  (userId) =>
    withUser(db, userId, async (tx) => ({
      settings: await preferencesOf(tx),
      tuning: await tuningOf(tx, userId),
      strategy: await usedStrategyOf(tx),
    }));
