/** What people are told about outside the pages, and what each message carries. Times are ISO, prices in the quote currency. */
export interface NotificationPayloads {
  /** A scan the service ran while its owner was away. */
  scan_finished: {
    scan_id: string;
    result_count: number;
    /** The strongest result; null when there is none. */
    best: { symbol: string; interval: string; direction: string; confidence: number } | null;
  };
  credits_low: {
    /** Credits left to spend. */
    credits: number;
    /** The entry of the ledger that brought them there. */
    ledger_id: string;
  };
  position_opened: {
    position_id: string;
    symbol: string;
    side: 'LONG' | 'SHORT';
    /** In units of the base currency. */
    quantity: number;
    entry_price: number;
    leverage: number;
  };
  position_closed: {
    position_id: string;
    symbol: string;
    side: 'LONG' | 'SHORT';
    entry_price: number;
    exit_price: number;
    /** Word of the platform: `stop_loss`, `take_profit`, `manual`, `liquidation` ... */
    reason: string;
    /** After fees and funding, in USDT. */
    net_pnl_usdt: number;
  };
  /** Goes to the channel it tests, whatever is switched on. */
  test: { test_id: string; channel: 'telegram' | 'webhook' };
}
export type NotificationKind = keyof NotificationPayloads;

/** What people choose among; a test is sent on demand. */
export const chosenKinds = ['scan_finished', 'credits_low', 'position_opened', 'position_closed'] as const;
export type ChosenKind = (typeof chosenKinds)[number];

/** What makes two messages of a kind the same one. */
export const keyOf: { [K in NotificationKind]: (payload: NotificationPayloads[K]) => string } = {
  scan_finished: ({ scan_id }) => scan_id,
  credits_low: ({ ledger_id }) => ledger_id,
  position_opened: ({ position_id }) => position_id,
  position_closed: ({ position_id }) => position_id,
  test: ({ test_id }) => test_id,
};
