import type { SystemTx, UserTx } from '../../platform/db/scope.ts';
import type { Preferences } from './contract.ts';
import { readPreferences, readPreferencesOf } from './repository.ts';

/** The user's settings, for other features that apply them. */
export const preferencesOf = (tx: UserTx): Promise<Preferences> => readPreferences(tx);

/** The same for the service, which acts for users who are away. */
export const preferencesFor = (tx: SystemTx, userId: string): Promise<Preferences> => readPreferencesOf(tx, userId);
