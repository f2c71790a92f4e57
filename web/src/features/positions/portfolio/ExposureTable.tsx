import { formatMoney, formatPercent } from '../../../format/number.ts';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { exposureOf } from '../valuation/exposure.ts';
import { type Marked, totalsOf } from '../valuation/mark.ts';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';

/** Notional at last prices, by symbol and side. */
export function ExposureTable({ rows }: { rows: readonly Marked[] }) {
  const { bySymbol, gross } = exposureOf(rows);
  const { missing } = totalsOf(rows);
  return (
    <Panel title="Exposure by symbol" aside="USDT at last prices" bodyClassName="">
      {bySymbol.length === 0 && <EmptyState text="No open positions, so no exposure." />}
      {bySymbol.length > 0 && (
        <ScrollSideways label="Exposure, table">
          <table className="table" aria-label="Exposure by symbol">
            <thead>
              <tr>
                <th className="lead" scope="col">
                  Symbol
                </th>
                <th scope="col">Long</th>
                <th scope="col">Short</th>
                <th scope="col">Net</th>
                <th scope="col">Of all</th>
              </tr>
            </thead>
            <tbody>
              {bySymbol.map(({ symbol, long, short }) => (
                <tr key={symbol}>
                  <th className="lead" scope="row">
                    {symbol}
                  </th>
                  <td>{formatMoney(long)}</td>
                  <td>{formatMoney(short)}</td>
                  <td>{formatMoney(long - short, true)}</td>
                  <td>{formatPercent((long + short) / gross)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollSideways>
      )}
      {missing.length > 0 && (
        <p className="px-3 py-2 text-label text-warn">No fresh price of {missing.join(', ')}: left out.</p>
      )}
    </Panel>
  );
}
