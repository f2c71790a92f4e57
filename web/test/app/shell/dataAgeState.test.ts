import { expect, it } from 'vitest';
import { dataAgeState } from '../../../src/app/shell/TopBar.tsx';

const known = { confirmedAtMs: 100_000, isFailing: false, nowMs: 100_000, intervalMs: 5_000 };

it.each([
  ['live up to two intervals', { nowMs: 110_000 }, 'live'],
  ['stale beyond', { nowMs: 110_001 }, 'stale'],
  ['live while the shown prices are young, even when a request failed', { nowMs: 105_000, isFailing: true }, 'live'],
  ['offline when requests fail and the prices are old', { nowMs: 110_001, isFailing: true }, 'offline'],
  ['waiting before the first response', { confirmedAtMs: null }, 'waiting'],
  ['offline when the first response fails', { confirmedAtMs: null, isFailing: true }, 'offline'],
])('%s', (_, change, state) => expect(dataAgeState({ ...known, ...change })).toBe(state));
