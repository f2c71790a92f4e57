import { proxy } from 'valtio';
import { onUserReset } from './userReset.ts';

/** The symbol of the dashboard's chart; null until one is selected. */
export const marketState = proxy<{ chartSymbol: string | null }>({ chartSymbol: null });

export function chooseSymbol(symbol: string): void {
  marketState.chartSymbol = symbol;
}

onUserReset(() => {
  marketState.chartSymbol = null;
});
