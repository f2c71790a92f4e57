import { proxy } from 'valtio';
import { onUserReset } from '../../../state/userReset.ts';
import { shockBounds, type ShockSettings } from './shockScenario.ts';

const first = (): ShockSettings => ({ shockPct: shockBounds.standard, isByBeta: false, isGap: false });

/** What the risk card is set to, while other tabs are looked at. */
export const riskState = proxy<ShockSettings>(first());

onUserReset(() => Object.assign(riskState, first()));
