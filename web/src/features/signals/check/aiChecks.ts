import { proxy } from 'valtio';
import type { AiFields, CheckAnswer } from '../../../api/aiCheck.ts';
import type { AiCheckBody, Scan, ScanResults, ScanSignal } from '../../../api/types.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { onUserReset } from '../../../state/userReset.ts';

export const CHECK_GAP_MS = 120;
/** Retries of a result that another page is checking, or that met a rate limit. */
const REPEATS_MAX = 3;

export type CheckOptions = Pick<AiCheckBody, 'allowAiCorrectionOnReject' | 'softApproval'>;

interface AiCheckState {
  /** The scan whose results are being checked, or were. */
  scanId: string | null;
  /** `signal_id` of the result that is being asked about. */
  asking: string | null;
  doneCount: number;
  totalCount: number;
  isRunning: boolean;
  /** Why it ended before its end. */
  notice: string | null;
  /** Why a result has no verdict, by `signal_id`. */
  why: Record<string, string>;
}

const first = (): AiCheckState => ({
  scanId: null,
  asking: null,
  doneCount: 0,
  totalCount: 0,
  isRunning: false,
  notice: null,
  why: {},
});
export const aiCheckState = proxy<AiCheckState>(first());

const task = createLatestTask();

/** Ends the checks under way; what has been answered stays. */
export function stopChecks(): void {
  task.cancel();
  Object.assign(aiCheckState, { isRunning: false, asking: null });
}
/** The user stops the checks: no position of this scan opens automatically until they have ended. */
export function stopByOwner(): void {
  stopChecks();
  aiCheckState.notice = STOPPED_BY_OWNER;
}
export const STOPPED_BY_OWNER = 'no position of this scan opens automatically until its check has ended.';

onUserReset(() => Object.assign(aiCheckState, first()));

/** The parameters of the scan, and how a reject is handled. */
export function checkBodyOf(scan: Scan, { symbol, interval }: ScanSignal, options: CheckOptions): AiCheckBody {
  const { balance, riskTolerance, leverage, tuning } = scan.params;
  return {
    scan_id: scan.scan_id,
    symbol,
    interval: interval as AiCheckBody['interval'],
    limit: 200,
    balance,
    riskTolerance,
    leverage,
    tuning,
    allowAiCorrectionOnReject: options.allowAiCorrectionOnReject ?? false,
    softApproval: options.softApproval ?? false,
  };
}

/** The results the server says the scan's credit includes a check of, in its order. */
export function subjectsOf(results: ScanResults | null): ScanSignal[] {
  const byId = new Map(results?.all.map((signal) => [signal.signal_id, signal]));
  return results?.to_check.flatMap((id) => byId.get(id) ?? []) ?? [];
}

interface RunChecks {
  scan: Scan;
  options: CheckOptions;
  ask: (body: AiCheckBody, signal: AbortSignal) => Promise<CheckAnswer>;
  /** Writes the answer into the results on screen. */
  keep: (signalId: string, fields: AiFields) => void;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Checks the best results of a scan, one after the other. A later call replaces this one. */
export async function runChecks({ scan, options, ask, keep }: RunChecks): Promise<'ended' | 'stopped'> {
  const subjects = subjectsOf(scan.results);
  Object.assign(aiCheckState, { ...first(), scanId: scan.scan_id, totalCount: subjects.length, isRunning: true });
  const askAll = async (signal: AbortSignal): Promise<void> => {
    for (const [at, subject] of subjects.entries()) {
      if (at > 0) await pause(CHECK_GAP_MS);
      signal.throwIfAborted();
      aiCheckState.asking = subject.signal_id;
      const answer = await askPatiently(() => ask(checkBodyOf(scan, subject, options), signal), signal);
      signal.throwIfAborted();
      if (answer.kind !== 'checked') {
        aiCheckState.notice = answer.message;
        return;
      }
      if (answer.why !== null) aiCheckState.why[subject.signal_id] = answer.why;
      keep(subject.signal_id, answer.fields);
      aiCheckState.doneCount = at + 1;
    }
  };
  const isEnded = await task.run({ work: askAll, onDone: stopChecks });
  return isEnded ? 'ended' : 'stopped';
}

async function askPatiently(ask: () => Promise<CheckAnswer>, signal: AbortSignal): Promise<CheckAnswer> {
  for (let time = 0; ; time++) {
    const answer = await ask();
    if (answer.kind !== 'later' || time >= REPEATS_MAX || signal.aborted) return answer;
    await pause(answer.afterS * 1000);
  }
}
