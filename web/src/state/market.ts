import { proxy } from 'valtio';
import { onUserReset } from './userReset.ts';

/** The symbol the dashboard's chart shows; null until one is chosen. */
export const marketState = proxy<{ chartSymbol: string | null }>({ chartSymbol: null });

export function chooseSymbol(symbol: string): void {
  marketState.chartSymbol = symbol;
}

onUserReset(() => {
  marketState.chartSymbol = null;
});
