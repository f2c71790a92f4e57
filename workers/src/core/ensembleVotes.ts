import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';

/** Vote ids in the order of the engine's weights: the indicators, then the news. */
export const ensembleVoteIds: readonly string[] = [...voteIds, 'news'];
