import type { PositionEvent } from '../../../api/types.ts';
import { formatMoney, formatPercent, formatPrice } from '../../../format/number.ts';
import { reasonNames } from '../table/reasonNames.ts';

const seenBy = { tick: 'at a price', candle: 'in a one-minute candle' } as const;

/** What happened, in one line. */
export function eventText(event: PositionEvent, decimals: number | undefined): string {
  const price = (value: number): string => formatPrice(value, decimals);
  switch (event.kind) {
    case 'opened':
      return `Opened at ${price(event.data.entry_price)}, stop ${price(event.data.stop_loss)}, target ${price(event.data.take_profit)}`;
    case 'armed':
      return `May close automatically: a minute old, and moved by 0.2 % to ${price(event.data.price)}`;
    case 'trail_raised':
      return `Stop moved from ${price(event.data.from)} to ${price(event.data.to)}, best price ${price(event.data.peak)}`;
    case 'funding':
      return `Funding ${formatPercent(event.data.rate, true)}: ${formatMoney(-event.data.amount, true)} USDT`;
    case 'fee':
      return `Fee of the ${event.data.what}: ${formatMoney(-event.data.amount, true)} USDT`;
    case 'closed':
      if (event.data.by === 'owner') return `Closed at ${price(event.data.price)}, by hand`;
      return `Closed at ${price(event.data.price)}, ${reasonNames[event.data.reason]}, seen ${seenBy[event.data.by]}`;
  }
}
