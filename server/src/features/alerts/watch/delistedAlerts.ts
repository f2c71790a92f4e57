import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';
import { databaseNowMs } from '../../../platform/db/databaseNow.ts';
import type { SystemTx } from '../../../platform/db/scope.ts';
import { notifyUsers } from '../../../platform/events/notify.ts';
import { describeEnd, type EndedContract } from '../../history/describeEnd.ts';
import type { createEndedFinder } from '../../market/endedContracts.ts';
import { queueNotifications } from '../../notifications/queueNotification.ts';
import { stopAlerts } from './watchRepository.ts';

/**
 * Contracts without which a condition can never hold. None for news, which go on after the end of a contract, and for a liquidation: its
 * alert ends with the position.
 */
function contractsOf(condition: AlertCondition): EndedContract[] {
  if (condition.kind === 'news' || condition.kind === 'liquidation') return [];
  const { symbol } = condition;
  const exchanges = condition.kind === 'spread' ? [condition.buy, condition.sell] : [condition.exchange];
  return exchanges.map((exchange) => ({ exchange, symbol }));
}

/** An alert as it was read: a decision about it holds for that version only. */
export interface AlertVersion {
  id: string;
  version: number;
}

/** A value that is compared, with the alerts on it. */
export interface ComparedValue {
  condition: AlertCondition;
  alerts: Iterable<AlertVersion>;
}

export type EndedFinder = ReturnType<typeof createEndedFinder>;

/** Contracts of these values that have ended, with the alerts that need them. */
export async function findDelisted(
  values: readonly ComparedValue[],
  findEnded: EndedFinder,
): Promise<{ contract: EndedContract; alerts: AlertVersion[] }[]> {
  const byContract = new Map<string, { contract: EndedContract; alerts: AlertVersion[] }>();
  for (const { condition, alerts } of values)
    for (const contract of contractsOf(condition)) {
      const place = `${contract.exchange} ${contract.symbol}`;
      const known = byContract.get(place) ?? { contract, alerts: [] };
      for (const alert of alerts) known.alerts.push(alert);
      byContract.set(place, known);
    }
  const all = [...byContract.values()];
  const delisted: typeof all = [];
  for (const [exchange, own] of Map.groupBy(all, ({ contract }) => contract.exchange)) {
    const symbols = own.map(({ contract }) => contract.symbol);
    const ended = new Set(await findEnded(exchange, symbols));
    delisted.push(...own.filter(({ contract }) => ended.has(contract.symbol)));
  }
  return delisted;
}

const isOutside = (channel: string): boolean => channel !== 'page';

/** Stops alerts whose contract has ended. Each owner gets one notice, whatever the number of alerts; receipts stay. */
export async function stopDelisted(
  tx: SystemTx,
  source: string,
  contract: EndedContract,
  alerts: readonly AlertVersion[],
): Promise<void> {
  const { day, text } = await describeEnd(tx, source, contract, await databaseNowMs(tx));
  const stopped = await stopAlerts(tx, alerts, text);
  const owners = [...Map.groupBy(stopped, ({ userId }) => userId)].map(([userId, own]) => ({
    userId,
    count: own.length,
    channels: [...new Set(own.flatMap(({ channels }) => channels))].toSorted(),
  }));
  await notifyUsers(
    tx,
    'alerts',
    owners.map(({ userId, count, channels }) => ({
      userId,
      data: { change: 'ended', count, reason: text, page: channels.includes('page') },
    })),
  );
  const messages = owners
    .map((owner) => ({ ...owner, channels: owner.channels.filter(isOutside) }))
    .filter(({ channels }) => channels.length > 0)
    .map(({ userId, ...rest }) => ({ userId, payload: { ...contract, ...rest, reason: text, ended_on: day } }));
  await queueNotifications(tx, 'alert_ended', messages);
}
