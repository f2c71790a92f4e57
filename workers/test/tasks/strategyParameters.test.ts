import { createHash } from 'node:crypto';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { STRATEGY_RULES_LENGTH } from '@sextant/engine-as/abi/records.ts';
import { voteRegistry } from '@sextant/engine-as/abi/registry.ts';
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { parametersOfVote, type VoteParameters } from '@sextant/engine-as/abi/voteParameters.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Engine, instantiate } from '../../src/engine/engine.ts';
import type { StrategyInput } from '../../src/protocol/strategy.ts';
import { neutralTuning, rulesOf, rulesOfStrategy } from '../../src/signals/signalRules.ts';
import { backtestStrategy } from '../../src/tasks/backtestStrategy.ts';
import { strategyRulesOf } from '../../src/tasks/rules.ts';
import { signalHashes } from '../../src/tasks/signalHashes.ts';
import { signals } from '../../src/tasks/signals.ts';
import { unitsOf } from '../../src/tasks/strategy/market.ts';
import { canonicalJson, StrategyWire, strategyVersion } from '../../src/protocol/wire/strategy.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { randomStrategyInput } from '../support/randomStrategies.ts';

let engine: Engine;
beforeAll(async () => {
  const { module } = await testEngine();
  engine = instantiate(module);
}, engineTimeoutMs);

const alone = (): StrategyInput => {
  const input = randomStrategyInput(7, 3);
  const strategy: Strategy = { ...liveRules(['15m']), weights: { rsi: 1 } };
  return { candles: input.candles, costs: input.costs, scoredCount: input.scoredCount, strategy, context: [] };
};

