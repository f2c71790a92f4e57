import { formatMoney } from '../../../format/number.ts';
import type { BothWays } from './useShock.ts';

const WIDTH = 320;
const HEIGHT = 64;

/** What all positions together gain on the way, from the shock down at the left to the shock up at the right. */
export function ShockPath({ down, up, settings: { shockPct } }: BothWays) {
  const values = [...[...down.path].reverse(), ...up.path.slice(1)];
  const most = Math.max(...values.map(Math.abs), Number.MIN_VALUE);
  const x = (at: number): number => (at / Math.max(1, values.length - 1)) * WIDTH;
  const y = (value: number): number => HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 3);
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`PnL over the move, from ${formatMoney(values[0], true)} at the low end to ${formatMoney(values.at(-1), true)} at the high end`}
        className="block h-16 w-full"
      >
        <line
          x1="0"
          x2={WIDTH}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
          stroke="var(--line)"
          vectorEffect="non-scaling-stroke"
        />
        <line x1={WIDTH / 2} x2={WIDTH / 2} y1="0" y2={HEIGHT} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
        <polyline
          points={points}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="flex justify-between text-label text-muted">
        <span>−{shockPct} %</span>
        <span>PnL over the move</span>
        <span>+{shockPct} %</span>
      </figcaption>
    </figure>
  );
}
