import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';
import { databaseNowMs } from '../../../platform/db/databaseNow.ts';
import type { SystemTx } from '../../../platform/db/scope.ts';
import { notifyUsers } from '../../../platform/events/notify.ts';
import { describeEnd, type EndedContract } from '../../history/describeEnd.ts';
import { queueNotifications } from '../../notifications/queueNotification.ts';
import { stopAlerts } from './watchRepository.ts';

/**
 * Contracts without which a condition can never hold. None for news, which go on after the end of a contract, and for a liquidation: its
 * alert ends with the position.
 */
export function contractsOf(condition: AlertCondition): EndedContract[] {
  if (condition.kind === 'news' || condition.kind === 'liquidation') return [];
  const { symbol } = condition;
  const exchanges = condition.kind === 'spread' ? [condition.buy, condition.sell] : [condition.exchange];
  return exchanges.map((exchange) => ({ exchange, symbol }));
}

const isOutside = (channel: string): boolean => channel !== 'page';

/** Stops alerts whose contract has ended. Each owner gets one notice, whatever the number of alerts; receipts stay. */
export async function stopDelisted(
  tx: SystemTx,
  source: string,
  contract: EndedContract,
  ids: readonly string[],
): Promise<void> {
  const { day, text } = await describeEnd(tx, source, contract, await databaseNowMs(tx));
  const stopped = await stopAlerts(tx, ids, text);
  const owners = [...Map.groupBy(stopped, ({ userId }) => userId)].map(([userId, own]) => ({
    userId,
    count: own.length,
    channels: [...new Set(own.flatMap(({ channels }) => channels))].toSorted(),
  }));
  await notifyUsers(
    tx,
    'alerts',
    owners.map(({ userId, count }) => ({ userId, data: { change: 'ended', count, reason: text } })),
  );
  const messages = owners
    .map((owner) => ({ ...owner, channels: owner.channels.filter(isOutside) }))
    .filter(({ channels }) => channels.length > 0)
    .map(({ userId, ...rest }) => ({ userId, payload: { ...contract, ...rest, reason: text, ended_on: day } }));
  await queueNotifications(tx, 'alert_ended', messages);
}
