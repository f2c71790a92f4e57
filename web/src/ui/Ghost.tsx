/** Columns of a table that will be there, or a chart. */
export type GhostShape = readonly string[] | 'chart';

const tableRows = [0.9, 0.6, 0.75, 0.5, 0.65];

/** Wicks and bodies of an invented chart, in percent of its height: high, top, bottom, low. */
const candles = [
  [62, 58, 46, 42],
  [55, 50, 38, 33],
  [48, 43, 35, 30],
  [58, 52, 42, 38],
  [66, 60, 50, 45],
  [72, 68, 58, 50],
  [80, 74, 64, 60],
  [76, 70, 60, 52],
  [68, 62, 54, 48],
  [60, 56, 44, 36],
  [52, 46, 38, 32],
  [58, 54, 42, 40],
  [70, 64, 52, 46],
  [78, 72, 62, 58],
  [86, 80, 70, 64],
  [82, 76, 68, 60],
] as const;

function GhostTable({ columns }: { columns: readonly string[] }) {
  return (
    <div className="w-full max-w-240 text-left">
      <div className="flex gap-4 border-b border-line py-1.5 text-label text-muted">
        {columns.map((name) => (
          <span key={name} className="min-w-0 flex-1 truncate">
            {name}
          </span>
        ))}
      </div>
      {tableRows.map((width) => (
        <div key={width} className="flex gap-4 border-b border-line py-3">
          {columns.map((name) => (
            <span key={name} className="min-w-0 flex-1">
              <span className="block h-2 rounded-sm bg-line" style={{ width: `${width * 70}%` }} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

const GhostChart = () => (
  <svg viewBox="0 0 160 100" preserveAspectRatio="none" className="h-48 w-full max-w-240 text-line">
    {[20, 40, 60, 80].map((y) => (
      <line key={y} x1="0" x2="160" y1={y} y2={y} stroke="currentColor" strokeWidth="0.3" />
    ))}
    {candles.map(([high, top, bottom, low], index) => (
      <g key={`${index} ${high}`} fill="currentColor">
        <rect x={index * 10 + 4.7} y={100 - high} width="0.6" height={high - low} />
        <rect x={index * 10 + 2.5} y={100 - top} width="5" height={top - bottom} />
      </g>
    ))}
  </svg>
);

/** Outline of the content to come. It shows no figure and is hidden from screen readers. */
export function Ghost({ shape }: { shape: GhostShape }) {
  return (
    <div aria-hidden="true" className="flex w-full justify-center">
      {shape === 'chart' ? <GhostChart /> : <GhostTable columns={shape} />}
    </div>
  );
}
