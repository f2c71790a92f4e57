import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';

/** An alert typed as words. */
export interface TypedAlert {
  symbol: string;
  level: number;
}

const pattern = /^\s*alert\s+(?<name>[a-z0-9]{1,20})\s+(?<level>\d{1,12}([.,]\d{1,12})?)(?<thousand>k?)\s*$/i;

/** Reads `alert BTC 70000` and `alert eth 3.5k`: a crossing of the price. @param symbols that are traded */
export function parseAlert(typed: string, symbols: readonly string[]): TypedAlert[] {
  const { name = '', level = '', thousand = '' } = pattern.exec(typed)?.groups ?? {};
  const wanted = name.toUpperCase();
  const symbol = symbols.find((each) => each === wanted) ?? symbols.find((each) => each === `${wanted}USDT`);
  const value = Number(level.replace(',', '.')) * (thousand === '' ? 1 : 1000);
  return symbol === undefined || !(value > 0) ? [] : [{ symbol, level: value }];
}

export const conditionOf = ({ symbol, level }: TypedAlert): Partial<AlertCondition> => ({
  kind: 'price',
  exchange: 'binance',
  symbol,
  when: 'cross',
  level,
});

export const alertLine = ({ symbol, level }: TypedAlert): string =>
  `Alert when ${symbol} crosses ${level.toLocaleString('en-US', { maximumFractionDigits: 12 })}`;
