import { tunedWeights } from '@sextant/engine-as/abi/strategy.ts';
import { expect, it } from 'vitest';
import { resetVoteWeights, setVoteWeight } from '../../../../src/features/backtest/live/VoteWeights.tsx';
import { settingsOf, startLive, strategyOf } from '../../../../src/features/backtest/live/liveSettings.ts';

const tuning = { adx: 1.5 };
const start = tunedWeights(tuning);
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
