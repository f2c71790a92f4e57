import { tunedWeights } from '@sextant/engine-as/abi/strategy.ts';
import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import { expect, it } from 'vitest';
import {
  resetVoteParameters,
  resetVoteWeights,
  setVoteParameter,
  setVoteWeight,
} from '../../../../src/features/backtest/live/VoteWeights.tsx';
import { settingsOf, startLive, strategyOf } from '../../../../src/features/backtest/live/liveSettings.ts';

const tuning = { adx: 1.5 };
const start = tunedWeights(tuning);
const vote = (id: string) => voteRegistry.find((each) => each.id === id) ?? expect.fail(id);
const rulesWith = (live: ReturnType<typeof startLive>) => strategyOf(live, '1h', { context: ['4h'], tuning });

it('a vote of Live rules gets a weight of either sign; the others keep the tuning, and the way back leaves no change', () => {
  const live = startLive();
  setVoteWeight(live, 'rsi', -1.25, start);
  // RSI weighs 1.5 untuned, ADX 1 x 1.5.
  expect(rulesWith(live).weights).toMatchObject({ rsi: -1.25, adx: 1.5 });
  expect(rulesWith(live).intervals).toEqual(rulesWith(startLive()).intervals);
  setVoteWeight(live, 'rsi', 1.5, start);
  expect(live).toEqual(startLive());
  setVoteWeight(live, 'adx', 0, start);
  resetVoteWeights(live);
  expect(live).toEqual(startLive());
});

it('the weights of a saved strategy go back to those it was opened with', () => {
  const saved = { ...rulesWith(startLive()), weights: { rsi: -1, boll: 0.5 } };
  const live = settingsOf('Mine', saved);
  setVoteWeight(live, 'rsi', 2, saved.weights);
  setVoteWeight(live, 'mfi', -0.5, saved.weights);
  expect(rulesWith(live).weights).toEqual({ rsi: 2, boll: 0.5, mfi: -0.5 });
  resetVoteWeights(live);
  expect(rulesWith(live)).toEqual(saved);
});

it('a vote of Live rules gets custom parameters; the default is no value, and the way back leaves no change', () => {
  const live = startLive();
  setVoteParameter(live, { vote: vote('rsi'), name: 'period', value: 21 }, start);
  setVoteParameter(live, { vote: vote('rsi'), name: 'oversold', value: 25 }, start);
  expect(rulesWith(live)).toMatchObject({ parameters: { rsi: { period: 21, oversold: 25 } }, weights: { adx: 1.5 } });
  setVoteParameter(live, { vote: vote('rsi'), name: 'oversold', value: 30 }, start);
  expect(rulesWith(live).parameters).toEqual({ rsi: { period: 21 } });
  // The weights go back, the parameters stay.
  setVoteWeight(live, 'rsi', -1, start);
  resetVoteWeights(live);
  expect(rulesWith(live).parameters).toEqual({ rsi: { period: 21 } });
  setVoteParameter(live, { vote: vote('rsi'), name: 'period', value: 14 }, start);
  expect(live).toEqual(startLive());
  setVoteParameter(live, { vote: vote('macd'), name: 'fast', value: 5 }, start);
  resetVoteParameters(live, 'macd');
  expect(live).toEqual(startLive());
  expect('parameters' in rulesWith(live)).toBe(false);
});

it('the parameters of a saved strategy are those it was opened with, and their defaults are another strategy', () => {
  const saved = { ...rulesWith(startLive()), parameters: { cci: { breakout: 150 }, obv: { mean: 50 } } };
  const live = settingsOf('Mine', saved);
  expect(rulesWith(live)).toEqual(saved);
  resetVoteParameters(live, 'cci');
  expect(rulesWith(live).parameters).toEqual({ obv: { mean: 50 } });
  expect(saved.parameters.cci).toEqual({ breakout: 150 });
  resetVoteParameters(live, 'obv');
  expect(live.own).not.toBeNull();
});
