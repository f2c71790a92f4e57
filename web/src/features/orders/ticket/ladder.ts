import type { OrderPreview } from '../../../api/types.ts';

export interface Rung {
  name: string;
  price: number;
  /** 0 at the lowest price of the ladder, 1 at the highest. */
  place: number;
  tone: 'up' | 'down' | 'accent' | 'muted';
}

type Levels = Pick<OrderPreview, 'entry' | 'stop_loss' | 'liquidation' | 'last_price'> & {
  targets: readonly { price: number }[];
};

/** Prices of an order on one line, lowest first. Without an entry there is nothing to compare with. */
export function ladderOf({ entry, stop_loss: stop, liquidation, last_price: last, targets }: Levels): Rung[] {
  if (entry === null) return [];
  const isSame = (a: number, b: number): boolean => Math.abs(a - b) < Math.abs(b) * 1e-4;
  const rungs: Omit<Rung, 'place'>[] = [{ name: 'Entry', price: entry, tone: 'accent' }];
  if (!isSame(last, entry)) rungs.push({ name: 'Last', price: last, tone: 'muted' });
  if (stop !== null) rungs.push({ name: 'Stop', price: stop, tone: 'down' });
  if (liquidation !== null) rungs.push({ name: 'Liquidation', price: liquidation, tone: 'down' });
  targets.forEach(({ price }, at) =>
    rungs.push({ name: targets.length > 1 ? `Target ${at + 1}` : 'Target', price, tone: 'up' }),
  );
  const prices = rungs.map(({ price }) => price);
  const low = Math.min(...prices);
  const span = Math.max(...prices) - low;
  return rungs
    .map((rung) => ({ ...rung, place: span > 0 ? (rung.price - low) / span : 0.5 }))
    .sort((a, b) => a.price - b.price);
}
