import { describe, expect, it } from 'vitest';
import * as kinds from '../../abi/indicatorKinds.ts';
import {
  indicatorEntry,
  indicatorIds,
  kernelParameters,
  registry,
  resolveParameters,
  voteRegistry,
  warmupOf,
} from '../../abi/registry.ts';
import { VOTE_COUNT } from '../../abi/votes.ts';
import { voteIds } from '../../abi/voteExports.ts';
import { defaultWeights } from '@sextant/workers/src/protocol/wire/defaults.ts';

describe('the registry', () => {
  it('names every kind of the engine exactly once beside its aliases', () => {
    const all = Object.entries(kinds).filter(([name]) => name.startsWith('KIND_'));
    const own = registry.filter((entry) => entry.alias === undefined).map((entry) => entry.kind);
    expect([...own].sort((a, b) => a - b)).toEqual(all.map(([, kind]) => kind).sort((a, b) => a - b));
    expect(new Set(indicatorIds).size).toBe(indicatorIds.length);
  });

  it('calls a single output by the id of its entry', () => {
    for (const { id, outputs } of registry.filter((entry) => entry.outputs.length === 1)) {
      expect(outputs[0]!.name).toBe(id);
    }
  });

  it('gives the outputs that clients rely on', () => {
    const names = (id: string) => indicatorEntry(id)!.outputs.map((output) => output.name);
    expect(names('macd')).toEqual(['macd', 'signal', 'histogram']);
    expect(names('boll')).toEqual(['upper', 'middle', 'lower']);
    expect(names('adx')).toEqual(['adx', 'plusDi', 'minusDi']);
    expect(names('supertrend')).toEqual(['line', 'direction']);
    expect(names('donchian')).toEqual(['upper', 'lower']);
    expect(names('ichimoku')).toEqual(['tenkan', 'kijun', 'senkouA', 'senkouB']);
    expect(names('stochrsi')).toEqual(['k', 'd']);
    expect(names('ema200')).toEqual(['ema200']);
  });

  it('has defaults within its own bounds', () => {
    for (const entry of registry) expect(resolveParameters(entry).ok, entry.id).toBe(true);
  });

  it('says something in every text', () => {
    for (const { definition, formula, neutral, example, source } of registry) {
      for (const text of [definition, formula, neutral, example, source]) expect(text.length).toBeGreaterThan(10);
    }
  });

  it.each([
    ['rsi', 14],
    ['macd', 33],
    ['boll', 19],
    ['atr', 14],
    ['adx', 27],
    ['obv', 0],
    ['donchian', 20],
    ['ichimoku', 76],
    ['stochrsi', 31],
    ['ema200', 199],
    ['sma50', 49],
  ])('%s is complete from candle %i on', (id, warmup) => {
    const entry = indicatorEntry(id)!;
    const resolved = resolveParameters(entry);
    expect(resolved.ok && warmupOf(entry, resolved.params)).toBe(warmup);
  });

  it('lets an alias fix its period and nothing else', () => {
    const entry = indicatorEntry('ema50')!;
    const resolved = resolveParameters(entry);
    expect(resolved.ok && kernelParameters(entry, resolved.params)).toEqual([50]);
    expect(resolveParameters(entry, { period: 20 })).toMatchObject({ ok: false, name: 'period' });
  });

  it.each([
    ['rsi', { period: 0 }, 'period', 'from 1 to 1000'],
    ['rsi', { period: 2.5 }, 'period', 'whole number'],
    ['rsi', { period: Number.NaN }, 'period', 'whole number'],
    ['rsi', { length: 14 }, 'length', 'it takes period'],
    ['obv', { period: 3 }, 'period', 'it takes none'],
    ['boll', { width: 0 }, 'width', 'from 0.01 to 100'],
    ['macd', { fast: 30 }, 'fast', 'shorter than `slow`'],
  ])('%s rejects %o and names the parameter', (id, params, name, text) => {
    const rejected = resolveParameters(indicatorEntry(id)!, params);
    expect(rejected).toMatchObject({ ok: false, name });
    expect(rejected.ok ? '' : rejected.message).toContain(text);
  });
});

describe('the vote registry', () => {
  it('has one rule per vote, in the order of the engine', () => {
    expect(voteRegistry.map((vote) => vote.id)).toEqual([...voteIds]);
    expect(voteIds).toHaveLength(VOTE_COUNT);
  });

  it('starts with the backtest weights in their wire order', () => {
    const wire = Object.keys(defaultWeights);
    expect(voteIds.slice(0, wire.length)).toEqual(wire);
  });

  it('reads only indicators that exist', () => {
    for (const { indicators } of voteRegistry) for (const id of indicators) expect(indicatorIds).toContain(id);
  });
});
