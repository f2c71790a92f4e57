import type { Statistic } from '@sextant/engine-as/abi/metrics.ts';

/**
 * Fields of results that the API sends as they are, each declared once in a table of kinds: its type follows here, its schema in
 * wire/fieldSchemas.ts. The package of the engine exports these types without zod.
 */
export type FieldKind = keyof Values;
interface Values {
  text: string;
  /** A whole number from 0. */
  count: number;
  number: number;
  'number or null': number | null;
  flag: boolean;
  side: (typeof sides)[number];
  'close reason': (typeof closeReasons)[number];
  statistic: Statistic;
}
export type FieldsOf<Table extends Readonly<Record<string, FieldKind>>> = {
  -readonly [Field in keyof Table]: Values[Table[Field]];
};

export const sides = ['LONG', 'SHORT'] as const;
/** Target, stop (trailed or not), liquidation, forced close at the last candle, longest holding time, opposite signal, own rules. */
export const closeReasons = ['TP', 'SL', 'LIQ', 'END', 'TIME', 'SIGNAL', 'RULE'] as const;

export const tradeFields = {
  side: 'side',
  /** Index into the loaded candles of the bar whose open filled the entry. */
  entryIndex: 'count',
  exitIndex: 'count',
  /** Epoch ms: open of the entry bar, and open of the bar (the finer one, if given) in which the exit happened. */
  entryTimeMs: 'number',
  exitTimeMs: 'number',
  entryPrice: 'number',
  exitPrice: 'number',
  /** Base units. */
  quantity: 'number',
  closeReason: 'close reason',
  /** USDT: price difference x side x quantity, before fees and funding (slippage is in the prices). */
  grossPnl: 'number',
  fees: 'number',
  funding: 'number',
  /** USDT the fills lost against the undisturbed prices; already inside grossPnl. */
  slippage: 'number',
  /** grossPnl - fees - funding. */
  netPnl: 'number',
  /** netPnl over the isolated margin. */
  returnOnMargin: 'number',
  /** Both a loss level and the target were inside one bar: the order is unknown and `costs.sameBar` decided. */
  isAmbiguous: 'flag',
  /** Largest loss and gain the open position saw, fraction of entry price, >= 0. */
  adverseExcursionFraction: 'number',
  favourableExcursionFraction: 'number',
  /** Levels active at the exit; `liquidationPrice` is null without borrowed money. */
  stopLossPrice: 'number',
  takeProfitPrice: 'number',
  liquidationPrice: 'number or null',
  /** Isolated margin, USDT. */
  margin: 'number',
} as const satisfies Record<string, FieldKind>;

/** Why signals were not filled. */
export const droppedFields = {
  /** The next candle had no volume. */
  noVolume: 'count',
  /** Below the minimum notional after rounding the quantity down. */
  tooSmall: 'count',
  /** The equity left does not cover margin and entry fee of the smallest order. */
  marginShort: 'count',
} as const satisfies Record<string, FieldKind>;

/** SHA-256, lower-case hex. Two equal sets mean the same bits went in and came out. */
export const hashFields = {
  engine: 'text',
  data: 'text',
  params: 'text',
  result: 'text',
} as const satisfies Record<string, FieldKind>;
