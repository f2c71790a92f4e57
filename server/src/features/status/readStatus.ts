import { sql } from 'kysely';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type ExchangeBackfill, readBackfills } from '../history/readBackfills.ts';
import type { StatusBackfill, StatusIncident, StatusPart, StatusPartWire, StatusResponse } from './contract.ts';
import { RETENTION_DAYS, minuteMs } from './probes.ts';

const dayMs = 24 * 60 * minuteMs;
/** Spans of an uptime, longest first. */
const windowDays = [90, 30, 7, 1] as const;
/** A probe older than this does not describe the current state. */
const currentMs = 3 * minuteMs;
/** Failed probes in a row that make an incident: a single one may be a network glitch. */
const incidentMinutes = 2;
const incidentsMax = 50;

/** Probed minutes, and the successful ones among them. */
interface Count {
  up: number;
  probed: number;
}
interface DayRow extends Count {
  part: StatusPart;
  day: Date;
}
interface PartRow {
  part: StatusPart;
  first: Date;
  last: Date;
  last_ok: boolean;
  duration_ms: number | null;
}
type Incident = z.infer<typeof StatusIncident>;

/** Minutes of a span in which the whole service was silent long enough for an incident. They count as down for every part. */
function silentMinutes(silent: readonly Silent[], fromMs: number, toMs: number): number {
  const overlaps = silent.map((each) => Math.max(0, Math.min(each.toMs, toMs) - Math.max(each.fromMs, fromMs)));
  return Math.round(overlaps.reduce((sum, each) => sum + each, 0) / minuteMs);
}

const iso = (timeMs: number): string => new Date(timeMs).toISOString();

async function readParts(tx: SystemTx, parts: readonly StatusPart[]): Promise<Map<StatusPart, PartRow>> {
  const { rows } = await sql<PartRow>`
    select p.part, f.minute as first, n.minute as last, n.is_ok as last_ok, g.duration_ms
    from unnest(${parts}::text[]) as p (part)
    cross join lateral (select minute from status_probes where part = p.part order by minute limit 1) f
    cross join lateral (select minute, is_ok from status_probes where part = p.part order by minute desc limit 1) n
    left join lateral (select duration_ms from status_probes where part = p.part and is_ok order by minute desc limit 1) g on true`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.part, row]));
}

/** A probe of the last minute of a day may be stored a little after midnight. */
const closedAfterMs = 5 * minuteMs;

/** Figures of past days, cached in memory: they no longer change, so a call reads only later probes. */
export interface StatusPast {
  /** Minutes of each part, by the start of the day (UTC). */
  days: Map<number, Map<StatusPart, Count>>;
  /** Spans without a probe that end before the minute `probedMs`, which has one. */
  silent: Silent[];
  probedMs: number | undefined;
}
export const createStatusPast = (): StatusPast => ({ days: new Map(), silent: [], probedMs: undefined });

interface Silent {
  fromMs: number;
  toMs: number;
}

const dayOf = (timeMs: number): number => Math.floor(timeMs / dayMs) * dayMs;

async function readDays(tx: SystemTx, minuteNow: number, { days: closed }: StatusPast): Promise<DayRow[]> {
  const closedEnd = dayOf(minuteNow - closedAfterMs);
  const first = closedEnd - RETENTION_DAYS * dayMs;
  for (const day of closed.keys()) if (day < first) closed.delete(day);
  let from = first;
  while (from < closedEnd && closed.has(from)) from += dayMs;
  const { rows } = await sql<DayRow>`
    select part, date_trunc('day', minute, 'UTC') as day, (count(*) filter (where is_ok))::int as up, count(*)::int as probed
    from status_probes where minute >= ${new Date(from)} and minute < ${new Date(minuteNow)} group by 1, 2`.execute(tx);
  const retained = [...closed].flatMap(([day, upOf]) =>
    day < from ? [...upOf].map(([part, count]) => ({ part, day: new Date(day), ...count })) : [],
  );
  for (let day = from; day < closedEnd; day += dayMs) {
    const own = rows.filter((row) => row.day.getTime() === day);
    closed.set(day, new Map(own.map(({ part, up, probed }) => [part, { up, probed }])));
  }
  return [...retained, ...rows];
}

const nothing: Count = { up: 0, probed: 0 };

