import { conditionText, valueText } from '@sextant/workers/src/alerts/describe.ts';
import type { SystemTx } from '../../../platform/db/scope.ts';
import { notifyUsers } from '../../../platform/events/notify.ts';
import { queueNotifications, queueWhereWebhook } from '../../notifications/queueNotification.ts';
import type { Fired } from './watchRepository.ts';

/** Notifies open pages and queues the messages of the other channels, in the transaction of the firings. */
export async function announceFired(tx: SystemTx, all: readonly Fired[]): Promise<void> {
  const isOutside = ({ channels }: Fired): boolean => channels.some((channel) => channel !== 'page');
  await queueNotifications(tx, 'alert_fired', all.filter(isOutside).map(messageOf));
  const inPage = all.filter((fired) => !isOutside(fired));
  await queueWhereWebhook(tx, 'alert_fired', inPage.map(messageOf));
  const notices = all.map(({ userId, alertId: alert, receiptId: receipt, channels }) => ({
    userId,
    data: { change: 'fired', alert, receipt, page: channels.includes('page') },
  }));
  // Last: over a bus, notices are sent at the commit even where a savepoint before it was rolled back.
  await notifyUsers(tx, 'alerts', notices);
}

const messageOf = ({ userId, condition, value, ...fired }: Fired) => ({
  userId,
  payload: {
    receipt_id: fired.receiptId,
    alert_id: fired.alertId,
    condition: conditionText(condition),
    value: valueText(condition, value),
    note: fired.note,
    exchange_at: fired.exchangeAt.toISOString(),
    is_late: fired.isLate,
    channels: fired.channels,
  },
});
