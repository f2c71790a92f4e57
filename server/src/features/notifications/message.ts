import { createHmac } from 'node:crypto';
import { chance } from '@sextant/workers/src/tasks/honesty/figure.ts';
import { eventOf, type NotificationKind, type NotificationPayloads } from './kinds.ts';

export interface Message<K extends NotificationKind = NotificationKind> {
  kind: K;
  payload: NotificationPayloads[K];
  createdAt: Date;
}

/** A price or amount in full digits: `64,000`, `0.0000025905`. Digits beyond twelve are rounding noise. */
const number = (value: number): string =>
  Number(value.toPrecision(12)).toLocaleString('en-US', { maximumFractionDigits: 20 });
/** No measured chance is exactly 1: that is the score of own rules, which have no degrees. */
const confidenceWords = (confidence: number): string =>
  confidence === 1 ? 'score 100 by your rules' : `confidence ${chance(confidence)}`;
const signalLines = ({ direction, symbol, interval, confidence }: NotificationPayloads['signal_found']): string[] => [
  `Signal: ${direction} ${symbol} ${interval}, ${confidenceWords(confidence)}`,
];
const signed = (value: number): string =>
  `${value < 0 ? '-' : '+'}${Math.abs(value).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

const texts: { [K in NotificationKind]: (payload: NotificationPayloads[K]) => string[] } = {
  scan_finished: ({ result_count: count, best }) => [
    `Scan while you were away finished: ${count === 0 ? 'No signals found' : `${count} ${count === 1 ? 'signal' : 'signals'}`}`,
    ...(best === null
      ? []
      : [`Best: ${best.direction} ${best.symbol} ${best.interval}, ${confidenceWords(best.confidence)}`]),
  ],
  credits_low: ({ credits }) => [
    credits === 0 ? 'No credits left. Buy credits to continue.' : `Credits are low: ${credits} left`,
  ],
  position_opened: ({ side, symbol, quantity, entry_price: entry, leverage }) => [
    `Position opened: ${side} ${symbol}`,
    `${number(quantity)} at ${number(entry)}, ${leverage}x, simulated`,
  ],
  position_closed: ({ side, symbol, entry_price: entry, exit_price: exit, reason, net_pnl_usdt: net }) => [
    `Position closed: ${side} ${symbol}, ${reason.replaceAll('_', ' ').toLowerCase()}`,
    `${number(entry)} to ${number(exit)}, net ${signed(net)} USDT, simulated`,
  ],
  arbitrage_spread: ({ symbol, buy, sell, buy_price: ask, sell_price: bid, net_pct: net, level_pct: level }) => [
    `Spread of ${symbol}: ${signed(net)} % net, above your level of ${number(level)} %`,
    `Buy on ${buy} at ${number(ask)}, sell on ${sell} at ${number(bid)}. Pays only if the prices converge.`,
  ],
  alert_fired: ({ condition, value, note, is_late: isLate, exchange_at: at }) => [
    `Alert: ${condition}${value === null ? '' : `, now ${value}`}`,
    ...(note === null ? [] : [note]),
    ...(isLate ? [`Detected late. It happened at ${at.slice(0, 16).replace('T', ' ')} UTC.`] : []),
  ],
  alert_ended: ({ count, symbol, reason }) => [
    count === 1 ? `Alert on ${symbol} ended` : `${count} alerts on ${symbol} ended`,
    reason,
  ],
  signal_created: signalLines,
  signal_found: signalLines,
  payment_completed: ({ credits }) => [`Payment completed: ${credits} credits added`],
  plan_expiring: ({ plan, expires_at: end }) => [`Your ${plan} plan ends on ${end.slice(0, 10)}`],
  test: () => ['Test message from Sextant: this channel works.'],
};

/** The message as text for users. */
export function textOf<K extends NotificationKind>({ kind, payload }: Message<K>): string {
  return texts[kind](payload).join('\n');
}

/** The message as a service worker shows it: title, lines and the place that a press opens. */
export function pushTextOf(message: Message): string {
  const [title = '', ...lines] = textOf(message).split('\n');
  const { payload } = message;
  const id = 'receipt_id' in payload ? payload.receipt_id : undefined;
  return JSON.stringify({ title, body: lines.join('\n'), tag: id, url: '/?tab=dashboard&page=alerts' });
}

/** The message for programs. `sequence` counts the messages of one webhook of the API. */
export const bodyOf = ({ kind, payload, createdAt }: Message, sequence?: number): string =>
  JSON.stringify({ type: eventOf(kind), timestamp: createdAt.toISOString(), sequence, data: payload });

const secretPrefix = 'whsec_';

/** A key in the form shown to its owner: `whsec_` and base64. */
export const secretText = (bytes: Buffer): string => secretPrefix + bytes.toString('base64');

/**
 * The three headers of Standard Webhooks (https://www.standardwebhooks.com). `id` is the same for every attempt; the time is the attempt's,
 * in seconds, and is signed too. One signature for each key, separated by spaces: one valid signature is sufficient.
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  atMs: number,
  body: string,
): Record<string, string> {
  const timestamp = Math.floor(atMs / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
