import { messageOf } from '../../api/failure.ts';
import type { PositioningRow } from '../../api/types.ts';
import type { usePositioning } from '../../data/positioning.ts';
import { formatFixed, NO_VALUE } from '../../format/number.ts';
import { Age, useNow } from '../../ui/Time.tsx';
import { formatClock, formatFunding, formatLarge } from './positioningColumns.ts';

export function PositioningHead() {
  return (
    <>
      <th scope="col" className="max-md:hidden">
        Open interest
      </th>
      <th scope="col" className="max-md:hidden">
        Long/short
      </th>
      <th scope="col" className="max-md:hidden">
        Funding in
      </th>
    </>
  );
}

/** Time to the next funding, and its rate. */
function FundingClock({ row }: { row: PositioningRow | null }) {
  const nowMs = useNow(15_000);
  const { next_funding_at: at = null, funding_rate: rate } = row ?? {};
  if (at === null) return NO_VALUE;
  return (
    <>
      {formatFunding(rate)} <span className="text-muted md:block">{formatClock(Date.parse(at), nowMs)}</span>
    </>
  );
}

export function PositioningCells({ row }: { row: PositioningRow | null }) {
  return (
    <>
      <td className="font-mono max-md:hidden" title="USDT at the last price">
        {formatLarge(row?.open_interest_usdt)}
      </td>
      <td className="font-mono max-md:hidden">{formatFixed(row?.long_short_ratio, 2)}</td>
      <td className="font-mono leading-4 whitespace-nowrap max-md:hidden">
        <FundingClock row={row} />
      </td>
    </>
  );
}

/** The same below the symbol: a phone has no room for columns. */
export function PositioningLine({ row }: { row: PositioningRow | null }) {
  return (
    <span className="block text-label whitespace-normal text-muted md:hidden">
      OI {formatLarge(row?.open_interest_usdt)}, L/S {formatFixed(row?.long_short_ratio, 2)}, <FundingClock row={row} />
    </span>
  );
}

/** The age of the oldest figure, and what did not come. */
export function PositioningNote({ response }: { response: ReturnType<typeof usePositioning> }) {
  const { data, error } = response;
  const ages = (pick: (row: PositioningRow) => string | null): number | null => {
    const times = data?.rows.flatMap((row) => pick(row) ?? []).map((at) => Date.parse(at)) ?? [];
    return times.length === 0 ? null : Math.min(...times);
  };
  const [interestMs, ratioMs] = [ages((row) => row.open_interest_at), ages((row) => row.long_short_at)];
  return (
    <div className="flex flex-wrap gap-x-4 border-t border-line px-3 py-2 text-label text-muted">
      {error !== null && <span className="text-warn">{messageOf(error, 'Could not load positioning.')}</span>}
      {data === undefined && error === null && <span>Loading positioning…</span>}
      {interestMs !== null && <Age sinceMs={interestMs} prefix="Open interest, USDT" />}
      {ratioMs !== null && <Age sinceMs={ratioMs} prefix="Long/short accounts" />}
      {data?.failures[0] !== undefined && <span className="text-warn">{data.failures[0]}</span>}
    </div>
  );
}
