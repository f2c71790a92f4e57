import type { MarketMode } from '../../config.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { type Db, type UserTx, withUser, withSystem } from '../../platform/db/scope.ts';
import { preferencesOf } from '../preferences/preferencesOf.ts';
import { savedTuningOf } from '../tuning/tuningOf.ts';
import { isModelApproval, valueOfAi } from './aiValue.ts';
import { type ConfidenceBasis, readAllBases, unmeasured } from '../signals/confidenceBasis.ts';
import type { PerformanceWire, ScoreboardWire } from './contract.ts';
import { readOwnStrategies } from './ownStrategies.ts';
import { recordOf, resolvedOf } from './performance.ts';
import type { PublicRecord, RecordView } from './record.ts';
import { readReport } from './replay/replayRepository.ts';
import { replayedRecord, replayToWire } from './replay/replayToWire.ts';
import { readFloorChange, readOpinions, readOwnIds, readVerdicts, type StoredOpinions } from './recordRepository.ts';
import { recordOfVotes, usable, valueOfTuning, type VotedSignal } from './tuningValue.ts';
import { readPublicHistory } from './signalRepository.ts';

/** Current basis of confidence, in the order of the scanned intervals, with its past reliability. */
const reportOf = (view: RecordView, bases: readonly ConfidenceBasis[]): PerformanceWire['confidence'] => ({
  ...view.compared(),
  bases: signalIntervals.map((interval) => bases.find((each) => each.interval === interval) ?? unmeasured(interval)),
});

type OriginOf = ScoreboardWire['origin'];

export interface ReadPerformanceDeps {
  db: Db;
  record: PublicRecord;
  config: { market: MarketMode };
}

/** Number of newest resolved signals that the weights are tested on. */
const SIGNALS_MAX = 5000;

export interface Timed {
  answer: PerformanceWire;
  /** Durations of the parts, ms. */
  timing: { record: number; own: number; votes: number };
}

type Voted = ReturnType<typeof usable>;

/** The figures of the public record for one user. Of the shared data only new rows are read. */
export function createReadPerformance({ db, record, config: { market } }: ReadPerformanceDeps) {
  let stored: { version: number; voted: Voted; votes: PerformanceWire['votes'] } | undefined;

  /** Shared by all users, and unchanged until a signal is resolved. */
  async function votedOf(tx: UserTx, view: RecordView) {
    if (stored?.version === view.version) return stored;
    const { version } = view;
    const voted = usable(join(view, await readOpinions(tx, market, SIGNALS_MAX)));
    stored = { version, voted, votes: recordOfVotes(voted.observed) };
    return stored;
  }

  return async (userId: string, origin: OriginOf): Promise<Timed> => {
    const startedAt = performance.now();
    const view = await record.read();
    const nowMs = Date.now();
    const report = origin === 'replayed' ? await withSystem(db, (tx) => readReport(tx, market)) : null;
    const engine = origin === 'live' ? view.engine(nowMs) : replayedRecord(report);
    const confidence = reportOf(view, await withSystem(db, (tx) => readAllBases(tx, market)));
    const readAt = performance.now();
    return withUser(db, userId, async (tx) => {
      const [ids, verdicts] = [await readOwnIds(tx), await readVerdicts(tx)];
      const signalsOf = (wanted: Iterable<string>) => [...new Set(wanted)].flatMap((id) => view.signals.get(id) ?? []);
      const approved = signalsOf(verdicts.filter(isModelApproval).map(({ signalId }) => signalId));
      const own = {
        mine: recordOf(signalsOf(ids), nowMs),
        ai_check: approved.length === 0 ? null : recordOf(approved, nowMs),
        ai_value: valueOfAi(verdicts, view.signals),
      };
      const strategies = await readOwnStrategies(tx, { userId, market, nowMs });
      const ownAt = performance.now();
      const saved = await savedTuningOf(tx, userId);
      const { tuning_conf_floor: confidenceFloor } = await preferencesOf(tx);
      const { voted, votes } = await votedOf(tx, view);
      // A later change of the floor restarts the out-of-sample period: earlier results are in sample, whenever the weights were saved.
      const savedAt = new Date(Math.max(saved?.savedAt.getTime() ?? 0, (await readFloorChange(tx))?.getTime() ?? 0));
      const tuning = saved === null ? null : valueOfTuning(voted, { ...saved, savedAt, confidenceFloor });
      return {
        answer: { origin, replay: replayToWire(report), market, confidence, engine, ...own, tuning, votes, strategies },
        timing: { record: readAt - startedAt, own: ownAt - readAt, votes: performance.now() - ownAt },
      };
    });
  };
}

/** Skips signals that are newer than the view; the next call includes them. */
const join = ({ signals }: RecordView, stored: readonly StoredOpinions[]): VotedSignal[] =>
  stored.flatMap(({ id, score, opinions, tuning, points }) => {
    const signal = signals.get(id);
    if (signal === undefined) return [];
    return resolvedOf([signal]).map((resolved) => ({ ...resolved, score, opinions: opinions ?? [], tuning, points }));
  });

const newestMax = 50;

/**
 * The public record: of signals, never of users. Counts the first AI verdict on each signal, so that a signal checked by many users
 * counts once.
 */
export async function readScoreboard(
  db: Db,
  market: MarketMode,
  { record, origin }: { record: PublicRecord; origin: OriginOf },
): Promise<ScoreboardWire> {
  const view = await record.read();
  const nowMs = Date.now();
  const { verdicts, history, bases, report } = await withSystem(db, async (tx) => ({
    verdicts: await readVerdicts(tx),
    history: await readPublicHistory(tx, newestMax, market),
    bases: await readAllBases(tx, market),
    report: origin === 'replayed' ? await readReport(tx, market) : null,
  }));
  const first = new Map(verdicts.toReversed().map((verdict) => [verdict.signalId, verdict]));
  const approved = [...first.values()].flatMap((verdict) =>
    isModelApproval(verdict) ? (view.signals.get(verdict.signalId) ?? []) : [],
  );
  return {
    origin,
    replay: replayToWire(report),
    market,
    confidence: reportOf(view, bases),
    engine: origin === 'live' ? view.engine(nowMs) : replayedRecord(report),
    ai_check: approved.length === 0 ? null : recordOf(approved, nowMs),
    ai_value: valueOfAi(verdicts, view.signals),
    // The contract does not contain the user whose scan found it, so it is not sent.
    newest: history,
  };
}