/** Minutes of the last `days` days: of a partial day, and of the whole days after it. Excludes the current minute. */
async function countMinutes(
  tx: SystemTx,
  { days, minuteNow, dayRows }: { days: number; minuteNow: number; dayRows: readonly DayRow[] },
): Promise<Map<StatusPart, Count>> {
  const fromMs = minuteNow - days * dayMs;
  const wholeMs = Math.ceil(fromMs / dayMs) * dayMs;
  const { rows } = await sql<{ part: StatusPart } & Count>`
    select part, (count(*) filter (where is_ok))::int as up, count(*)::int as probed from status_probes
    where minute >= ${new Date(fromMs)} and minute < ${new Date(wholeMs)} group by part`.execute(tx);
  const counts = new Map(rows.map(({ part, up, probed }) => [part, { up, probed }]));
  for (const { part, day, up, probed } of dayRows) {
    if (day.getTime() < wholeMs) continue;
    const before = counts.get(part) ?? nothing;
    counts.set(part, { up: before.up + up, probed: before.probed + probed });
  }
  return counts;
}

/** Spans in which nothing was stored. */
async function readSilent(tx: SystemTx, minuteNow: number, past: StatusPast): Promise<Silent[]> {
  const { silent: before, probedMs } = past;
  const { rows } = await sql<{ from: Date; to: Date }>`
    select minute + interval '1 minute' as "from",
      coalesce(lead(minute) over (order by minute), ${new Date(minuteNow)}) as "to"
    from (select distinct minute from status_probes where minute >= ${new Date(probedMs ?? 0)}) m
    order by minute`.execute(tx);
  const spans = rows.map(({ from, to }) => ({ fromMs: from.getTime(), toMs: to.getTime() }));
  const known = before.filter(({ fromMs }) => fromMs >= minuteNow - RETENTION_DAYS * dayMs);
  const isSilent = ({ fromMs, toMs }: Silent): boolean => toMs - fromMs >= incidentMinutes * minuteMs;
  const closedEnd = dayOf(minuteNow - closedAfterMs);
  // Every span except the last one ends with a probe.
  const closed = spans.slice(0, -1).filter(({ toMs }) => toMs < closedEnd);
  past.silent = [...known, ...closed.filter(isSilent)];
  past.probedMs = closed.at(-1)?.toMs ?? probedMs;
  return [...known, ...spans.filter(isSilent)];
}

/** Failed probes in a row, of which a single missed one between two is part, and spans without any probe. */
async function readIncidents(
  tx: SystemTx,
  parts: readonly StatusPart[],
  { minuteNow, silent }: { minuteNow: number; silent: readonly Silent[] },
): Promise<Incident[]> {
  const { rows } = await sql<{ part: Incident['part']; from: Date; to: Date; code: string | null }>`
    with failed as (
      select part, minute, code, minute - lag(minute) over (partition by part order by minute) as gap
      from status_probes where not is_ok and part = any (${parts}::text[])
    ),
    starts as (
      select part, minute, code, gap is null or gap > interval '2 minutes' or (gap = interval '2 minutes' and exists (
        select from status_probes p where p.part = failed.part and p.minute = failed.minute - interval '1 minute')) as is_first
      from failed
    ),
    runs as (select *, count(*) filter (where is_first) over (partition by part order by minute) as run from starts)
    select part, min(minute) as "from", max(minute) + interval '1 minute' as "to",
      (array_agg(code order by minute desc))[1] as code
    from runs group by part, run having count(*) >= ${incidentMinutes}
    order by "from" desc limit ${incidentsMax}`.execute(tx);
  const stopped = silent.map(({ fromMs, toMs }) => ({
    part: 'service' as const,
    code: null,
    from: new Date(fromMs),
    to: new Date(toMs),
  }));
  const newest = [...rows, ...stopped].sort((a, b) => b.from.getTime() - a.from.getTime()).slice(0, incidentsMax);
  return newest.map(({ part, code, from, to }) => ({
    part,
    code,
    from: from.toISOString(),
    to: to.getTime() >= minuteNow ? null : to.toISOString(),
    minutes: Math.round((Math.min(to.getTime(), minuteNow) - from.getTime()) / minuteMs),
  }));
}

interface StatusRequest {
  market: MarketMode;
  /** Market of the stored candles. */
  historySource: string;
  /** Configured parts of this installation, in response order. */
  parts: readonly StatusPart[];
  nowMs: number;
  /** Result of earlier calls. */
  past?: StatusPast;
}