function run(input: StrategyInput, parameters?: VoteParameters) {
  engine.raw.arenaReset();
  const strategy = parameters === undefined ? input.strategy : { ...input.strategy, parameters };
  const result = backtestStrategy(engine, 'e', { ...input, strategy });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** Every parameter of every vote, stated at its default. */
const stated: VoteParameters = Object.fromEntries(
  voteRegistry.filter(({ parameters }) => parameters.length > 0).map((vote) => [vote.id, parametersOfVote(vote)]),
);

describe('a strategy without parameters', () => {
  // The JSON from before strategies had parameters.
  const json =
    '{"atrPeriod":14,"breakEvenR":0,"direction":"both","entryThreshold":0.08,"holdingBarsMax":0,"intervals":[{"interval":"15m","weight":1}],"onOpposite":"hold","sizing":{"isCompounding":false,"mode":"risk","riskFraction":0.01},"stop":{"mode":"atr","multiple":2},"target":{"mode":"atr","multiple":4},"trailing":{"activationFraction":0,"atrMultiple":2,"callbackFraction":0.005,"mode":"off","stepFraction":0.0025},"weights":{"rsi":1}}';
  const { strategy } = { strategy: { ...liveRules(['15m']), weights: { rsi: 1, macd: 0 } } };

  it('keeps its version', () => {
    expect(canonicalJson(strategy)).toBe(json);
    expect(strategyVersion(strategy)).toBe(createHash('sha256').update(json).digest('hex'));
    // One that was saved then still parses, and is the same.
    const parsed = StrategyWire.parse(JSON.parse(json));
    expect(strategyVersion(parsed)).toBe(strategyVersion(strategy));
    expect('parameters' in parsed).toBe(false);
  });

  it('keeps the hash of its parameters', () => {
    const input = alone();
    const { costs, scoredCount } = input;
    // Sections of f64, each led by its length: rules, ATR period, weights in 1/200, intervals, tiers.
    const sections = [
      [...strategyRulesOf(input.strategy, costs, scoredCount).subarray(0, STRATEGY_RULES_LENGTH)],
      [14],
      unitsOf({ rsi: 1 }),
      [intervalMs['15m'], 1],
      [],
    ];
    const bytes = sections.flatMap((section) => [section.length, ...section]);
    const hash = createHash('sha256')
      .update(new Uint8Array(Float64Array.from(bytes).buffer))
      .digest('hex');
    expect(run(input).hashes.params).toBe(hash);
  });

  it('is one whose parameters are all the defaults, and one that retunes a vote without weight', () => {
    const input = alone();
    const { hashes } = run(input);
    for (const parameters of [stated, {}, { rsi: {} }, { macd: { fast: 5 } }]) {
      expect(run(input, parameters).hashes).toEqual(hashes);
      expect(strategyVersion({ ...strategy, parameters })).toBe(strategyVersion(strategy));
    }
  });
});

describe('a strategy with parameters of its votes', () => {
  it('is another version and another result, for every parameter of every vote that weighs something', () => {
    const base = alone();
    const seen = new Set<string>();
    const versions = new Set<string>();
    for (const vote of voteRegistry) {
      const strategy = { ...base.strategy, weights: { [vote.id]: 1 } };
      for (const { name, default: value, isInteger } of vote.parameters) {
        const parameters = { [vote.id]: { [name]: isInteger ? value + 1 : value * 1.1 } };
        versions.add(strategyVersion({ ...strategy, parameters }));
        seen.add(run({ ...base, strategy }, parameters).hashes.params);
      }
    }
    const count = voteRegistry.reduce((sum, { parameters }) => sum + parameters.length, 0);
    expect([seen.size, versions.size]).toEqual([count, count]);
  });

  it('has one version however it is written', () => {
    const value = { ...liveRules(['15m']), weights: { rsi: 1, cci: 1 } };
    const a = { ...value, parameters: { rsi: { period: 21, oversold: 25 }, cci: { breakout: 150 } } };
    const b = { ...value, parameters: { cci: { period: 20, breakout: 150 }, rsi: { oversold: 25, period: 21 } } };
    expect(canonicalJson(a)).toContain('"parameters":{"cci":{"breakout":150},"rsi":{"oversold":25,"period":21}}');
    expect(canonicalJson(b)).toBe(canonicalJson(a));
    expect(strategyVersion(a)).not.toBe(strategyVersion(value));
  });

  it('scores a candle by the rule worked out by hand', () => {
    // RSI of period 2 on closes 10, 11, 10, 12 is 50 at candle 2 and 83.33 at candle 3.
    const time = Float64Array.of(0, 1, 2, 3).map((i) => i * intervalMs['15m']);
    const close = Float64Array.of(10, 11, 10, 12);
    const candles = { time, open: close, high: close, low: close, close, volume: close.map(() => 1) };
    const input = { ...alone(), candles, scoredCount: 4 };
    const exits = { stop: { mode: 'percent', fraction: 0.02 }, target: { mode: 'percent', fraction: 0.04 } } as const;
    input.strategy = { ...input.strategy, ...exits };
    const scores = (own: Record<string, number>) => [...run(input, { rsi: { period: 2, ...own } }).score];
    expect(scores({})).toEqual([Number.NaN, Number.NaN, 0, -1]);
    expect(scores({ oversold: 60, overbought: 90 })).toEqual([Number.NaN, Number.NaN, 1, 0]);
  });

  it('makes the signals of its parameters in a scan, with a separate hash', () => {
    const { candles } = alone();
    const value = { ...liveRules(['15m']), weights: { rsi: 1 }, parameters: { rsi: { period: 3 } } };
    const timeframes = [{ interval: '15m', stepMs: intervalMs['15m'], weight: 1, candles }];
    const rules = rulesOfStrategy({ value, version: strategyVersion(value) });
    const sizing = {
      mode: 'risk' as const,
      balanceUsdt: 1000,
      baseUsdt: 1000,
      freeUsdt: 1000,
      riskFraction: 0.01,
      leverage: 10,
      ownStopFraction: null,
      maintenanceMarginFraction: 0.005,
      takerFeeFraction: 0.0005,
      stopSlippageFraction: 0,
    };
    const scan = (change: Partial<typeof rules>) => {
      engine.raw.arenaReset();
      return signals(engine, 'e', {
        items: [{ symbol: 'X', exchange: 'binance', timeframes }],
        rules: { ...rules, ...change },
        sizing,
      });
    };
    const lab = run({ ...alone(), strategy: value });
    const outcome = scan({});
    if (!outcome.ok || !outcome.value.rows[0]?.signal.ok) throw new Error('no signal');
    expect(outcome.value.rows[0].signal.value.ensemble.score).toBe(lab.score.at(-1));
    const bad = scan({ parameters: { rsi: { period: 900 } } });
    expect(bad).toMatchObject({ ok: false, error: { code: 'bad_input', field: 'rules.parameters.rsi.period' } });

    const plain = { ...rulesOf(neutralTuning), weights: { rsi: 1 } };
    const paramsOf = (parameters?: VoteParameters) => signalHashes({ timeframes }, { ...plain, parameters }).params;
    expect(paramsOf(stated)).toBe(paramsOf());
    expect(paramsOf({ rsi: { period: 3 } })).not.toBe(paramsOf());
  });

  it.each([
    [{ rsi: { period: 0 } }, ['parameters', 'rsi', 'period']],
    [{ rsi: { period: 14.5 } }, ['parameters', 'rsi', 'period']],
    [{ rsi: { period: '14' } }, ['parameters', 'rsi', 'period']],
    [{ rsi: { oversold: 80 } }, ['parameters', 'rsi', 'oversold']],
    [{ ema_cross: { slow: 10 } }, ['parameters', 'ema_cross', 'fast']],
    [{ rsi: { length: 14 } }, ['parameters', 'rsi']],
    [{ pivot: {} }, ['parameters']],
  ])('is rejected on the wire by the field: %o', (parameters, path) => {
    const parsed = StrategyWire.safeParse({ ...alone().strategy, parameters });
    expect(parsed.error?.issues.map((issue) => issue.path)).toEqual([path]);
  });
});
