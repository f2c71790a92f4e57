import { describe, expect, it } from 'vitest';
import {
  isBusy,
  failureOf,
  nextPhase,
  type RunEvent,
  type RunPhase,
} from '../../../src/features/backtest/run/phase.ts';

const idle: RunPhase = { name: 'idle' };
const count = { done: 1, total: 4 };
const after = (events: readonly RunEvent[], from: RunPhase = idle): RunPhase => events.reduce(nextPhase, from);
const failed: RunEvent = { kind: 'failed', message: 'no network' };

describe('the phase of the lab', () => {
  it('goes from a setup to its result, and counts what it waits for', () => {
    expect(after([{ kind: 'load' }])).toEqual({ name: 'loading', candles: null, failure: null });
    expect(after([{ kind: 'load' }, { kind: 'candlesCounted', count }])).toEqual({
      name: 'loading',
      candles: count,
      failure: null,
    });
    const run = after([{ kind: 'load' }, { kind: 'candlesCounted', count }, { kind: 'loaded' }]);
    expect(run).toEqual({ name: 'running', progress: null, minutes: null });
    expect(after([{ kind: 'progress', count }], run)).toEqual({ name: 'running', progress: count, minutes: null });
    expect(after([{ kind: 'minutesCounted', count }], run)).toEqual({
      name: 'running',
      progress: null,
      minutes: count,
    });
    expect(after([{ kind: 'done' }], run)).toEqual({ name: 'result' });
    expect(after([failed], run)).toEqual({ name: 'error', message: 'no network' });
  });

  it('stays at loading while the candles on screen run again', () => {
    const loading = after([{ kind: 'load' }, { kind: 'candlesCounted', count }]);
    for (const event of [{ kind: 'run' }, { kind: 'progress', count }, { kind: 'done' }] as const)
      expect(nextPhase(loading, event)).toBe(loading);
    const withFailure = nextPhase(loading, failed);
    expect([withFailure.name, failureOf(withFailure)]).toEqual(['loading', 'no network']);
    expect(nextPhase(withFailure, { kind: 'cancel', hasRun: true })).toEqual({ name: 'error', message: 'no network' });
    expect(nextPhase(withFailure, { kind: 'run' })).toEqual(loading);
    expect(nextPhase(withFailure, { kind: 'loaded' }).name).toBe('running');
  });

  it('drops counts that arrive after their phase', () => {
    for (const phase of [idle, { name: 'result' }, { name: 'error', message: '' }] as const)
      for (const kind of ['candlesCounted', 'progress', 'minutesCounted'] as const)
        expect(nextPhase(phase, { kind, count })).toBe(phase);
  });

  it('returns to the run on screen when cancelled, and to nothing without one', () => {
    for (const busy of [after([{ kind: 'load' }]), after([{ kind: 'run' }])]) {
      expect(isBusy(busy)).toBe(true);
      expect(nextPhase(busy, { kind: 'cancel', hasRun: true })).toEqual({ name: 'result' });
      expect(nextPhase(busy, { kind: 'cancel', hasRun: false })).toEqual(idle);
    }
    const error: RunPhase = { name: 'error', message: 'no network' };
    expect(nextPhase(error, { kind: 'cancel', hasRun: true })).toBe(error);
    expect(nextPhase(error, { kind: 'run' }).name).toBe('running');
  });
});
