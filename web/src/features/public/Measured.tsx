import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Measured as MeasuredFigures } from '../../api/types.ts';
import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import { formatCount, formatFixed, formatMany, formatPercent } from '../../format/number.ts';
import { formatUtc } from '../../format/time.ts';

interface MeasuredCell {
  label: string;
  value: string;
  /** Window, count and time of the figure, or why there is none. */
  note: string;
  isFigure: boolean;
}

const labels = ['Tradable symbols', 'Market data response, p95', 'Uptime'] as const;

/** One cell per figure; without a response the cells keep their size and show the loading or error text. */
function measuredCells(measured: MeasuredFigures | undefined, hasFailed: boolean): MeasuredCell[] {
  if (measured === undefined) {
    const value = hasFailed ? 'not available' : '…';
    const note = hasFailed ? 'No response from the server.' : '';
    return labels.map((label) => ({ label, value, note, isFigure: false }));
  }
  return [symbolsCell(measured), latencyCell(measured), uptimeCell(measured)];
}

function symbolsCell({ symbols, market }: MeasuredFigures): MeasuredCell {
  const [label] = labels;
  if (symbols === null) return without(label, 'not read yet', 'Waiting for the symbol list.');
  const source = market === 'live' ? exchangeNames[symbols.exchange] : `${market} ${exchangeNames[symbols.exchange]}`;
  return figure(label, formatCount(symbols.count), `${source}, ${formatUtc(symbols.at)}`);
}

function latencyCell({ latency }: MeasuredFigures): MeasuredCell {
  const label = labels[1];
  const window = `n = ${formatCount(latency.count)}, last ${formatCount(latency.windowMinutes)} min`;
  if (latency.p95Ms === null) return without(label, 'not enough requests', `${window}; shown from ${latency.countMin}`);
  const median = latency.p50Ms === null ? '' : `, median ${formatFixed(latency.p50Ms, 1)} ms`;
  return figure(label, `${formatFixed(latency.p95Ms, 1)} ms`, `${window}${median}`);
}

function uptimeCell({ uptime }: MeasuredFigures): MeasuredCell {
  const label = labels[2];
  if (uptime === null) return without(label, 'not known yet', 'Shown once a whole day has been measured.');
  const days = Math.round(uptime.minutes / (24 * 60));
  const span = days === 1 ? '24 hours' : formatMany(days, 'day');
  const minutes = `${formatCount(uptime.upMinutes)} of ${formatCount(uptime.minutes)} min`;
  return figure(label, formatPercent(uptime.fraction), `last ${span}, ${minutes}`);
}

const figure = (label: string, value: string, note: string): MeasuredCell => ({ label, value, note, isFigure: true });
const without = (label: string, value: string, note: string): MeasuredCell => ({
  label,
  value,
  note,
  isFigure: false,
});

/** The server's own measurements; fetched once per visit of a page, because they change slowly. */
function useMeasured() {
  return useQuery({
    queryKey: queryKeys.measured,
    queryFn: ({ signal }) => dataOf(api.GET('/api/measured', { signal })),
    staleTime: 60_000,
  });
}

/** Figures of this installation, each with its sample. A missing one says why. */
export function Measured() {
  const measured = useMeasured();
  const cells = measuredCells(measured.data, measured.isError);
  return (
    <section aria-labelledby="figures">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="figures" className="text-page font-semibold">
          Measured here
        </h2>
        <a href="/how#measured" className="text-label text-accent underline underline-offset-2">
          How these figures are measured
        </a>
      </div>
      <dl className="mt-4 grid gap-px overflow-hidden rounded border border-line bg-line md:grid-cols-3">
        {cells.map(({ label, value, note, isFigure }) => (
          <div key={label} className="min-h-25 bg-panel p-4">
            <dt className="text-label text-muted">{label}</dt>
            <dd>
              <span className={isFigure ? 'block text-figure font-semibold' : 'block py-1.5 text-section text-muted'}>
                {value}
              </span>
              <span className="block min-h-4 text-label text-muted">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