/** The state of the service, its history and its incidents, computed from stored probes. */
export async function readStatus(
  db: Db,
  { market, historySource, parts: shown, nowMs, past = createStatusPast() }: StatusRequest,
): Promise<z.infer<typeof StatusResponse>> {
  const minuteNow = Math.floor(nowMs / minuteMs) * minuteMs;
  return withSystem(db, async (tx) => {
    const { rows } = await sql<{ first: Date | null }>`select min(minute) as first from status_probes`.execute(tx);
    const firstMs = rows[0]?.first?.getTime();
    const latest = await readParts(tx, shown);
    const dayRows = await readDays(tx, minuteNow, past);
    const daysSince = (sinceMs: number | undefined) =>
      windowDays.find((each) => sinceMs !== undefined && sinceMs <= minuteNow - each * dayMs);
    const silent = await readSilent(tx, minuteNow, past);
    const windows = new Set([...latest.values()].map(({ first }) => daysSince(first.getTime())));
    const countsOf = new Map<number, Map<StatusPart, Count>>();
    for (const days of windows)
      if (days !== undefined) countsOf.set(days, await countMinutes(tx, { days, minuteNow, dayRows }));
    const partOf = (part: StatusPart): z.infer<typeof StatusPartWire> => {
      const row = latest.get(part);
      const isCurrent = row !== undefined && nowMs - row.last.getTime() < currentMs;
      // A service that was configured later has no history before its first probe.
      const sinceMs = row?.first.getTime();
      const days = daysSince(sinceMs);
      const ofDay = new Map(dayRows.filter((each) => each.part === part).map((each) => [each.day.getTime(), each]));
      return {
        part,
        state: !isCurrent ? 'unknown' : row.last_ok ? 'up' : 'down',
        checked_at: row?.last.toISOString() ?? null,
        duration_ms: row?.duration_ms ?? null,
        uptime:
          days === undefined ? null : uptimeOf(days, countsOf.get(days)?.get(part) ?? nothing, { minuteNow, silent }),
        days: sinceMs === undefined ? [] : daysOf(sinceMs, ofDay, { minuteNow, silent }),
      };
    };
    const parts = shown.map(partOf);
    const isUnknown = parts.some(({ state }) => state === 'unknown');
    const isDown = parts.some(({ state }) => state === 'down');
    return {
      timestamp: iso(nowMs),
      market,
      state: isDown ? 'disrupted' : isUnknown ? 'unknown' : 'operational',
      since: firstMs === undefined ? null : iso(firstMs),
      parts,
      incidents: await readIncidents(tx, shown, { minuteNow, silent }),
      history: (await readBackfills(tx, historySource)).map(backfillToWire),
    };
  });
}

const backfillToWire = (each: ExchangeBackfill): z.infer<typeof StatusBackfill> => ({
  exchange: each.exchange,
  state: each.state,
  stored_parts: each.storedCount,
  total_parts: each.totalCount,
  failed_parts: each.failedCount,
  code: each.errorCode,
  updated_at: each.updatedAt.toISOString(),
});

interface Span {
  minuteNow: number;
  silent: readonly Silent[];
}

/** A minute counts when it was probed, or when the whole service was silent: a single missed probe is no outage. */
function uptimeOf(days: number, { up, probed }: Count, { minuteNow, silent }: Span) {
  const minutes = probed + silentMinutes(silent, minuteNow - days * dayMs, minuteNow);
  return minutes === 0 ? null : { days, fraction: up / minutes, up_minutes: up, minutes };
}

function daysOf(firstMs: number, ofDay: ReadonlyMap<number, Count>, { minuteNow, silent }: Span) {
  const today = dayOf(minuteNow);
  const firstDay = Math.max(dayOf(firstMs), today - (RETENTION_DAYS - 1) * dayMs);
  const count = Math.round((today - firstDay) / dayMs) + 1;
  return Array.from({ length: count }, (_each, at) => {
    const day = firstDay + at * dayMs;
    const { up, probed } = ofDay.get(day) ?? nothing;
    const minutes = probed + silentMinutes(silent, Math.max(day, firstMs), Math.min(day + dayMs, minuteNow));
    return { date: iso(day).slice(0, 10), up_minutes: up, minutes };
  });
}
