import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';
import { tunableVotes } from '@sextant/engine-as/abi/liveWeights.ts';
import { describe, expect, it } from 'vitest';
import { uniformTuning, tuningKeys, tuningView, tuningWire } from '../../../src/features/tuning/useTuning.ts';

describe('tuning as the client knows it', () => {
  it('TUNE-002 TUNE-007 has the eleven weights under camel-case names', () =>
    expect(tuningKeys).toEqual([
      ...['adx', 'supertrend', 'emaCross', 'smaCross', 'pivot', 'vwap', 'mfi', 'donchian', 'ichAlign', 'ichCloud'],
      'news',
    ]));

  it('goes over the wire under the names of the server, each weight its own, and comes back as it was', () => {
    const weights = { ...neutralTuning };
    tunableVotes.forEach((vote, i) => (weights[vote] = 0.5 + i * 0.05));
    const shown = tuningView(weights);
    expect(shown).toMatchObject({ emaCross: weights.ema_cross, ichCloud: weights.ich_cloud, adx: weights.adx });
    expect(tuningWire(shown)).toEqual(weights);
  });

  it('TUNE-004 TUNE-005 CONST-023 is 1 everywhere by default, and a preset sets every weight', () => {
    expect(tuningView(neutralTuning)).toEqual(uniformTuning(1));
    expect(tuningWire(uniformTuning(0.8))).toEqual(Object.fromEntries(tunableVotes.map((vote) => [vote, 0.8])));
  });
});
