import type { SignalRecord } from '../../../api/types.ts';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { formatCount, formatFixed, NO_VALUE } from '../../../format/number.ts';

type Calibration = SignalRecord['calibration'];

/** Curve, Brier score and calibration error of a record with enough signals. */
export function CalibrationFigures({ title, calibration }: { title: string; calibration: Calibration }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,400px)_minmax(0,1fr)] lg:items-start">
      <ReliabilityPlot calibration={calibration} />
      <div className="flex min-w-0 flex-col gap-3">
        <p>
          Brier score {formatFixed(calibration.brier, 4)}; the win rate alone scores{' '}
          {formatFixed(calibration.brier_of_base_rate, 4)}. Lower is better. Expected calibration error{' '}
          {formatFixed(calibration.ece, 4)}. Log loss {formatFixed(calibration.log_loss, 4)}, base rate{' '}
          {formatFixed(calibration.log_loss_of_base_rate, 4)}.
        </p>
        <ScrollSideways label={`${title}, by stated confidence`}>
          <BinTable calibration={calibration} />
        </ScrollSideways>
      </div>
    </div>
  );
}

/** The same signals by the score, and by the chance that was stated. */
export function BeforeAndAfter({ title, before, after }: { title: string; before: Calibration; after: Calibration }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
      {(
        [
          ['Before: score', before],
          ['After: chance as stated', after],
        ] as const
      ).map(([name, calibration]) => (
        <section key={name} className="flex min-w-0 flex-col gap-3" aria-label={`${title}, ${name}`}>
          <h3 className="font-medium">{name}</h3>
          <ReliabilityPlot calibration={calibration} />
          <ScoreTable calibration={calibration} />
          <ScrollSideways label={`${title}, ${name}, by stated confidence`}>
            <BinTable calibration={calibration} />
          </ScrollSideways>
        </section>
      ))}
    </div>
  );
}

/** Whether it beats always saying the win rate; lower is better in every row. */
function ScoreTable({ calibration }: { calibration: Calibration }) {
  const rows = [
    ['Brier score', calibration.brier, calibration.brier_of_base_rate],
    ['Log loss', calibration.log_loss, calibration.log_loss_of_base_rate],
    ['Calibration error', calibration.ece, null],
  ] as const;
  return (
    <table className="table" aria-label="Scores, lower is better">
      <thead>
        <tr>
          <th className="lead" scope="col">
            Lower is better
          </th>
          <th scope="col">Stated</th>
          <th scope="col">Always the win rate</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, stated, always]) => (
          <tr key={name}>
            <th className="lead" scope="row">
              {name}
            </th>
            <td>{formatFixed(stated, 4)}</td>
            <td className="text-muted">{formatFixed(always, 4)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function BinTable({ calibration }: { calibration: Calibration }) {
  const pct = (value: number | null | undefined): string =>
    value === null || value === undefined ? NO_VALUE : formatFixed(value * 100, 1);
  return (
    <table className="table" aria-label="Reliability by stated confidence">
      <thead>
        <tr>
          <th className="lead" scope="col">
            Stated, %
          </th>
          <th scope="col">n</th>
          <th scope="col">Mean stated, %</th>
          <th scope="col">Gained, %</th>
          <th scope="col">95 %</th>
        </tr>
      </thead>
      <tbody>
        {calibration.bins.map((bin) => (
          <tr key={bin.from}>
            <th className="lead" scope="row">
              {pct(bin.from)} to {pct(bin.to)}
            </th>
            <td>{formatCount(bin.count)}</td>
            <td>{pct(bin.mean_confidence)}</td>
            <td>{pct(bin.win_rate)}</td>
            <td>{bin.interval === null ? NO_VALUE : `${pct(bin.interval.low)} to ${pct(bin.interval.high)}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ReliabilityPoint {
  /** 0 to 1. */
  confidence: number;
  winRate: number;
  low: number;
  high: number;
  count: number;
}

/** One point per non-empty bin. */
const pointsOf = (calibration: Calibration): ReliabilityPoint[] =>
  calibration.bins.flatMap(({ count, mean_confidence: confidence, win_rate: winRate, interval }) =>
    count === 0 || confidence === null || winRate === null || interval === null
      ? []
      : [{ confidence, winRate, count, ...interval }],
  );

const SIZE = 300;
const PAD = 34;
const at = (value: number): number => PAD + value * (SIZE - 2 * PAD);
const up = (value: number): number => SIZE - at(value);
const ticks = [0, 0.25, 0.5, 0.75, 1];

/** Stated confidence against the actual rate; on the diagonal they are equal. */
export function ReliabilityPlot({ calibration }: { calibration: Calibration }) {
  const points = pointsOf(calibration);
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
        Across: stated confidence, %. Up: signals that gained after fees, %. Bars: 95 % intervals. Dashed: perfect
        confidence.
      </figcaption>
    </figure>
  );
}
