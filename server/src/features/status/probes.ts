import { sql } from 'kysely';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { RefusalError } from '../../platform/http/refusalError.ts';
import type { ExchangeId, Market } from '../market/port.ts';
import type { Signals } from '../signals/computeSignal.ts';
import { neutralTuning } from '@sextant/workers/src/signalRules.ts';
import { type StatusPart, statusParts } from './contract.ts';

export const minuteMs = 60_000;
export const KEPT_DAYS = 90;
const dayMs = 24 * 60 * minuteMs;
/** A dependency that has not answered by then failed this probe. */
const deadlineMs = 10_000;
const probed = { symbol: 'BTCUSDT', interval: '1h' } as const;
const standard = { balance: 1000, leverage: 10, riskTolerance: 'medium', isDynamicRisk: false } as const;

export interface StatusProbeDeps {
  db: Db;
  market: Pick<Market, 'tops'>;
  signals: Pick<Signals, 'compute'>;
}

interface Probe {
  part: StatusPart;
  durationMs: number;
  /** Null when it succeeded. */
  code: string | null;
}

/** Resolves with the code of a failure, null for a good answer. */
type Ask = () => Promise<string | null>;

const exchangeAsk =
  (market: StatusProbeDeps['market'], exchange: ExchangeId): Ask =>
  async () => {
    // Not from memory: a stream that is alive says nothing about requests.
    const signal = AbortSignal.timeout(deadlineMs);
    const found = await market.tops({ exchange, symbols: [probed.symbol], streamAgeMs: -1, signal });
    if (!found.ok) return found.error.code;
    return found.value.length > 0 ? null : 'upstream_unavailable';
  };

function asksOf({ db, market, signals }: StatusProbeDeps): Record<StatusPart, Ask> {
  return {
    async signals() {
      const { symbol, interval } = probed;
      const request = { exchange: 'binance', symbol, intervals: [interval], limit: 500 } as const;
      const outcome = await signals.compute({
        ...request,
        intervals: [...request.intervals],
        sizing: standard,
        tuning: neutralTuning,
      });
      return outcome.ok ? null : outcome.error.code;
    },
    async database() {
      await withSystem(db, (tx) => sql`select 1`.execute(tx));
      return null;
    },
    binance: exchangeAsk(market, 'binance'),
    bybit: exchangeAsk(market, 'bybit'),
    okx: exchangeAsk(market, 'okx'),
  };
}

async function probe(part: StatusPart, ask: Ask): Promise<Probe> {
  const startedMs = performance.now();
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve('deadline_exceeded'), deadlineMs);
  // A bug in a probe is a failed probe here; the request that meets it logs it.
  const asked = ask().catch((failure: unknown) =>
    failure instanceof RefusalError ? failure.refusal.code : 'internal_error',
  );
  const code = await Promise.race([asked, late.promise]);
  clearTimeout(timer);
  return { part, code, durationMs: performance.now() - startedMs };
}

/** Probes every part once and stores what was found for the minute of `nowMs`. Rejects when it could not be stored. */
export async function probeStatus(deps: StatusProbeDeps, nowMs: number): Promise<void> {
  const asks = asksOf(deps);
  const minute = new Date(Math.floor(nowMs / minuteMs) * minuteMs);
  const found = await Promise.all(statusParts.map((part) => probe(part, asks[part])));
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
}

/** Probes now and at the start of each minute. @returns stops it */
export function startStatusProbes(deps: StatusProbeDeps, onFailure: (failure: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const round = (): void => {
    probeStatus(deps, Date.now()).catch(onFailure);
    timer = setTimeout(round, minuteMs - (Date.now() % minuteMs)).unref();
  };
  round();
  return () => clearTimeout(timer);
}
