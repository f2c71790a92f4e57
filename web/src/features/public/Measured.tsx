import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { measuredCells } from './measuredCells.ts';

/** What the server has measured of itself; asked once per visit of a page, because the figures move slowly. */
function useMeasured() {
  return useQuery({
    queryKey: queryKeys.measured,
    queryFn: ({ signal }) => dataOf(api.GET('/api/measured', { signal })),
    staleTime: 60_000,
  });
}

/** Figures of this very installation, each with what it rests on. One that does not exist yet says why. */
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
