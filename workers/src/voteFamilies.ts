import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';

/** Votes of one family look at the same thing: agreeing with each other says little. By id, e.g. `ema_cross`: `trend`. */
export const voteFamilies: ReadonlyMap<string, string> = new Map(voteRegistry.map(({ id, family }) => [id, family]));
