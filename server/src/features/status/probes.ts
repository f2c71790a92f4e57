import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { RejectionError } from '../../platform/http/rejectionError.ts';
import type { ExchangeId, Market } from '../market/port.ts';
import { type StatusPart, statusParts } from './contract.ts';
import type { ProbeDependency } from './dependencies.ts';

export const minuteMs = 60_000;
export const RETENTION_DAYS = 90;
const dayMs = 24 * 60 * minuteMs;
/** Deadline of a probe: a dependency that has not responded by then has failed. */
const deadlineMs = 10_000;
const symbol = 'BTCUSDT';

export interface StatusProbeDeps {
  db: Db;
  market: Pick<Market, 'tops'>;
  /** Requests a signal over the port of this node; undefined without a port. */
  callSignal: ProbeDependency | undefined;
  /** Probes of the configured services. */
  asks: Partial<Record<StatusPart, ProbeDependency>>;
  /** Called for each failed probe, to explain a lost minute. */
  onFailed?: (failed: FailedProbe) => void;
  /** Epoch ms of the clock that stamps the minutes, the database's: nodes with different clocks share them. This node's when absent. */
  now?: () => Promise<number>;
  /** False while this node's clock is wrong: what fails here says nothing about the service. */
  isClockRight?: () => boolean;
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

const probeExchange =
  (market: StatusProbeDeps['market'], exchange: ExchangeId): ProbeDependency =>
  async (signal) => {
    // Not from memory: a live stream does not show whether requests work.
    const outcome = await market.tops({ exchange, symbols: [symbol], streamAgeMs: -1, signal });
    if (!outcome.ok) return outcome.error.code;
    return outcome.value.length > 0 ? null : 'upstream_unavailable';
  };

function probesOf({ db, market, callSignal, asks }: StatusProbeDeps): [StatusPart, ProbeDependency][] {
  const all: Partial<Record<StatusPart, ProbeDependency>> = {
    ...asks,
    async database() {
      await withSystem(db, (tx) => sql`select 1`.execute(tx));
      return null;
    },
    ...byVenue((venue) => probeExchange(market, venue)),
  };
  if (callSignal !== undefined) all.signals = callSignal;
  return statusParts.flatMap((part) => (all[part] === undefined ? [] : [[part, all[part]]]));
}

async function probe(part: StatusPart, request: ProbeDependency): Promise<Probe | undefined> {
  const startedMs = performance.now();
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve('deadline_exceeded'), deadlineMs);
  let cause: string | undefined;
  // A bug in a probe counts as a failed probe.
  const response = request(AbortSignal.timeout(deadlineMs)).catch((failure: unknown) => {
    cause = failure instanceof Error ? failure.message : String(failure);
    return failure instanceof RejectionError ? failure.rejection.code : 'internal_error';
  });
  const code = await Promise.race([response, late.promise]);
  clearTimeout(timer);
  if (code === undefined) return undefined;
  return { part, code, durationMs: performance.now() - startedMs, ...withoutUndefined({ cause }) };
}

/**
 * Probes every part once and stores the results for the minute of `nowMs`. Rejects when they could not be stored.
 * @param areFailuresStored false while the server is still loading, or its clock is wrong: that is no outage of a part
 * @returns whether all probes succeeded
 */
export async function probeStatus(deps: StatusProbeDeps, nowMs: number, areFailuresStored = true): Promise<boolean> {
  const minute = new Date(Math.floor(nowMs / minuteMs) * minuteMs);
  const probes = await Promise.all(probesOf(deps).map(([part, request]) => probe(part, request)));
  const matches = probes.filter(
    (each): each is Probe => each !== undefined && (areFailuresStored || each.code === null),
  );
  for (const { code, ...each } of matches) if (code !== null) deps.onFailed?.({ ...each, code });
  await withSystem(deps.db, async (tx) => {
    await sql`insert into status_probes as p (minute, part, is_ok, duration_ms, code)
      select ${minute}, f.part, f.code is null, f.duration_ms, f.code
      from unnest(${matches.map(({ part }) => part)}::text[], ${matches.map(({ durationMs }) => durationMs)}::float8[],
        ${matches.map(({ code }) => code)}::text[]) as f (part, duration_ms, code)
      on conflict (part, minute) do update
        set is_ok = excluded.is_ok, duration_ms = excluded.duration_ms, code = excluded.code where not p.is_ok`.execute(
      tx,
    );
    await sql`delete from status_probes where minute < ${new Date(nowMs - RETENTION_DAYS * dayMs)}`.execute(tx);
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

/** Probes now and at the start of each minute. @returns function that stops it and resolves once what runs is stored */
export function startStatusProbes(deps: StatusProbeDeps, onFailure: (failure: unknown) => void): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let again: NodeJS.Timeout | undefined;
  let isStopped = false;
  const running = new Set<Promise<void>>();
  const startedAtMs = Date.now();
  function probeMinute(startMs: number, tries: number): void {
    const endMs = Math.floor(startMs / minuteMs + 1) * minuteMs;
    const isLoading = Date.now() - startedAtMs < warmUp.lengthMs;
    const { pauseMs } = isLoading ? warmUp : repeated;
    const left = isLoading ? tries : tries - 1;
    const areFailuresStored = !isLoading && (deps.isClockRight?.() ?? true);
    const stored = deps.now?.().then((nowMs) => probeStatus(deps, nowMs, areFailuresStored));
    const round = (stored ?? probeStatus(deps, startMs, areFailuresStored)).then((isGood) => {
      const mayRepeat = !isStopped && left > 0 && Date.now() + pauseMs < endMs;
      if (isGood || !mayRepeat) return;
      again = setTimeout(() => probeMinute(startMs, left), pauseMs).unref();
    }, onFailure);
    running.add(round);
    void round.finally(() => running.delete(round));
  }
  const plan = (): void => {
    timer = setTimeout(startRound, minuteMs - (Date.now() % minuteMs)).unref();
  };
  const startRound = (): void => {
    const lateMs = Date.now() % minuteMs;
    if (lateMs > lateMsMax) deps.onLate?.(lateMs);
    probeMinute(Date.now(), repeated.tries);
    plan();
  };
  probeMinute(startedAtMs, repeated.tries);
  plan();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    clearTimeout(again);
    await Promise.all(running);
  };
}
