import { type MetricEntry, metricRegistry, metricText } from '@sextant/engine-as/abi/metrics.ts';
import { summarySlot } from '@sextant/engine-as/abi/records.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BacktestResultWire } from '../../../src/protocol/wire/backtestResult.ts';

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
    const entries: readonly MetricEntry[] = metricRegistry;
    for (const entry of entries) {
      if (entry.field !== null)
        expect(schema.properties[entry.field]?.description, entry.field).toBe(metricText(entry));
    }
  });

  it('leaves no number of the API without a description', () => {
    const bare = Object.entries(schema.properties).filter(([, { description }]) => description === undefined);
    expect(bare.map(([name]) => name)).toEqual(['tradeList']);
  });

  it('keeps the slots of the summary, which are part of the hash of a result', () => {
    const known = { loadedCount: 0, tradeCount: 2, netPnl: 14, sharpe: 26, ruinIndex: 34, pessimisticNetPnl: 37 };
    expect(summarySlot).toMatchObject(known);
    expect(Object.values(summarySlot).sort((a, b) => a - b)).toEqual([...Array(38).keys()]);
  });
});
