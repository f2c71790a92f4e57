import { metricRegistry, metricText } from '@sextant/engine-as/abi/metrics.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BacktestResultWire } from '../../src/wire/backtestResult.ts';

const schema = z.toJSONSchema(BacktestResultWire, { io: 'output' }) as {
  properties: Record<string, { description?: string; type?: string }>;
};

describe('the registry of figures', () => {
  it('names each figure once, and only fields that a result has', () => {
    const ids = metricRegistry.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const fields = metricRegistry.flatMap(({ field }) => (field === null ? [] : [field]));
    expect(new Set(fields).size).toBe(fields.length);
    for (const field of fields) expect(Object.keys(schema.properties)).toContain(field);
  });

  it("is what the API's schema says of each field", () => {
    for (const { field } of metricRegistry) {
      if (field !== null) expect(schema.properties[field]?.description, field).toBe(metricText(field));
    }
  });

  it('leaves no number of the API without a description, but for plain counts', () => {
    const plain = ['loadedCount', 'scoredCount', 'longCount', 'shortCount', 'stopBeyondLiquidationCount'];
    const bare = Object.entries(schema.properties).filter(([, { description }]) => description === undefined);
    const expected = [...plain, 'isFundingKnown', 'tradeList'];
    expect(bare.map(([name]) => name).sort()).toEqual(expected.sort());
  });

  it('refuses a field that it does not know', () => {
    expect(() => metricText('alpha')).toThrow('no metric for alpha');
  });
});
