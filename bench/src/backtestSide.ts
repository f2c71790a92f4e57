import { FRAME_LENGTH, frameSlot, SUMMARY_LENGTH, summarySlot, TRADE_LENGTH } from '@sextant/engine-as/abi/records.ts';
import { VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { BacktestSummary, Candles, Costs, StrategyParams, Trade } from '@sextant/workers/src/protocol/backtest.ts';
import { readSummary, readTrades } from '@sextant/workers/src/tasks/readResult.ts';
import { rulesOf, weightTenths } from '@sextant/workers/src/tasks/rules.ts';
import { candleColumns, expectOk } from './engineSide.ts';

export interface BacktestResponse {
  summary: BacktestSummary;
  trades: Trade[];
  equity: Float64Array;
  score: Float64Array;
}

/** One backtest whose inputs are already in the arena; a run computes votes, score, simulation and statistics. */
export interface PreparedBacktest {
  run: () => void;
  /** Runs the backtest and copies the result out of the arena. */
  result: () => BacktestResponse;
}

export interface BacktestSetup {
  candles: Candles;
  params: StrategyParams;
  costs: Costs;
  scoredCount: number;
}

export function prepareBacktest(engine: Engine, setup: BacktestSetup): PreparedBacktest {
  const { raw } = engine;
  const { candles, params, costs, scoredCount } = setup;
  const count = candles.close.length;
  const stride = (count + 15) & ~15; // whole 16-byte vectors
  const columns = candleColumns.map((name) => engine.push(candles[name]));
  const columnsAt = pushAddresses(engine, columns);
  const votesAt = engine.reserveBytes(VOTE_COUNT * stride);
  const firstAt = engine.reserveBytes(4 * VOTE_COUNT);
  const weightsAt = pushAddresses(engine, [...weightTenths(params.weights)]);
  const scoreAt = engine.reserve(count);
  const summaryAt = engine.reserve(SUMMARY_LENGTH);
  const equityAt = engine.reserve(scoredCount);
  const rulesAt = engine.push(rulesOf(params, costs, scoredCount));
  const { funding } = costs;
  const frame = new Int32Array(FRAME_LENGTH);
  frame.set([count, ...columns, scoreAt], frameSlot.count);
  frame[frameSlot.fundingCount] = funding?.time.length ?? -1;
  frame[frameSlot.fundingTime] = funding === undefined ? 0 : engine.push(funding.time);
  frame[frameSlot.fundingRate] = funding === undefined ? 0 : engine.push(funding.rate);
  frame[frameSlot.rules] = rulesAt;
  frame[frameSlot.equity] = equityAt;
  frame[frameSlot.summary] = summaryAt;
  const frameAt = pushAddresses(engine, frame);

  const work = (): void => {
    expectOk(raw.votes(columnsAt, count, votesAt, stride, firstAt, 0), 'votes');
    expectOk(raw.score(votesAt, stride, count, firstAt, weightsAt, scoreAt, 0), 'score');
    expectOk(raw.backtest(frameAt), 'backtest');
  };
  return {
    run() {
      const mark = raw.arenaMark();
      work();
      raw.arenaRelease(mark);
    },
    result() {
      const mark = raw.arenaMark();
      work();
      const summary = engine.pull(summaryAt, SUMMARY_LENGTH);
      const slots = (summary[summarySlot.tradeCount] as number) * TRADE_LENGTH;
      const tradesAt = engine.i32View(frameAt, FRAME_LENGTH)[frameSlot.trades] as number;
      const trades = readTrades(slots === 0 ? new Float64Array() : engine.pull(tradesAt, slots));
      raw.arenaRelease(mark);
      const [equity, score] = [engine.pull(equityAt, scoredCount), engine.pull(scoreAt, count)];
      return { summary: readSummary(summary), trades, equity, score };
    },
  };
}

function pushAddresses(engine: Engine, addresses: ArrayLike<number>): number {
  const at = engine.reserveBytes(4 * addresses.length);
  engine.i32View(at, addresses.length).set(addresses);
  return at;
}
