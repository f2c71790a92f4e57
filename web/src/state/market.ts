import { useSnapshot } from 'valtio';
import { navigation, setOpened } from './navigation.ts';

/** The symbol of the dashboard's chart; null until one is selected. */
export const useChartSymbol = (): string | null => useSnapshot(navigation).opened.symbol;

export const chooseSymbol = (symbol: string): void => setOpened('symbol', symbol);
