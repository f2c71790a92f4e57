import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';

/** Votes of one family measure the same thing: agreement among them means little. By id, e.g. `ema_cross`: `trend`. */
export const voteFamilies: ReadonlyMap<string, string> = new Map(voteRegistry.map(({ id, family }) => [id, family]));
