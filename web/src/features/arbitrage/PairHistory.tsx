import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { useMemo } from 'react';
import { type SpreadPair, usePersistence, useSpreadHistory } from '../../api/arbitrage.ts';
import type { ArbitrageItem, PairBooks, Persistence, SpreadHistory } from '../../api/types.ts';
import { exchangeName } from '../../format/names.ts';
import {
  formatAmount,
  formatCount,
  formatFixed,
  formatMany,
  formatQuoted,
  formatSigned,
  NO_VALUE,
} from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { late } from '../../ui/late.tsx';
import { Loaded } from '../../ui/Panel.tsx';
import { pctText, skewText } from './ScanFacts.tsx';

const linePlot = late(async () => (await import('../../charts/LinePlot.tsx')).LinePlot, <div className="h-30" />);

const HISTORY_HOURS = 6;

export function HistoryPart({ pair }: { pair: SpreadPair }) {
  const history = useSpreadHistory(pair, HISTORY_HOURS);
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">Gross spread, last {HISTORY_HOURS} h</h3>
      <Loaded response={history} failure="Could not load the spread history." rows={3}>
        {(data) => <HistoryLine history={data} />}
      </Loaded>
    </section>
  );
}

function HistoryLine({ history }: { history: SpreadHistory }) {
  const { points } = history;
  const known = points.filter(({ grossPct }) => grossPct !== null).length;
  const drawn = useMemo(
    () => ({
      time: Float64Array.from(points, ({ atMs }) => atMs),
      line: {
        label: 'Gross spread',
        values: points.map(({ grossPct }) => grossPct),
        colour: 'accent' as const,
        isFilled: false,
        levels: [0],
        format: (value: number | null | undefined) => (value == null ? NO_VALUE : `${formatFixed(value, 3)} %`),
      },
    }),
    [points],
  );
  if (known < 2) return <p className="text-label text-muted">No samples yet. New ones arrive every five minutes.</p>;
  return (
    <linePlot.View
      label={`Gross spread in each of the last ${formatMany(known, 'minute')}`}
      time={drawn.time}
      line={drawn.line}
      heightPx={120}
    />
  );
}

/** Rate that longs pay on either exchange at the next settlement. */
export function FundingPart({ books, readAtMs }: { books: PairBooks; readAtMs: number }) {
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-semibold">Funding</h3>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="lead">
              Leg
            </th>
            <th scope="col">Rate</th>
            <th scope="col">Every</th>
            <th scope="col">Next</th>
          </tr>
        </thead>
        <tbody>
          {[
            { leg: books.buy, name: 'Long' },
            { leg: books.sell, name: 'Short' },
          ].map(({ leg, name }) => (
            <tr key={name}>
              <th scope="row" className="lead">
                {name} {exchangeName(leg.exchange)}
              </th>
              <td className="font-mono">
                {leg.fundingRate === null ? NO_VALUE : `${formatSigned(leg.fundingRate * 100, 4)} %`}
              </td>
              <td>{leg.fundingIntervalHours === null ? 'unknown' : `${formatAmount(leg.fundingIntervalHours)} h`}</td>
              <td>
                {leg.nextFundingAtMs === null ? NO_VALUE : `in ${formatDuration(leg.nextFundingAtMs - readAtMs)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-label text-muted">Longs pay a positive rate; shorts receive it.</p>
    </section>
  );
}

/**
 * How often a pair was profitable. Counts ended episodes only, not a running one.
 * @param runningMs how long it had been profitable at the scan; null when it was not
 */
export function episodesText({ overall, thresholdPct }: Persistence, runningMs: number | null): string {
  const median = overall.medianLifetimeS === null ? '' : `, median ${formatDuration(overall.medianLifetimeS * 1000)}`;
  const level = `Above ${pctText(thresholdPct)} net`;
  if (runningMs === null) return `${level} ${formatMany(overall.episodes, 'time')}${median}.`;
  const earlier = overall.episodes === 0 ? 'none before in 30 days' : `${formatMany(overall.episodes, 'time')} before`;
  return `${level} for ${formatDuration(runningMs)} at the scan; ${earlier}${median}.`;
}

/** How long spreads of this pair lasted. @param runningMs as in `episodesText` */
export function PersistencePart({ pair, runningMs }: { pair: SpreadPair; runningMs: number | null }) {
  const persistence = usePersistence(pair);
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-semibold">How long it lasts</h3>
      <Loaded response={persistence} failure="Could not load how long spreads last." rows={2}>
        {(data) => <PersistenceLine data={data} runningMs={runningMs} />}
      </Loaded>
    </section>
  );
}

function PersistenceLine({ data, runningMs }: { data: Persistence; runningMs: number | null }) {
  const { overall, missing } = data;
  const shares = [
    ['1 s', overall.captured.s1],
    ['5 s', overall.captured.s5],
    ['30 s', overall.captured.s30],
  ] as const;
  return (
    <>
      <p className="text-label text-muted">
        {episodesText(data, runningMs)} {missing}
      </p>
      {overall.episodes > 0 && (
        <ul className="flex gap-6">
          {shares.map(([name, share]) => (
            <li key={name}>
              <span className="text-label text-muted">Above zero after {name}</span>
              <br />
              <span className="font-medium">
                {share.share === null
                  ? NO_VALUE
                  : `${formatFixed(share.share * 100, 0)} % (${formatFixed(share.low * 100, 0)} to ${formatFixed(share.high * 100, 0)} %) of ${formatCount(share.of)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The quotes of the scan on every exchange. */
export function Quotes({ item }: { item: ArbitrageItem }) {
  const rows = venueIds.flatMap((exchange) => {
    const quote = item.quotes[exchange];
    return quote === undefined ? [] : [{ exchange, ...quote }];
  });
  return (
    <section className="flex flex-col gap-1">
      <h3 className="font-semibold">Scan quotes</h3>
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="lead">
              Exchange
            </th>
            <th scope="col">Bid</th>
            <th scope="col">Ask</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ exchange, contract, multiplier, bid, ask, source }) => (
            <tr key={exchange}>
              <th scope="row" className="lead wraps break-all">
                {exchangeName(exchange)}
                {multiplier !== 1 && (
                  <span className="block font-normal text-muted">
                    {contract} of {formatCount(multiplier)} coins
                  </span>
                )}
              </th>
              <td className="font-mono">{formatQuoted(bid)}</td>
              <td className="font-mono">{formatQuoted(ask)}</td>
              <td className="text-muted">{source === 'stream' ? 'stream' : 'request'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-label text-muted">
        Prices per coin. Quotes are {skewText(item.skewMs)} apart; mid prices differ by {pctText(item.midSkewPct, 3)}.
      </p>
    </section>
  );
}
