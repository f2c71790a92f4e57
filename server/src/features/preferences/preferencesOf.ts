import type { UserTx } from '../../platform/db/scope.ts';
import type { Preferences } from './contract.ts';
import { readPreferences } from './repository.ts';

/** The user's settings, for other features that act by them. */
export const preferencesOf = (tx: UserTx): Promise<Preferences> => readPreferences(tx);
