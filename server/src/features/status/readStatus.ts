import { sql } from 'kysely';
import type { z } from 'zod';
import type { MarketMode } from '../../config.ts';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type StatusAnswer, type StatusIncident, type StatusPart, type StatusPartWire } from './contract.ts';
import { KEPT_DAYS, minuteMs } from './probes.ts';

const dayMs = 24 * 60 * minuteMs;
/** Spans an uptime is stated over, the longest first. */
const windowDays = [90, 30, 7, 1] as const;
/** A probe older than this says nothing about now. */
const currentMs = 3 * minuteMs;
/** Failed probes in a row that make an incident: one alone is a hiccup of a network. */
const incidentMinutes = 2;
const incidentsMax = 50;

interface DayRow {
  part: StatusPart;
  day: Date;
  up: number;
}
interface PartRow {
  part: StatusPart;
  first: Date;
  last: Date;
  last_ok: boolean;
  duration_ms: number | null;
}
type Incident = z.infer<typeof StatusIncident>;

/** Minutes of a day that count, from the first probe to the current minute, which is not over. */
function minutesOfDay(dayStartMs: number, firstMs: number, minuteNow: number): number {
  const fromMs = Math.max(dayStartMs, firstMs);
  return Math.max(0, Math.round((Math.min(dayStartMs + dayMs, minuteNow) - fromMs) / minuteMs));
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

async function readDays(tx: SystemTx, minuteNow: number): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select part, date_trunc('day', minute, 'UTC') as day, (count(*) filter (where is_ok))::int as up
    from status_probes where minute < ${new Date(minuteNow)} group by 1, 2`.execute(tx);
  return rows;
}

/** Good minutes of the last `days` days. The current minute is not over. */
async function countUp(tx: SystemTx, days: number, minuteNow: number): Promise<Map<StatusPart, number>> {
  const { rows } = await sql<{ part: StatusPart; up: number }>`
    select part, (count(*) filter (where is_ok))::int as up from status_probes
    where minute >= ${new Date(minuteNow - days * dayMs)} and minute < ${new Date(minuteNow)} group by part`.execute(
    tx,
  );
  return new Map(rows.map(({ part, up }) => [part, up]));
}

/** Runs of failed probes, and spans in which nothing was stored. */
async function readIncidents(tx: SystemTx, parts: readonly StatusPart[], minuteNow: number): Promise<Incident[]> {
  const { rows } = await sql<{ part: Incident['part']; from: Date; to: Date; code: string | null }>`
    with failed as (
      select part, minute, code, minute - row_number() over (partition by part order by minute) * interval '1 minute' as run
      from status_probes where not is_ok and part = any (${parts}::text[])
    ), silent as (
      select minute + interval '1 minute' as "from",
        coalesce(lead(minute) over (order by minute), ${new Date(minuteNow)}) as "to"
      from (select distinct minute from status_probes) m
    )
    select part, min(minute) as "from", max(minute) + interval '1 minute' as "to",
      (array_agg(code order by minute desc))[1] as code
    from failed group by part, run having count(*) >= ${incidentMinutes}
    union all
    select 'service', "from", "to", null from silent where "to" - "from" >= make_interval(mins => ${incidentMinutes})
    order by "from" desc limit ${incidentsMax}`.execute(tx);
  return rows.map(({ part, from, to, code }) => ({
    part,
    code,
    from: from.toISOString(),
    to: to.getTime() >= minuteNow ? null : to.toISOString(),
    minutes: Math.round((Math.min(to.getTime(), minuteNow) - from.getTime()) / minuteMs),
  }));
}

interface StatusRequest {
  market: MarketMode;
  /** What this installation is configured with, in the order of the answer. */
  parts: readonly StatusPart[];
  nowMs: number;
}

/** The state of the service, its history and its incidents, computed from stored probes. */
export async function readStatus(
  db: Db,
  { market, parts: shown, nowMs }: StatusRequest,
): Promise<z.infer<typeof StatusAnswer>> {
  const minuteNow = Math.floor(nowMs / minuteMs) * minuteMs;
  return withSystem(db, async (tx) => {
    const { rows } = await sql<{ first: Date | null }>`select min(minute) as first from status_probes`.execute(tx);
    const firstMs = rows[0]?.first?.getTime();
    const latest = await readParts(tx, shown);
    const dayRows = await readDays(tx, minuteNow);
    const daysSince = (sinceMs: number | undefined) =>
      windowDays.find((each) => sinceMs !== undefined && sinceMs <= minuteNow - each * dayMs);
    const windows = new Set([...latest.values()].map(({ first }) => daysSince(first.getTime())));
    const upOfWindow = new Map<number, Map<StatusPart, number>>();
    for (const days of windows) if (days !== undefined) upOfWindow.set(days, await countUp(tx, days, minuteNow));
    const partOf = (part: StatusPart): z.infer<typeof StatusPartWire> => {
      const row = latest.get(part);
      const isCurrent = row !== undefined && nowMs - row.last.getTime() < currentMs;
      // A service that was configured later has no past before its first probe.
      const sinceMs = row?.first.getTime();
      const days = daysSince(sinceMs);
      const minutes = (days ?? 0) * 24 * 60;
      const upMinutes = upOfWindow.get(days ?? 0)?.get(part) ?? 0;
      const upOf = new Map(dayRows.filter((each) => each.part === part).map((each) => [each.day.getTime(), each.up]));
      return {
        part,
        state: !isCurrent ? 'unknown' : row.last_ok ? 'up' : 'down',
        checked_at: row?.last.toISOString() ?? null,
        duration_ms: row?.duration_ms ?? null,
        uptime: days === undefined ? null : { days, fraction: upMinutes / minutes, up_minutes: upMinutes, minutes },
        days: sinceMs === undefined ? [] : daysOf(sinceMs, minuteNow, upOf),
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
      incidents: await readIncidents(tx, shown, minuteNow),
    };
  });
}

function daysOf(firstMs: number, minuteNow: number, upOf: ReadonlyMap<number, number>) {
  const today = Math.floor(minuteNow / dayMs) * dayMs;
  const firstDay = Math.max(Math.floor(firstMs / dayMs) * dayMs, today - (KEPT_DAYS - 1) * dayMs);
  const count = Math.round((today - firstDay) / dayMs) + 1;
  return Array.from({ length: count }, (_each, at) => {
    const day = firstDay + at * dayMs;
    const minutes = minutesOfDay(day, firstMs, minuteNow);
    return { date: iso(day).slice(0, 10), up_minutes: Math.min(upOf.get(day) ?? 0, minutes), minutes };
  });
}
