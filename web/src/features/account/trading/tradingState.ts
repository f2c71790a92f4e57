import { proxy } from 'valtio';
import { onLeaveWithUnsaved } from '../../../state/unsavedChanges.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { isDirty, type TradingForm } from './tradingForm.ts';

interface TradingState {
  /** What the user has typed and not saved yet. It outlives the page, so that looking elsewhere loses nothing. */
  draft: TradingForm | null;
  saved: TradingForm | null;
}

export const tradingState = proxy<TradingState>({ draft: null, saved: null });

onLeaveWithUnsaved(
  () => tradingState.draft !== null && tradingState.saved !== null && isDirty(tradingState.draft, tradingState.saved),
);
onUserReset(() => {
  tradingState.draft = null;
  tradingState.saved = null;
});
