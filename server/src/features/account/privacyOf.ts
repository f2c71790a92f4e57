import type { UserTx } from '../../platform/db/scope.ts';
import type { Privacy } from './contract.ts';
import { readPrivacy } from './privacyRepository.ts';

/** Privacy settings of the user, for other features that must check them. */
export const privacyOf = (tx: UserTx): Promise<Privacy> => readPrivacy(tx);
