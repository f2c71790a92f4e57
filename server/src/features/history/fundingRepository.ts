import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { HOUR_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { ExchangeId, FundingHistory } from '../market/port.ts';
import type { StoredFundings } from './port.ts';
import { type BarRange, openRanges, pairsOf, rangesOf, withRange } from './ranges.ts';

export interface FundingSeries {
  source: string;
  exchange: ExchangeId;
  symbol: string;
}

interface Year extends FundingHistory {
  year: number;
  /** Requested spans: start included, `toMs` excluded. */
  covered: BarRange[];
}

interface RawYear {
  year: number;
  payload: Buffer;
  sha256: Buffer;
  covered: number[];
}

const yearOf = (timeMs: number): number => new Date(timeMs).getUTCFullYear();
const sumOf = ({ source, exchange, symbol }: FundingSeries, year: number, payload: Buffer): Buffer =>
  createHash('sha256').update(`${source} ${exchange} ${symbol} fundings ${year}\n`).update(payload).digest();

/** Stamps, then rates, as float64. */
function pack({ time, rate }: FundingHistory): Buffer {
  const bytes = Buffer.alloc(time.length * 16);
  time.forEach((each, i) => bytes.writeDoubleLE(each, i * 8));
  rate.forEach((each, i) => bytes.writeDoubleLE(each, (time.length + i) * 8));
  return bytes;
}

function unpack(bytes: Buffer): FundingHistory {
  const count = bytes.length / 16;
  return {
    time: Float64Array.from({ length: count }, (_, i) => bytes.readDoubleLE(i * 8)),
    rate: Float64Array.from({ length: count }, (_, i) => bytes.readDoubleLE((count + i) * 8)),
  };
}

/** The stored years of a span. A year whose checksum does not match is deleted, so that it is requested again. */
export async function readFundingYears(tx: SystemTx, series: FundingSeries, span: BarRange): Promise<Year[]> {
  const { source, exchange, symbol } = series;
  const { rows } = await sql<RawYear>`
    select year, payload, sha256, covered from history_fundings
    where source = ${source} and exchange = ${exchange} and symbol = ${symbol}
      and year between ${yearOf(span.fromMs)} and ${yearOf(span.toMs)} order by year`.execute(tx);
  const years: Year[] = [];
  for (const { year, payload, sha256, covered } of rows) {
    if (sumOf(series, year, payload).equals(sha256))
      years.push({ year, ...unpack(payload), covered: rangesOf(covered) });
    else
      await sql`delete from history_fundings where source = ${source} and exchange = ${exchange} and symbol = ${symbol}
        and year = ${year}`.execute(tx);
  }
  return years;
}

/** Stamps of a span with the hours since the previous stored stamp. */
export function fundingsWithin(years: readonly Year[], { fromMs, toMs }: BarRange): StoredFundings {
  const times = years.flatMap(({ time }) => [...time]);
  const rates = years.flatMap(({ rate }) => [...rate]);
  const first = times.findIndex((time) => time >= fromMs);
  const start = first < 0 ? times.length : first;
  const after = times.findIndex((time) => time >= toMs);
  const end = after < 0 ? times.length : after;
  const hours = times.map((time, i) => (i === 0 ? null : Math.round((time - (times[i - 1] ?? NaN)) / HOUR_MS)));
  let covered: BarRange[] = [];
  for (const year of years) for (const each of year.covered) covered = withRange(covered, each, 0);
  return {
    time: Float64Array.from(times.slice(start, end)),
    rate: Float64Array.from(rates.slice(start, end)),
    intervalHours: hours.slice(start, end),
    complete: openRanges(covered, { fromMs, toMs }, 0).every((each) => each.fromMs === each.toMs),
  };
}

/** Adds the settled fundings of a requested span `fromMs <= time < toMs`. A stored stamp keeps its rate. */
export async function writeFundings(
  tx: SystemTx,
  series: FundingSeries,
  span: BarRange,
  { time, rate }: FundingHistory,
): Promise<void> {
  const { source, exchange, symbol } = series;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`history fundings ${source} ${exchange} ${symbol}`}, 0))`.execute(
    tx,
  );
  const stored = await readFundingYears(tx, series, span);
  for (let year = yearOf(span.fromMs); year <= yearOf(span.toMs - 1); year++) {
    const known = stored.find((each) => each.year === year);
    const rates = new Map<number, number>();
    time.forEach((each, i) => yearOf(each) === year && rates.set(each, rate[i] as number));
    known?.time.forEach((each, i) => rates.set(each, known.rate[i] as number));
    const times = [...rates.keys()].sort((a, b) => a - b);
    const payload = pack({
      time: Float64Array.from(times),
      rate: Float64Array.from(times, (each) => rates.get(each) as number),
    });
    const part = { fromMs: Math.max(span.fromMs, Date.UTC(year, 0)), toMs: Math.min(span.toMs, Date.UTC(year + 1, 0)) };
    const covered = pairsOf(withRange(known?.covered ?? [], part, 0));
    await sql`
      insert into history_fundings (source, exchange, symbol, year, payload, sha256, funding_count, covered)
      values (${source}, ${exchange}, ${symbol}, ${year}, ${payload}, ${sumOf(series, year, payload)}, ${times.length}, ${covered})
      on conflict (source, exchange, symbol, year) do update set payload = excluded.payload, sha256 = excluded.sha256,
        funding_count = excluded.funding_count, covered = excluded.covered, written_at = now()`.execute(tx);
  }
}
