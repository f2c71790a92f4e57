import type { BookPosition } from '../../src/positions/bookTypes.ts';
import type { ShockItem } from '../../src/protocol/positions.ts';

/** 10 coins at 100 with 10x, taker fees of 0.05 %; liquidated at 900 / 9.95 (Binance, 0.5 % maintenance). */
export const longOf10 = (change: Partial<BookPosition> = {}): BookPosition => ({
  id: 'a',
  side: 'LONG',
  entryTimeMs: 0,
  entryPrice: 100,
  quantity: 10,
  leverage: 10,
  bestPrice: 100,
  stopPrice: 98,
  targetPrice: 104,
  liquidationPrice: 900 / 9.95,
  isArmed: true,
  tickSize: 0,
  takerFeeFraction: 0.0005,
  trailing: { mode: 'off' },
  atr: null,
  ...change,
});

/** The same the other way; liquidated at 1100 / 10.05. */
export const shortOf10 = (change: Partial<BookPosition> = {}): BookPosition =>
  longOf10({ side: 'SHORT', stopPrice: 102, targetPrice: 96, liquidationPrice: 1100 / 10.05, ...change });

export const shockItem = (change: Partial<ShockItem> = {}): ShockItem => ({
  position: longOf10(),
  markPrice: 101,
  moveFraction: -0.03,
  range: null,
  ...change,
});
