import type { OptimizeInput } from '../../protocol/optimize.ts';

/** Time of a set in sets of Classic on the same candles, rounded up; own rules are no dearer than others (docs/optimiser.md): `npm run bench -- rules-search` measures it (docs/bench.md). */
const SET_COST = { classic: 1, rules: 6 };

export const setCostOf = (kind: keyof typeof SET_COST): number => SET_COST[kind];

/** Of a set of a search. */
export const setCostIn = ({ rules }: Pick<OptimizeInput, 'rules'>): number =>
  setCostOf(rules === undefined ? 'classic' : 'rules');

/** Sets times candles of one search on the server, in sets of Classic. */
export const SERVER_WORK_MAX = 1e9;

/** Samples that a search on the server may have. */
export const serverSamplesMax = (candleCount: number, setCost: number): number =>
  Math.floor(SERVER_WORK_MAX / (candleCount * setCost));
