import type { WebhookEvent } from '@sextant/workers/src/core/webhooks.ts';
import type { z } from 'zod';
import type { NotificationPayloads } from '../kinds.ts';
import type { Webhook } from './contract.ts';

const id = '00000000-0000-4000-8000-000000000000';
const at = '2026-01-01T12:00:00.000Z';
const position = { position_id: id, symbol: 'BTCUSDT', side: 'LONG', entry_price: 64_000 } as const;

const signal = {
  signal_id: id,
  scan_id: id,
  exchange: 'binance',
  symbol: 'BTCUSDT',
  interval: '1h',
  direction: 'LONG',
  confidence: 0.62,
  confidence_kind: 'score',
  risk_label: 'STANDARD',
  price: 64_000,
  stop_loss: 63_200,
  take_profit: 65_600,
  candle_close_at: at,
} as const satisfies Partial<NotificationPayloads['signal_created']>;

const examples = {
  'signal.created': { ...signal, eligible: true, outcome: 'ELIGIBLE', filtered_by: null },
  'signal.found': { ...signal, confidence: 0.41, eligible: false, outcome: 'LOW_CONF', filtered_by: 'min_confidence' },
  'position.opened': {
    ...position,
    quantity: 0.015,
    leverage: 10,
  } satisfies NotificationPayloads['position_opened'],
  'position.closed': {
    ...position,
    exit_price: 65_600,
    reason: 'take_profit',
    net_pnl_usdt: 23.04,
  } satisfies NotificationPayloads['position_closed'],
  'alert.fired': {
    receipt_id: id,
    alert_id: id,
    condition: 'BTCUSDT crosses 64,000',
    value: '64,012.5',
    note: 'Range high',
    exchange_at: at,
    is_late: false,
    channels: ['page'],
  } satisfies NotificationPayloads['alert_fired'],
  'payment.completed': {
    payment_id: id,
    credits: 100,
    credits_total: 100,
    method: 'usdt',
  } satisfies NotificationPayloads['payment_completed'],
  'credits.low': { credits: 2, ledger_id: id } satisfies NotificationPayloads['credits_low'],
  'plan.expiring': {
    subscription_id: id,
    plan: 'PRO',
    expires_at: at,
  } satisfies NotificationPayloads['plan_expiring'],
} satisfies Record<WebhookEvent, object>;

/** An event with invented values. A test wraps it, so that no receiver mistakes it for a real one. */
export const exampleOf = (event: WebhookEvent): { type: WebhookEvent; data: object } => ({
  type: event,
  data: examples[event],
});

/** The webhook of the sandbox. Its secret is that of the published test vectors. */
const exampleWebhook = {
  id,
  url: 'https://example.com/sextant',
  events: ['signal.created', 'position.closed'],
  active: true,
  secret_hint: '…2s=',
  payload: {},
  created_at: at,
  last_delivery_at: at,
  last_status: 204,
  last_sequence: 1,
  last_test_at: null,
  last_test_succeeded: null,
  failing_since: null,
  off_reason: null,
} satisfies z.input<typeof Webhook>;

export const exampleWebhooks = { webhooks: [exampleWebhook], is_demo: false, practice_receiver: null };
export const exampleCreated = {
  webhook: { ...exampleWebhook, last_delivery_at: null, last_status: null, last_sequence: 0 },
  secret: 'whsec_YW4gZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMgb2s=',
};
