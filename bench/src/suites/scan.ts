import { BACKTEST_VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles } from '@sextant/workers/src/protocol.ts';
import { weightTenths } from '@sextant/workers/src/tasks/rules.ts';
import { defaultWeights } from '@sextant/workers/src/wire/defaults.ts';
import { candleWalks } from '../../data/candles.ts';
import { firstDifference } from '../agreement.ts';
import { candleColumns, expectOk, freshEngine, pushCandles } from '../engineSide.ts';
import { inProcess, inTurn } from '../paired.ts';
import { ixjb94Peer } from '../peers/ixjb94.ts';
import { toPeerCandles, type PeerCandles } from '../peers/peer.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';
import { scoreTwin, votesTwin } from '../twins/votes.ts';

const SERIES = 300;
const PAIRS = SERIES / 2;
const CANDLES = 500;

export async function prepareScan(): Promise<PreparedSuite> {
  const series = candleWalks(SERIES, CANDLES);
  const plain = series.map(toPeerCandles);
  const scan = scanner(await freshEngine());
  const weights = [...weightTenths(defaultWeights)];
  const scores = new Float64Array(SERIES);
  const twinScores = new Float64Array(SERIES);
  // One operation is one pair on both sides.
  const ours = inTurn(PAIRS, (k) => scores.set(scan(series[2 * k] as Candles, series[2 * k + 1] as Candles), 2 * k));
  const column = new Float64Array(CANDLES);
  const theirs = inTurn(PAIRS, (pair) => {
    for (const k of [2 * pair, 2 * pair + 1]) {
      scoreTwin(votesTwin(series[k] as Candles), weights, column);
      twinScores[k] = column[CANDLES - 1] as number;
    }
  });
  const peer = inTurn(PAIRS, (pair) => {
    ixjb94Peer.run(plain[2 * pair] as PeerCandles);
    ixjb94Peer.run(plain[2 * pair + 1] as PeerCandles);
  });
  const scanCase: BenchCase = {
    name: '300x500',
    unit: 'ms',
    toFigure: (operationNs) => (operationNs * PAIRS) / 1e6,
    operation: ours,
    rivals: [
      { against: 'typescript', contestant: inProcess(theirs) },
      { against: ixjb94Peer.name, contestant: inProcess(peer) },
    ],
    verify() {
      for (let k = 0; k < PAIRS; k++) ours();
      for (let k = 0; k < PAIRS; k++) theirs();
      const difference = firstDifference(scores, twinScores);
      return difference === undefined ? [] : [difference];
    },
    options: { budgetMs: 1500 },
  };
  return {
    cases: [scanCase],
    notes: [
      'typescript computes every candle of 13 votes, as a program without a last-bar path would.',
      `${ixjb94Peer.name} is the fastest npm package of the suite peers; it computes nine indicators only, and no vote.`,
    ],
  };
}

/** Two symbols side by side, as the task scans them, through the same room of the arena. Gives both scores. */
function scanner(engine: Engine): (one: Candles, two: Candles) => [number, number] {
  const { raw } = engine;
  const some = candleWalks(1, CANDLES)[0] as Candles;
  const rooms = [pushCandles(engine, some), pushCandles(engine, some)] as const;
  const addresses = rooms.map((columnsAt) => [...engine.i32View(columnsAt, candleColumns.length)]);
  const votesAt = engine.reserveBytes(2 * BACKTEST_VOTE_COUNT);
  const isLiveAt = engine.reserveBytes(2 * BACKTEST_VOTE_COUNT);
  const weights = weightTenths(defaultWeights);
  const score = (lane: number): number =>
    scoreOf(
      engine.i8View(votesAt + lane * BACKTEST_VOTE_COUNT, BACKTEST_VOTE_COUNT),
      engine.u8View(isLiveAt + lane * BACKTEST_VOTE_COUNT, BACKTEST_VOTE_COUNT),
      weights,
    );
  return (...pair) => {
    pair.forEach((candles, lane) => {
      candleColumns.forEach((name, k) => engine.f64View(addresses[lane]?.[k] as number, CANDLES).set(candles[name]));
    });
    expectOk(raw.lastVotesOfTwo(...rooms, CANDLES, votesAt, isLiveAt), 'lastVotesOfTwo');
    return [score(0), score(1)];
  };
}

/** An integer over an integer, as the engine's score; NaN before every weighted vote is defined. */
function scoreOf(votes: Int8Array, isLive: Uint8Array, weights: Int32Array): number {
  let sum = 0;
  let total = 0;
  for (let k = 0; k < BACKTEST_VOTE_COUNT; k++) {
    const weight = weights[k] as number;
    if (weight > 0 && isLive[k] === 0) return NaN;
    sum += weight * (votes[k] as number);
    total += weight;
  }
  return sum / total;
}
