import { describe, expect, it } from 'vitest';
import { askBeforeLeaving, onLeaveWithUnsaved } from '../../src/state/unsavedChanges.ts';

const page = new EventTarget();
askBeforeLeaving(page);

/** Whether the browser would ask before it leaves. */
function isAsked(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true });
  page.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

describe('unsaved changes', () => {
  it('make the browser ask before it leaves while any form has some, on whatever page', () => {
    let [isFirstUnsaved, isSecondUnsaved] = [false, false];
    onLeaveWithUnsaved(() => isFirstUnsaved);
    onLeaveWithUnsaved(() => isSecondUnsaved);
    expect(isAsked()).toBe(false);
    isSecondUnsaved = true;
    expect(isAsked()).toBe(true);
    [isFirstUnsaved, isSecondUnsaved] = [true, false];
    expect(isAsked()).toBe(true);
    isFirstUnsaved = false;
    expect(isAsked()).toBe(false);
  });

  it.each([
    'account/trading/tradingState.ts',
    'signals/scannerState.ts',
    'tuning/tuningState.ts',
    'positions/auto/useAutoSettings.ts',
  ])('are watched for the form of %s', async (path) => {
    const module = (await import(/* @vite-ignore */ `../../src/features/${path}`)) as Record<
      string,
      { draft: unknown; saved?: unknown }
    >;
    const state = Object.values(module).find((each) => typeof each === 'object' && 'draft' in each);
    if (state === undefined) throw new Error('no state');
    const form = { leverage: 10, floor: null, weights: {} };
    if ('saved' in state) state.saved = form;
    state.draft = { ...form, leverage: 20, floor: 0.5, risk_tolerance: 'high' };
    expect(isAsked()).toBe(true);
    state.draft = 'saved' in state ? null : {};
    expect(isAsked()).toBe(false);
  });
});
