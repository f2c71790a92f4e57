import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { candleWalks } from '../../data/candles.ts';
import { freshEngine } from '../engineSide.ts';
import { inProcess, inTurn } from '../paired.ts';
import { ixjb94Peer } from '../peers/ixjb94.ts';
import { indicatortsPeer } from '../peers/indicatorts.ts';
import { comparePeer, CANDLES, differencesOf, ourSide } from '../peers/ourSide.ts';
import { type Peer, type PeerCandles, peerIds, runPeer, toPeerCandles } from '../peers/peer.ts';
import { technicalindicatorsPeer } from '../peers/technicalindicators.ts';
import { tradingSignalsPeer } from '../peers/tradingSignals.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';

const SERIES = 64;
const peers: readonly Peer[] = [technicalindicatorsPeer, tradingSignalsPeer, indicatortsPeer, ixjb94Peer];

export async function preparePeers(): Promise<PreparedSuite> {
  const series = candleWalks(SERIES, CANDLES);
  const plain = series.map(toPeerCandles);
  const ours = ourSide(await freshEngine());
  const cases = peers.map((peer): BenchCase => {
    const theirs = inTurn(SERIES, (k) => runPeer(peer, plain[k] as PeerCandles));
    return {
      name: peer.name,
      unit: 'us per 500 candles',
      toFigure: (operationNs) => operationNs / 1000,
      operation: inTurn(SERIES, (k) => ours.run(series[k] as Candles)),
      rivals: [{ against: peer.name, contestant: inProcess(theirs) }],
      verify: () =>
        series.flatMap((candles, item) => {
          const own = ours.run(candles);
          const firsts = Object.fromEntries(peerIds.map((id) => [id, own[id][0]]));
          const results = { ours: firsts, theirs: runPeer(peer, plain[item] as PeerCandles) };
          return comparePeer(peer, candles, results, `series ${item}`);
        }),
      options: { warmMs: 200, budgetMs: 1000 },
    };
  });
  return {
    cases,
    notes: [`The nine: ${peerIds.join(', ')}; our figure includes copying in and out.`, ...differencesOf(peers)],
  };
}
