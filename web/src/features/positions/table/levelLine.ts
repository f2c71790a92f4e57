import type { PositionView } from '../../../api/positionView.ts';

export interface Mark {
  name: 'liquidated at' | 'stop' | 'entry' | 'target' | 'last';
  price: number;
  /** 0 at the lowest price of the line, 1 at the highest. */
  place: number;
}

/** Levels of a position on one line, to scale, lowest price first. The last price is left out when there is none. */
export function levelMarks(position: PositionView, price: number | null): Mark[] {
  const { liquidationApprox, stopLoss, entryPrice, takeProfit } = position;
  const levels: [Mark['name'], number | null][] = [
    ['liquidated at', liquidationApprox],
    ['stop', stopLoss],
    ['entry', entryPrice],
    ['target', takeProfit],
    ['last', price],
  ];
  const known = levels.flatMap(([name, at]) => (at === null ? [] : [{ name, price: at }]));
  const prices = known.map((each) => each.price);
  const low = Math.min(...prices);
  const span = Math.max(...prices) - low;
  return known
    .map((each) => ({ ...each, place: span > 0 ? (each.price - low) / span : 0.5 }))
    .sort((a, b) => a.price - b.price);
}
