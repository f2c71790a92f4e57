import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { RefusalError } from '../../platform/http/refusalError.ts';
import type { ExchangeId, Market } from '../market/port.ts';
import { type StatusPart, statusParts } from './contract.ts';
import type { Ask } from './dependencies.ts';

export const minuteMs = 60_000;
export const KEPT_DAYS = 90;
const dayMs = 24 * 60 * minuteMs;
/** Deadline of a probe: a dependency that has not responded by then has failed. */
const deadlineMs = 10_000;
const symbol = 'BTCUSDT';

export interface StatusProbeDeps {
  db: Db;
  market: Pick<Market, 'tops'>;
  /** Requests a signal over the port of this node; undefined without a port. */
  callSignal: Ask | undefined;
  /** Of the configured services. */
  asks: Partial<Record<StatusPart, Ask>>;
  /** Called for each failed probe, to explain a lost minute. */
  onFailed?: (failed: FailedProbe) => void;
  /** Called for a round that started this many ms after its minute: the process was blocked. */
  onLate?: (lateMs: number) => void;
}

/** A failed probe: the stored code, and the thrown error. */
export interface FailedProbe {
  part: StatusPart;
  code: string;
  durationMs: number;
  cause?: string;
}

interface Probe {
  part: StatusPart;
  durationMs: number;
  /** Null when it succeeded. */
  code: string | null;
  cause?: string;
}

const askExchange =
  (market: StatusProbeDeps['market'], exchange: ExchangeId): Ask =>
  async (signal) => {
    // Not from memory: a live stream does not show whether requests work.
    const found = await market.tops({ exchange, symbols: [symbol], streamAgeMs: -1, signal });
    if (!found.ok) return found.error.code;
    return found.value.length > 0 ? null : 'upstream_unavailable';
  };

function asksOf({ db, market, callSignal, asks }: StatusProbeDeps): [StatusPart, Ask][] {
  const all: Partial<Record<StatusPart, Ask>> = {
    ...asks,
    async database() {
      await withSystem(db, (tx) => sql`select 1`.execute(tx));
      return null;
    },
    ...byVenue((venue) => askExchange(market, venue)),
  };
  if (callSignal !== undefined) all.signals = callSignal;
  return statusParts.flatMap((part) => (all[part] === undefined ? [] : [[part, all[part]]]));
}

async function probe(part: StatusPart, ask: Ask): Promise<Probe | undefined> {
  const startedMs = performance.now();
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve('deadline_exceeded'), deadlineMs);
  let cause: string | undefined;
  // A bug in a probe counts as a failed probe.
  const asked = ask(AbortSignal.timeout(deadlineMs)).catch((failure: unknown) => {
    cause = failure instanceof Error ? failure.message : String(failure);
    return failure instanceof RefusalError ? failure.refusal.code : 'internal_error';
  });
  const code = await Promise.race([asked, late.promise]);
  clearTimeout(timer);
  if (code === undefined) return undefined;
  return { part, code, durationMs: performance.now() - startedMs, ...withoutUndefined({ cause }) };
}

/**
 * Probes every part once and stores the results for the minute of `nowMs`. Rejects when they could not be stored.
 * @param areFailuresStored false while the server is still loading: its own start is no outage of a part
 * @returns whether all probes succeeded
 */
export async function probeStatus(deps: StatusProbeDeps, nowMs: number, areFailuresStored = true): Promise<boolean> {
  const minute = new Date(Math.floor(nowMs / minuteMs) * minuteMs);
  const probes = await Promise.all(asksOf(deps).map(([part, ask]) => probe(part, ask)));
  const found = probes.filter((each): each is Probe => each !== undefined && (areFailuresStored || each.code === null));
  for (const { code, ...each } of found) if (code !== null) deps.onFailed?.({ ...each, code });
  await withSystem(deps.db, async (tx) => {
    await sql`insert into status_probes as p (minute, part, is_ok, duration_ms, code)
      select ${minute}, f.part, f.code is null, f.duration_ms, f.code
      from unnest(${found.map(({ part }) => part)}::text[], ${found.map(({ durationMs }) => durationMs)}::float8[],
        ${found.map(({ code }) => code)}::text[]) as f (part, duration_ms, code)
      on conflict (part, minute) do update
        set is_ok = excluded.is_ok, duration_ms = excluded.duration_ms, code = excluded.code where not p.is_ok`.execute(
      tx,
    );
    await sql`delete from status_probes where minute < ${new Date(nowMs - KEPT_DAYS * dayMs)}`.execute(tx);
  });
  return probes.every((each) => each?.code === null);
}

/** Failed probes are repeated within their minute, so that one busy moment is no failed minute. */
const repeated = { tries: 2, pauseMs: 15_000 };
/**
 * A server that has just started is still loading: until this long after its start its probes are repeated more often and their failures
 * are not stored, also across the end of its first, partial minute.
 */
const warmUp = { lengthMs: 30_000, pauseMs: 5000 };
/** A round that starts later than this shows that the process was blocked. */
const lateMsMax = 2000;

/** Probes now and at the start of each minute. @returns function that stops it */
export function startStatusProbes(deps: StatusProbeDeps, onFailure: (failure: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let isStopped = false;
  const startedAtMs = Date.now();
  function probeMinute(startMs: number, tries: number): void {
    const endMs = Math.floor(startMs / minuteMs + 1) * minuteMs;
    const isLoading = Date.now() - startedAtMs < warmUp.lengthMs;
    const { pauseMs } = isLoading ? warmUp : repeated;
    const left = isLoading ? tries : tries - 1;
    probeStatus(deps, startMs, !isLoading).then((isGood) => {
      const mayRepeat = !isStopped && left > 0 && Date.now() + pauseMs < endMs;
      if (isGood || !mayRepeat) return;
      again = setTimeout(() => probeMinute(startMs, left), pauseMs).unref();
    }, onFailure);
  }
  const plan = (): void => {
    timer = setTimeout(round, minuteMs - (Date.now() % minuteMs)).unref();
  };
  const round = (): void => {
    const lateMs = Date.now() % minuteMs;
    if (lateMs > lateMsMax) deps.onLate?.(lateMs);
    probeMinute(Date.now(), repeated.tries);
    plan();
  };
  probeMinute(startedAtMs, repeated.tries);
  plan();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    clearTimeout(again);
  };
}
