import type { PositionView } from '../../../api/positionView.ts';
import { formatPrice } from '../../../format/number.ts';
import { levelMarks, type Mark } from './levelLine.ts';

const looks: Record<Exclude<Mark['name'], 'last'>, string> = {
  'liquidated at': 'h-2.5 w-0.5 bg-warn',
  stop: 'h-2.5 w-0.5 bg-down',
  entry: 'h-1.5 w-0.5 bg-muted',
  target: 'h-2.5 w-0.5 bg-up',
};

/** Stop, entry, last price, target and liquidation to scale: how far it is to each end, in one look. */
export function LevelLine({
  position,
  price,
  decimals,
}: {
  position: PositionView;
  price: number | null;
  decimals: number | undefined;
}) {
  const marks = levelMarks(position, price);
  const placeOf = (name: Mark['name']): number | undefined => marks.find((mark) => mark.name === name)?.place;
  const entry = placeOf('entry') ?? 0;
  const last = placeOf('last');
  const gains = price !== null && price > position.entryPrice === (position.side === 'LONG');
  return (
    <span
      role="img"
      aria-label={marks.map((mark) => `${mark.name} ${formatPrice(mark.price, decimals)}`).join(', ')}
      className="relative block h-5 w-full min-w-16"
    >
      <span className="absolute inset-x-0 top-1/2 h-px bg-line" />
      {last !== undefined && (
        <span
          className={`absolute top-1/2 h-0.5 -translate-y-1/2 ${gains ? 'bg-up' : 'bg-down'}`}
          style={{ left: `${Math.min(entry, last) * 100}%`, width: `${Math.abs(entry - last) * 100}%` }}
        />
      )}
      {marks.map(({ name, place }) => (
        <span
          key={name}
          className={`absolute top-1/2 -translate-x-1/2 -translate-y-1/2 ${
            name === 'last' ? 'size-2 rounded-full border border-panel bg-accent' : looks[name]
          }`}
          style={{ left: `${place * 100}%` }}
        />
      ))}
    </span>
  );
}
