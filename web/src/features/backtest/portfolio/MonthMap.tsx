import type { PortfolioRun } from '../../../api/types.ts';
import { formatSigned, NO_VALUE } from '../../../format/number.ts';
import { monthNames } from '../../../format/time.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { monthGrid, tintOf } from './portfolioText.ts';

/** Months of each year as a heat map; the figure has a sign, so colour is never the only cue. */
export function MonthMap({ months }: { months: PortfolioRun['months'] }) {
  const largest = Math.max(...months.map(({ returnFraction }) => Math.abs(returnFraction)), 0);
  return (
    <Panel title="Months" aside="return, %" bodyClassName="p-0">
      <ScrollSideways label="Returns by month">
        <table className="w-full min-w-160 border-collapse text-center text-label tabular-nums">
          <thead>
            <tr>
              <th scope="col" className="p-2 text-left font-medium text-muted">
                Year
              </th>
              {monthNames.map((name) => (
                <th key={name} scope="col" className="p-2 font-medium text-muted">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {monthGrid(months).map(({ year, cells }) => (
              <tr key={year} className="border-t border-line">
                <th scope="row" className="p-2 text-left font-medium">
                  {year}
                </th>
                {cells.map((cell, k) => (
                  <td
                    key={monthNames[k]}
                    className="p-2"
                    style={cell === null ? {} : lookOf(cell.returnFraction, largest)}
                  >
                    {cell === null ? (
                      <span className="text-muted">{NO_VALUE}</span>
                    ) : (
                      formatSigned(cell.returnFraction * 100, 1)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </Panel>
  );
}

function lookOf(value: number, largest: number): { backgroundColor: string } {
  const colour = value < 0 ? 'var(--down)' : 'var(--up)';
  return { backgroundColor: `color-mix(in srgb, ${colour} ${tintOf(value, largest)}%, transparent)` };
}
