import type { WebhookEvent } from '@sextant/workers/src/core/webhooks.ts';

interface SignalPayload {
  signal_id: string;
  scan_id: string;
  exchange: string;
  symbol: string;
  interval: string;
  direction: 'LONG' | 'SHORT';
  /** 0 to 1; `confidence_kind` says whether it is a measured chance or a score. */
  confidence: number;
  confidence_kind: string;
  risk_label: string;
  price: number;
  stop_loss: number | null;
  take_profit: number | null;
  candle_close_at: string;
  /** Whether it may be opened, by the scan's rules; the AI check comes later. */
  eligible: boolean;
  /** `ELIGIBLE` may be opened; the others give the reason and the rule behind it. */
  outcome: string;
  filtered_by: string | null;
}

/** Notifications outside the pages, with their payloads. Times are ISO, prices in the quote currency. */
export interface NotificationPayloads {
  /** A scan that the service ran while its owner was away. */
  scan_finished: {
    scan_id: string;
    result_count: number;
    /** The strongest result; null when there is none. */
    best: { symbol: string; interval: string; direction: string; confidence: number } | null;
  };
  credits_low: {
    /** Available credits. */
    credits: number;
    /** The ledger entry that caused it. */
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
    /** Close reason of the platform: `stop_loss`, `take_profit`, `manual`, `liquidation` ... */
    reason: string;
    /** After fees and funding, in USDT. */
    net_pnl_usdt: number;
  };
  /** The net spread of a watched pair rose above its level. */
  arbitrage_spread: {
    watch_id: string;
    /** Number of the crossing of this watch. */
    crossing: number;
    symbol: string;
    buy: string;
    sell: string;
    /** Best prices, per coin. */
    buy_price: number;
    sell_price: number;
    /** After fees and funding at the best prices, percent. */
    net_pct: number;
    level_pct: number;
  };
  /** An alert of the owner fired. It names its channels itself, so it is no kind that targets select. */
  alert_fired: {
    receipt_id: string;
    alert_id: string;
    /** `BTCUSDT crosses 70,000`. */
    condition: string;
    /** Value that fired it, with its unit; null where there is none. */
    value: string | null;
    note: string | null;
    exchange_at: string;
    /** Detected afterwards, from the candles of a downtime. */
    is_late: boolean;
    channels: string[];
  };
  /** Alerts of the owner ended with the contract of their symbol. It goes to the channels of those alerts. */
  alert_ended: {
    exchange: string;
    symbol: string;
    /** UTC day of the end, `2026-03-04`. */
    ended_on: string;
    /** Alerts that ended. */
    count: number;
    /** `SOLUSDT was delisted on binance on 2026-03-04.` */
    reason: string;
    channels: string[];
  };
  /** A scan of the owner found a signal that may be opened. For webhooks of the API only, like the next three. */
  signal_created: SignalPayload;
  /** Every signal with a direction, whether or not it may be opened. */
  signal_found: SignalPayload;
  payment_completed: {
    payment_id: string;
    /** Credits of this transfer, and of the whole payment. */
    credits: number;
    credits_total: number;
    method: string;
  };
  plan_expiring: { subscription_id: string; plan: string; expires_at: string };
  /** Sent to the channel under test, whatever is switched on. `example` shows the requested event. */
  test: {
    test_id: string;
    channel: 'telegram' | 'webhook' | 'endpoint';
    example?: { type: WebhookEvent; data: object };
  };
}
export type NotificationKind = keyof NotificationPayloads;

/** Kinds that users can select; a test is sent on demand. */
export const chosenKinds = [
  'scan_finished',
  'credits_low',
  'position_opened',
  'position_closed',
  'arbitrage_spread',
] as const;
export type ChosenKind = (typeof chosenKinds)[number];

/** Kinds sent only to webhooks of the API. */
export type WebhookOnlyKind = 'signal_created' | 'signal_found' | 'payment_completed' | 'plan_expiring';

/** Name of a kind in machine-readable messages: `position_opened` is `position.opened`. */
export const eventOf = (kind: NotificationKind): string => kind.replace('_', '.');

/** Key that identifies equal messages of a kind. */
export const keyOf: { [K in NotificationKind]: (payload: NotificationPayloads[K]) => string } = {
  scan_finished: ({ scan_id }) => scan_id,
  credits_low: ({ ledger_id }) => ledger_id,
  position_opened: ({ position_id }) => position_id,
  position_closed: ({ position_id }) => position_id,
  arbitrage_spread: ({ watch_id, crossing }) => `${watch_id} ${crossing}`,
  alert_fired: ({ receipt_id }) => receipt_id,
  alert_ended: ({ exchange, symbol, ended_on }) => `${exchange} ${symbol} ${ended_on}`,
  signal_created: ({ signal_id }) => signal_id,
  signal_found: ({ signal_id }) => signal_id,
  payment_completed: ({ payment_id, credits_total }) => `${payment_id} ${credits_total}`,
  plan_expiring: ({ subscription_id }) => subscription_id,
  test: ({ test_id }) => test_id,
};
