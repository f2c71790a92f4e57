import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { candleWalks } from '../../data/candles.ts';
import { freshEngine } from '../engineSide.ts';
import { inProcess, inTurn, threadClock } from '../paired.ts';
import { ixjb94Peer } from '../peers/ixjb94.ts';
import { CANDLES, comparePeer, differencesOf, ourSide } from '../peers/ourSide.ts';
import { type Peer, type PeerCandles, peerIds, toPeerCandles } from '../peers/peer.ts';
import { loadTalib, talibWebPeer } from '../peers/talibWeb.ts';
import { technicalindicatorsPeer } from '../peers/technicalindicators.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';

const SERIES = 64;
const peers: readonly Peer[] = [talibWebPeer, ixjb94Peer, technicalindicatorsPeer];

/** Each indicator of nine against each package: the same work in one run, the results compared first. */
export async function prepareRivals(): Promise<PreparedSuite> {
  await loadTalib();
  const series = candleWalks(SERIES, CANDLES);
  const plain = series.map(toPeerCandles);
  const ours = ourSide(await freshEngine());
  const clock = threadClock();
  const cases = peerIds.map((id): BenchCase => {
    const able = peers.filter(({ broken }) => broken?.[id] === undefined);
    return {
      name: id,
      unit: `us per ${CANDLES} candles`,
      toFigure: (operationNs) => operationNs / 1000,
      operation: inTurn(SERIES, (k) => ours.runOne(id, series[k] as Candles)),
      rivals: able.map((peer) => ({
        against: peer.name,
        contestant: inProcess(
          inTurn(SERIES, (k) => peer.each[id](plain[k] as PeerCandles)),
          clock,
        ),
      })),
      skipped: peers.flatMap(({ name, broken }) =>
        broken?.[id] === undefined ? [] : [{ against: name, reason: broken[id] }],
      ),
      clock,
      verify: () =>
        able.flatMap((peer) =>
          series.flatMap((candles, item) => {
            const results = {
              ours: { [id]: ours.runOne(id, candles) },
              theirs: { [id]: peer.each[id](plain[item] as PeerCandles) },
            };
            return comparePeer(peer, candles, results, `${peer.name}, series ${item}`);
          }),
        ),
      options: { warmMs: 100, budgetMs: 600 },
    };
  });
  return {
    cases,
    notes: [
      'From arrays to arrays, as each package takes them: our figure includes copying in and out of the engine, in processor time.',
      'Results agree to 1e-9 before anything is timed, apart from these definitions:',
      ...differencesOf(peers),
    ],
  };
}
