import { compileRules } from '@sextant/workers/src/rules/compileRules.ts';
import { ruleFunctions, ruleSeries } from '@sextant/workers/src/rules/vocabulary.ts';
import { registry } from '@sextant/engine-as/abi/registry.ts';
import { describe, expect, it } from 'vitest';
import { suggestAt } from '../../../../src/features/backtest/own/editor/complete.ts';
import { docOf } from '../../../../src/features/backtest/own/editor/wordDocs.ts';

/** Labels at the bar in the text. */
function labels(marked: string): string[] {
  const at = marked.indexOf('|');
  return suggestAt(marked.replace('|', ''), at).list.map(({ label }) => label);
}

describe('completion', () => {
  it('RULE-032 offers statements where one starts, and values elsewhere', () => {
    expect(labels('|')).toContain('long');
    expect(labels('|')).not.toContain('close');
    expect(labels('long when |')).toEqual(expect.arrayContaining(['close', 'crossover', 'rsi', '4h', 'and']));
    expect(labels('long when |')).not.toContain('stop');
  });

  it('RULE-032 offers outputs behind a dot, parameters in a call, and names of the lines above', () => {
    expect(labels('long when macd(12, 26, 9).|')).toEqual(['macd', 'signal', 'histogram']);
    expect(labels('long when supertrend.|').length).toBeGreaterThan(1);
    expect(labels('long when macd(|')).toContain('fast =');
    expect(labels('length = 14 [5..50 step 1]\nlong when rsi(l|')).toContain('length');
    expect(labels('target 3|')).toEqual([]);
    expect(labels('long when close > 1 # clo|')).toEqual([]);
  });

  it('RULE-032 writes indicators that compile as they are inserted', () => {
    for (const { insert, kind, label } of suggestAt('long when ', 10).list) {
      if (kind !== 'indicator' && kind !== 'series') continue;
      const compiled = compileRules(`long when ${insert} > 0`, { interval: '1h' });
      expect(compiled.ok, label).toBe(true);
    }
  });

  it('RULE-032 every word has its documentation: parameters with bounds, and an example', () => {
    for (const { name } of [...ruleSeries, ...ruleFunctions]) expect(docOf(name)?.lines.join(' '), name).toMatch(/\w/);
    for (const { id, definition, example, parameters } of registry) {
      const doc = docOf(id);
      expect(doc?.lines, id).toEqual(expect.arrayContaining([definition, `Example: ${example}`]));
      for (const { name, min, max } of parameters)
        expect(
          doc?.lines.some((line) => line.startsWith(`${name}: `) && line.includes(`${min} to ${max}`)),
          id,
        ).toBe(true);
      expect(doc?.form).toContain(id);
    }
  });
});
