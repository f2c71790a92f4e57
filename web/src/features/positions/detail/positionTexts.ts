import { CLOSE_GUARDS } from '@sextant/workers/src/positions/bookTypes.ts';
import type { PositionView } from '../../../api/positionView.ts';
import type { PositionEvent } from '../../../api/types.ts';
import { reasonNames } from '../../../format/names.ts';
import {
  formatAmount,
  formatFixed,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
} from '../../../format/number.ts';

const dueTexts = { TIME: 'Holding time is over', SIGNAL: 'Opposite signal' } as const;
const seenBy = { tick: 'at a price', candle: 'in a one-minute candle' } as const;

type ChangedEvent = Extract<PositionEvent, { kind: 'changed' }>;

/** `You moved the stop from 98.00 to 99.00, switched trailing off`. */
function changedText({ data: { from, to } }: ChangedEvent, price: (value: number) => string): string {
  const level = (name: string, before: number | undefined, after: number | undefined): string[] =>
    before === undefined || after === undefined ? [] : [`moved the ${name} from ${price(before)} to ${price(after)}`];
  const targets = [from, to].map((fields) => targetsOf(fields, price));
  const [before, after] = targets.map(({ text }) => text);
  const isSeveral = targets.some(({ count }) => count > 1);
  const moved = isSeveral
    ? [`changed the targets from ${before} to ${after}`]
    : level('target', from.take_profit, to.take_profit);
  const mode = to.trailing?.mode;
  const trailing =
    mode === undefined ? [] : [mode === null ? 'switched trailing off' : `set trailing by ${modeNames[mode]}`];
  const parts = [...level('stop', from.stop_loss, to.stop_loss), ...moved, ...trailing];
  return `You ${[parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ')}`;
}

/** The targets that an event names: `104.00 (50 %), 108.00 (50 %)`. */
function targetsOf(
  { take_profit: single, take_profits: several }: ChangedEvent['data']['to'],
  price: (value: number) => string,
) {
  if (several == null) return { count: 1, text: single === undefined ? '' : price(single) };
  return { count: several.length, text: sharesText(several, price) };
}

/** Targets with the share of the position that each closes. */
export const sharesText = (
  targets: readonly { price: number; fraction: number }[],
  price: (value: number) => string,
): string => targets.map(({ price: at, fraction }) => `${price(at)} (${formatAmount(fraction * 100)} %)`).join(', ');

const modeNames = { percent: 'percent', atr: 'ATR' };

/** An event, in one line. */
export function eventText(event: PositionEvent, decimals: number | undefined): string {
  const price = (value: number): string => formatPrice(value, decimals);
  switch (event.kind) {
    case 'opened':
      return `Opened at ${price(event.data.entry_price)}, stop ${price(event.data.stop_loss)}, target ${price(event.data.take_profit)}`;
    case 'armed':
      return `Automatic closing on: open for a minute, and the price moved ${formatAmount(CLOSE_GUARDS.moveFraction * 100)} % to ${price(event.data.price)}`;
    case 'trail_raised':
      return `Stop moved from ${price(event.data.from)} to ${price(event.data.to)}, best price ${price(event.data.peak)}`;
    case 'changed':
      return changedText(event, price);
    case 'added':
      return `Added ${formatQuantity(event.data.quantity)} at ${price(event.data.price)}: average entry ${price(event.data.entry_price)}`;
    case 'reduced':
      return `Closed ${formatQuantity(event.data.quantity)} at ${price(event.data.price)}, ${reasonNames[event.data.reason]}: ${formatMoney(event.data.pnl, true)} USDT before fees`;
    case 'exit_due':
      return `${dueTexts[event.data.reason]}: leaves at the next price`;
    case 'funding':
      return `Funding ${formatPercent(event.data.rate, true)}: ${formatMoney(-event.data.amount, true)} USDT`;
    case 'fee':
      return `Fee of the ${event.data.what}: ${formatMoney(-event.data.amount, true)} USDT`;
    case 'closed':
      if (event.data.by === 'owner') return `Closed at ${price(event.data.price)}, by hand`;
      if (event.data.by === 'exchange')
        return `Settled at ${price(event.data.price)}, the last mark price: the exchange ended the contract`;
      return `Closed at ${price(event.data.price)}, ${reasonNames[event.data.reason]}, seen ${seenBy[event.data.by]}`;
  }
}

export function trailingText({ trailing }: Pick<PositionView, 'trailing'>): string {
  if (trailing === null) return 'off';
  const start = trailing.activationPct > 0 ? `, after a move of ${formatFixed(trailing.activationPct, 2)} %` : '';
  if (trailing.mode === 'atr') return `${trailing.atrMultiplier} × ATR(${trailing.atrPeriod})${start}`;
  return `${trailing.callbackPct} %, step ${trailing.stepPct} %${start}`;
}
