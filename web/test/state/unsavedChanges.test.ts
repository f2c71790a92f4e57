import { describe, expect, it } from 'vitest';
import { tradingForm } from '../../src/features/account/trading/TradingSection.tsx';
import { autoForm } from '../../src/features/positions/auto/useAutoSettings.ts';
import { scannerForm } from '../../src/features/signals/settings/settingsForm.ts';
import { tuningForm } from '../../src/features/tuning/useTuning.ts';
import type { DraftForm } from '../../src/state/draftForm.ts';
import { confirmBeforeLeaving, onLeaveWithUnsaved } from '../../src/state/unsavedChanges.ts';
import { runUserResets } from '../../src/state/userReset.ts';

const page = new EventTarget();
confirmBeforeLeaving(page);

/** Whether the browser would show its leave prompt. */
function isRequested(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true });
  page.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

describe('unsaved changes', () => {
  it('make the browser show its leave prompt while any form has some, on whatever page', () => {
    let [isFirstUnsaved, isSecondUnsaved] = [false, false];
    onLeaveWithUnsaved(() => isFirstUnsaved);
    onLeaveWithUnsaved(() => isSecondUnsaved);
    expect(isRequested()).toBe(false);
    isSecondUnsaved = true;
    expect(isRequested()).toBe(true);
    [isFirstUnsaved, isSecondUnsaved] = [true, false];
    expect(isRequested()).toBe(true);
    isFirstUnsaved = false;
    expect(isRequested()).toBe(false);
  });

  it.each<[string, unknown]>([
    ['account settings', tradingForm],
    ['scanner', scannerForm],
    ['tuning', tuningForm],
    ['automatic trading', autoForm],
  ])('are watched for the form of %s', (_name, each) => {
    const form = each as DraftForm<object>;
    form.takeSaved({ leverage: 10, floor: null, risk_tolerance: 'low' });
    form.edit({ leverage: 20, floor: 0.5, risk_tolerance: 'high' });
    expect(isRequested()).toBe(true);
    form.discard();
    expect(isRequested()).toBe(false);
    runUserResets();
  });
});
