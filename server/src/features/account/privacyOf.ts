import type { UserTx } from '../../platform/db/scope.ts';
import type { Privacy } from './contract.ts';
import { readPrivacy } from './privacyRepository.ts';

/** What the user allows, for other features that must ask first. */
export const privacyOf = (tx: UserTx): Promise<Privacy> => readPrivacy(tx);
