import { describe, expect, it } from 'vitest';
import { pollMsOf } from '../../../src/data/positions.ts';
import { autoForm } from '../../../src/features/positions/auto/useAutoSettings.ts';
import type { Preferences } from '../../../src/api/types.ts';
import { portfolioState } from '../../../src/features/positions/OpenPositionsView.tsx';
import { riskState } from '../../../src/features/positions/risk/RiskCard.tsx';
import { runUserResets } from '../../../src/state/userReset.ts';

describe('prices of open positions', () => {
  it.each([
    [0, 15_000],
    [1, 15_000],
    [40, 15_000],
    [41, 30_000],
    [200, 30_000],
  ])('POS-014 CONST-012 of %d symbols are requested every %d ms', (symbols, ms) => expect(pollMsOf(symbols)).toBe(ms));
});

describe('another user', () => {
  it('POS-022 finds none of the choices, drafts or selections of the previous user', () => {
    runUserResets();
    const stateNow = () => JSON.stringify([portfolioState, riskState, autoForm.read()]);
    const fresh = stateNow();
    Object.assign(portfolioState, { chip: 'short' });
    Object.assign(riskState, { shockPct: 20, isByBeta: true, isGap: true });
    autoForm.takeSaved({ trail_callback_pct: 2 } as Preferences);
    autoForm.edit({ trail_callback_pct: 3 });
    runUserResets();
    expect(stateNow()).toBe(fresh);
  });
});
