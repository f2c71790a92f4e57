import { expect, it } from 'vitest';
import { candleWalks } from '../data/candles.ts';
import { freshEngine } from '../src/engineSide.ts';
import { CANDLES, comparePeer, ourSide } from '../src/peers/ourSide.ts';
import { type PeerId, peerIds, runPeer, toPeerCandles } from '../src/peers/peer.ts';
import { technicalindicatorsPeer as peer } from '../src/peers/technicalindicators.ts';

it('compares the results of the timed calls, of both sides', async () => {
  const [candles] = candleWalks(1, CANDLES);
  if (candles === undefined) throw new Error('no candles');
  const side = ourSide(await freshEngine());
  const all = side.run(candles);
  const ours = Object.fromEntries(peerIds.map((id) => [id, all[id][0]?.slice()])) as Record<PeerId, Float64Array>;
  const theirs = runPeer(peer, toPeerCandles(candles));
  expect(comparePeer(peer, candles, { ours, theirs }, 'walk')).toEqual([]);
  // Alone an indicator gives the same.
  for (const id of peerIds) expect(side.runOne(id, candles)).toEqual(ours[id]);
  const wrong = { ...ours, sma: ours.sma.map((value, i) => (i === 400 ? value * 1.01 : value)) };
  expect(comparePeer(peer, candles, { ours: wrong, theirs }, 'walk')).toEqual([
    expect.stringMatching(/^walk, sma: candle 400: /),
  ]);
  const { sma: _sma, ...without } = theirs;
  expect(comparePeer(peer, candles, { ours, theirs: without }, 'walk')).toEqual(['walk, sma: one side has no result']);
});
