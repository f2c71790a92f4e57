import { proxy } from 'valtio';
import { onUserReset } from '../../../state/userReset.ts';
import type { TradingForm } from './tradingForm.ts';

interface TradingState {
  /** What the user has typed and not saved yet. It outlives the page, so that looking elsewhere loses nothing. */
  draft: TradingForm | null;
  saved: TradingForm | null;
}

export const tradingState = proxy<TradingState>({ draft: null, saved: null });

onUserReset(() => {
  tradingState.draft = null;
  tradingState.saved = null;
});
