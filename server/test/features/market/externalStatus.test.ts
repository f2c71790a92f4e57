import { describe, expect, it } from 'vitest';
import { externalStatus } from '../../../src/features/market/externalStatus.ts';
import type { VenueState } from '../../../src/features/market/port.ts';

const of = (binance: VenueState, bybit: VenueState, okx: VenueState) =>
  externalStatus({ binance: { state: () => binance }, bybit: { state: () => bybit }, okx: { state: () => okx } });

describe('externalStatus', () => {
  it('is unknown before the first request', () => expect(of('unknown', 'unknown', 'unknown')).toBe('unknown'));
  it('is ok when every queried exchange works', () => expect(of('ok', 'unknown', 'ok')).toBe('ok'));
  it('is degraded when some do not', () => expect(of('ok', 'banned', 'unknown')).toBe('degraded'));
  it('is down when none does', () => expect(of('broken', 'banned', 'unknown')).toBe('down'));
});
