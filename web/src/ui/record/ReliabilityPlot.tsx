import { formatCount } from '../../format/number.ts';
import type { ReliabilityPoint } from './reliability.ts';

const SIZE = 300;
const PAD = 34;
const at = (value: number): number => PAD + value * (SIZE - 2 * PAD);
const up = (value: number): number => SIZE - at(value);
const ticks = [0, 0.25, 0.5, 0.75, 1];

/** Stated confidence against what came true; on the diagonal they are equal. */
export function ReliabilityPlot({ points }: { points: readonly ReliabilityPoint[] }) {
  const line = points.map(({ confidence, winRate }) => `${at(confidence)},${up(winRate)}`).join(' ');
  return (
    <figure className="flex flex-col gap-2">
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label="Reliability curve: share of signals that gained, by stated confidence. The table holds the same figures."
        className="w-full max-w-100 text-label"
      >
        {ticks.map((tick) => (
          <g key={tick} stroke="var(--grid)">
            <line x1={at(tick)} x2={at(tick)} y1={up(0)} y2={up(1)} />
            <line x1={at(0)} x2={at(1)} y1={up(tick)} y2={up(tick)} />
            <text x={at(tick)} y={up(0) + 14} textAnchor="middle" fill="var(--muted)" stroke="none" fontSize={10}>
              {tick * 100}
            </text>
            <text x={at(0) - 6} y={up(tick) + 3} textAnchor="end" fill="var(--muted)" stroke="none" fontSize={10}>
              {tick * 100}
            </text>
          </g>
        ))}
        <line x1={at(0)} x2={at(1)} y1={up(0)} y2={up(1)} stroke="var(--muted)" strokeDasharray="3 3" />
        <polyline points={line} fill="none" stroke="var(--accent)" strokeWidth={1.5} />
        {points.map(({ confidence, winRate, low, high, count }) => (
          <g key={confidence} stroke="var(--accent)">
            <line x1={at(confidence)} x2={at(confidence)} y1={up(low)} y2={up(high)} strokeWidth={1} />
            <circle cx={at(confidence)} cy={up(winRate)} r={3} fill="var(--accent)" />
            <text
              x={at(confidence) + 5}
              y={up(winRate) - 5}
              fill="var(--text)"
              stroke="none"
              fontSize={10}
            >{`n ${formatCount(count)}`}</text>
          </g>
        ))}
      </svg>
      <figcaption className="text-label text-muted">
        Across: stated confidence, %. Up: signals that gained after fees, %. Bars: 95 % intervals. Dashed: what a
        perfectly calibrated confidence would show.
      </figcaption>
    </figure>
  );
}
