import { BACKTEST_VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { weightTenths } from '@sextant/workers/src/tasks/rules.ts';
import { defaultWeights } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { candleWalks } from '../../data/candles.ts';
import { firstDifference } from '../agreement.ts';
import { candleColumns, engineBefore, expectOk, freshEngine, pushCandles } from '../engineSide.ts';
import { inProcess, inTurn } from '../paired.ts';
import { ixjb94Peer } from '../peers/ixjb94.ts';
import { type PeerCandles, runPeer, toPeerCandles } from '../peers/peer.ts';
import type { BenchCase, PreparedSuite } from '../suite.ts';
import { scoreTwin, votesTwin } from '../twins/votes.ts';

const SERIES = 300;
const CANDLES = 500;

export async function prepareScan(): Promise<PreparedSuite> {
  const series = candleWalks(SERIES, CANDLES);
  const plain = series.map(toPeerCandles);
  const scan = scanner(await freshEngine());
  const weights = [...weightTenths(defaultWeights)];
  const scores = new Float64Array(SERIES);
  const twinScores = new Float64Array(SERIES);
  const ours = inTurn(SERIES, (k) => {
    scores[k] = scan(series[k] as Candles);
  });
  const before = await engineBefore();
  const scanBefore = before && scanner(before);
  const column = new Float64Array(CANDLES);
  const theirs = inTurn(SERIES, (k) => {
    scoreTwin(votesTwin(series[k] as Candles), weights, column);
    twinScores[k] = column[CANDLES - 1] as number;
  });
  const peer = inTurn(SERIES, (k) => {
    runPeer(ixjb94Peer, plain[k] as PeerCandles);
  });
  const scanCase: BenchCase = {
    name: '300x500',
    unit: 'ms',
    toFigure: (operationNs) => (operationNs * SERIES) / 1e6,
    operation: ours,
    rivals: [
      ...(scanBefore
        ? [{ against: 'before', contestant: inProcess(inTurn(SERIES, (k) => void scanBefore(series[k] as Candles))) }]
        : []),
      { against: 'typescript', contestant: inProcess(theirs) },
      { against: ixjb94Peer.name, contestant: inProcess(peer) },
    ],
    verify() {
      for (let k = 0; k < SERIES; k++) ours();
      for (let k = 0; k < SERIES; k++) theirs();
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

/** One symbol after the other, as the task scans them, through the same room of the arena. Gives the score. */
function scanner(engine: Engine): (candles: Candles) => number {
  const { raw } = engine;
  const columnsAt = pushCandles(engine, candleWalks(1, CANDLES)[0] as Candles);
  const addresses = [...engine.i32View(columnsAt, candleColumns.length)];
  const votesAt = engine.reserveBytes(BACKTEST_VOTE_COUNT);
  const isLiveAt = engine.reserveBytes(BACKTEST_VOTE_COUNT);
  const weights = weightTenths(defaultWeights);
  return (candles) => {
    candleColumns.forEach((name, k) => {
      engine.f64View(addresses[k] as number, CANDLES).set(candles[name]);
    });
    expectOk(raw.lastVotes(columnsAt, CANDLES, votesAt, isLiveAt), 'lastVotes');
    return scoreOf(engine.i8View(votesAt, BACKTEST_VOTE_COUNT), engine.u8View(isLiveAt, BACKTEST_VOTE_COUNT), weights);
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
