import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { defaultCosts } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { describe, expect, it } from 'vitest';
import { candleWalk, eightHourlyFunding } from '../../../data/candles.ts';
import { randomStream } from '../../../data/random.ts';
import { backtestTwin } from '../../../src/twins/backtest/backtest.ts';
import { marketTwin } from '../../../src/twins/optimizer/market.ts';
import { optimizerTwin, TWIN_RESULT_LENGTH } from '../../../src/twins/optimizer/optimizer.ts';
import { scoreTwin, votesTwin } from '../../../src/twins/votes.ts';

const SEED = 20_26;
const CANDLES = 600;

function randomSet(random: () => number): Float64Array {
  const set = new Float64Array(abi.SET_LENGTH);
  for (let vote = 0; vote < 13; vote++) set[vote] = Math.floor(random() * 21);
  set[abi.SET_ENTRY_THRESHOLD] = (1 + Math.floor(random() * 40)) / 100;
  set[abi.SET_STOP_LOSS] = (1 + Math.floor(random() * 40)) / 1000;
  set[abi.SET_TAKE_PROFIT] = (1 + Math.floor(random() * 80)) / 1000;
  set[abi.SET_IS_TRAILING] = random() < 0.5 ? 1 : 0;
  set[abi.SET_CALLBACK] = 0.005;
  set[abi.SET_STEP] = 0.0025;
  return set;
}

describe('the optimiser twin', () => {
  it(`gives the net result and the trades of the backtest twin for 200 random sets, seed ${SEED}`, () => {
    const random = randomStream(SEED);
    const candles = candleWalk(CANDLES, SEED);
    const costs = { ...defaultCosts, funding: eightHourlyFunding(candles) };
    const votes = votesTwin(candles);
    const market = marketTwin(candles, costs, votes);
    const score = new Float64Array(CANDLES);
    const result = new Float64Array(TWIN_RESULT_LENGTH);
    let trades = 0;
    for (let k = 0; k < 200; k++) {
      const set = randomSet(random);
      optimizerTwin(market, set, result);
      scoreTwin(votes, [...set.subarray(0, 13)], score);
      const trailing = { enabled: set[abi.SET_IS_TRAILING]! > 0, callbackFraction: 0.005, stepFraction: 0.0025 };
      const params = {
        entryThreshold: set[abi.SET_ENTRY_THRESHOLD]!,
        trailing,
        stopLossFraction: set[abi.SET_STOP_LOSS]!,
        takeProfitFraction: set[abi.SET_TAKE_PROFIT]!,
      };
      const { summary, trades: list } = backtestTwin(candles, score, { params, costs }, CANDLES);
      expect(result[abi.RESULT_TRADE_COUNT], `set ${k}`).toBe(summary.tradeCount);
      expect(result[abi.RESULT_NET_PNL], `set ${k}`).toBe(summary.netPnl);
      expect(result[abi.RESULT_AMBIGUOUS_COUNT], `set ${k}`).toBe(list.filter((trade) => trade.isAmbiguous).length);
      trades += summary.tradeCount;
    }
    expect(trades).toBeGreaterThan(1000);
  });

  it('does nothing when every weight is 0', () => {
    const candles = candleWalk(300, 1);
    const set = new Float64Array(abi.SET_LENGTH);
    const result = new Float64Array(TWIN_RESULT_LENGTH).fill(NaN);
    optimizerTwin(marketTwin(candles, defaultCosts, votesTwin(candles)), set, result);
    expect([...result]).toEqual(new Array(TWIN_RESULT_LENGTH).fill(0));
  });
});
