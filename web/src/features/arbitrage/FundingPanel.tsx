import { type ReactNode, useState } from 'react';
import { useFundingDifferences } from '../../api/arbitrage.ts';
import type { FundingDifferences } from '../../api/types.ts';
import { exchangeName } from '../../format/names.ts';
import { formatCount, formatFixed, formatMany, formatSigned, NO_VALUE, signTone } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { EmptyState, Loaded, Panel } from '../../ui/Panel.tsx';
import { ScrollSideways } from '../../ui/ScrollSideways.tsx';
import { type Column, TableHead } from '../../ui/TableHead.tsx';
import { Time } from '../../ui/Time.tsx';
import { pctText } from './ScanFacts.tsx';

type FundingRow = FundingDifferences['rows'][number];

export function FundingPanel() {
  const funding = useFundingDifferences();
  return (
    <Panel
      title="Funding differences"
      aside={
        funding.data !== undefined && (
          <span className="max-md:hidden">
            {formatMany(funding.data.symbols, 'symbol')} compared, <Time at={funding.data.asOfMs} />
          </span>
        )
      }
      bodyClassName=""
    >
      <p className="border-b border-line px-3 py-2 text-label text-muted">
        Go long where funding is lower and short where it is higher. You receive the difference while both legs are
        open. Rates can turn at each settlement: off by is how far the rate half an hour before was from what was paid.
        Price risk: how far the two prices drift apart. Contracts without a stated funding interval are left out.
      </p>
      <Loaded response={funding} failure="Could not load funding differences." rows={8}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState text="Waiting for fresh funding rates on two exchanges." />
          ) : (
            <FundingTable rows={rows} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const fundingColumns: Column[] = [
  { name: 'Symbol', isText: true },
  { name: 'A day, now' },
  { name: 'A day, settled' },
  { name: 'Last settlements' },
  { name: 'Announced, off by' },
  { name: 'Price risk per day' },
  { name: 'Fees' },
  { name: 'Fees paid after' },
  { name: 'Long', isText: true },
  { name: 'Short', isText: true },
];

const FIRST_SHOWN = 20;

function FundingTable({ rows }: { rows: FundingRow[] }) {
  const [isAll, setAll] = useState(false);
  return (
    <>
      <ScrollSideways label="Funding differences">
        <table className="table">
          <TableHead columns={fundingColumns} />
          <tbody>
            {(isAll ? rows : rows.slice(0, FIRST_SHOWN)).map((row) => (
              <FundingLine key={row.symbol} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollSideways>
      {!isAll && rows.length > FIRST_SHOWN && (
        <button type="button" className="btn btn-ghost btn-small m-2" onClick={() => setAll(true)}>
          Show all {formatCount(rows.length)}
        </button>
      )}
    </>
  );
}

function FundingLine({ row }: { row: FundingRow }) {
  const { long, short, legs, settlements, settledPerDayPct: settled } = row;
  return (
    <tr>
      <th scope="row" className="lead">
        <span className="font-medium text-text">{row.symbol}</span>
      </th>
      <td className="font-mono font-medium">{formatSigned(row.differencePerDayPct, 3)} %</td>
      <td className="font-mono">
        {settled === null ? (
          NO_VALUE
        ) : (
          <>
            <span className={signTone(settled)}>{formatSigned(settled, 3)} %</span>
            {row.settledLowPct !== null && (
              <span className="text-muted">
                {' '}
                ({formatSigned(row.settledLowPct, 3)} to {formatSigned(row.settledHighPct, 3)})
              </span>
            )}
          </>
        )}
      </td>
      <td>
        {settlements.length === 0 ? <span className="text-muted">not read yet</span> : <Bars rows={settlements} />}
      </td>
      <td className="font-mono">{forecastText(legs)}</td>
      <td className="font-mono">{row.priceRiskPct === null ? NO_VALUE : `±${pctText(row.priceRiskPct, 3)}`}</td>
      <td className="font-mono text-muted">{pctText(row.feesPct, 3)}</td>
      <td>{row.breakEvenHours === null ? 'never' : formatDuration(row.breakEvenHours * 3_600_000)}</td>
      <td className="lead">{legText(exchangeName(long), legs.long)}</td>
      <td className="lead">{legText(exchangeName(short), legs.short)}</td>
    </tr>
  );
}

/** Error of the announced rate: of the leg where it was larger. */
function forecastText({ long, short }: FundingRow['legs']): ReactNode {
  const known = [long.forecast, short.forecast].filter((each) => each !== null);
  const worst = known.toSorted((a, b) => b.meanAbsPct - a.meanAbsPct)[0];
  if (worst === undefined) return NO_VALUE;
  return (
    <>
      ±{pctText(worst.meanAbsPct, 4)} <span className="text-muted">n {formatCount(worst.count)}</span>
    </>
  );
}

const legText = (name: string, leg: FundingRow['legs']['long']): ReactNode => (
  <>
    {name}{' '}
    <span className="font-mono text-muted">
      {formatSigned(leg.ratePct, 4)} % / {formatFixed(leg.intervalHours, 0)} h
    </span>
  </>
);

const BAR_PX = 3;
const BARS_PX = 22;

/** Funding of the pair at each settlement, oldest first: bars above the line received, bars below paid. */
function Bars({ rows }: { rows: FundingRow['settlements'] }) {
  const most = Math.max(...rows.map(({ differencePct }) => Math.abs(differencePct)), Number.MIN_VALUE);
  const received = rows.filter(({ differencePct }) => differencePct > 0).length;
  return (
    <svg
      role="img"
      aria-label={`Received at ${received} of the last ${rows.length} settlements`}
      width={rows.length * (BAR_PX + 1)}
      height={BARS_PX}
      className="ml-auto block"
    >
      {rows.map(({ atMs, differencePct }, at) => {
        const height = (Math.abs(differencePct) / most) * (BARS_PX / 2);
        return (
          <rect
            key={atMs}
            x={at * (BAR_PX + 1)}
            y={differencePct > 0 ? BARS_PX / 2 - height : BARS_PX / 2}
            width={BAR_PX}
            height={height}
            fill={differencePct > 0 ? 'var(--up)' : 'var(--down)'}
          />
        );
      })}
      <path d={`M0 ${BARS_PX / 2}H${rows.length * (BAR_PX + 1)}`} stroke="var(--line)" />
    </svg>
  );
}
