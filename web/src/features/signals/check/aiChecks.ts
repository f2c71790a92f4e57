import { proxy } from 'valtio';
import { api } from '../../../api/client.ts';
import { failureOf, messageOf } from '../../../api/failure.ts';
import type { AiCheckBody, Scan, ScanResults, ScanSignal } from '../../../api/types.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { onUserReset } from '../../../state/userReset.ts';

const CHECK_GAP_MS = 120;
/** Retries of a result that another page is checking, or that met a rate limit. */
const REPEATS_MAX = 3;

type CheckOptions = Pick<AiCheckBody, 'allowAiCorrectionOnReject' | 'softApproval'>;

interface AiCheckState {
  /** The scan of the current or last checks. */
  scanId: string | null;
  /** `signal_id` of the result being checked. */
  checking: string | null;
  doneCount: number;
  totalCount: number;
  isRunning: boolean;
  /** Why the checks stopped early. */
  notice: string | null;
  /** Why a result has no verdict, by `signal_id`. */
  why: Record<string, string>;
}

const first = (): AiCheckState => ({
  scanId: null,
  checking: null,
  doneCount: 0,
  totalCount: 0,
  isRunning: false,
  notice: null,
  why: {},
});
export const aiCheckState = proxy<AiCheckState>(first());

const task = createLatestTask();

/** Stops the running checks; finished results stay. */
export function stopChecks(): void {
  task.cancel();
  Object.assign(aiCheckState, { isRunning: false, checking: null });
}
/** The user stops the checks: no position of this scan opens automatically until they have ended. */
export function stopByOwner(): void {
  stopChecks();
  aiCheckState.notice = STOPPED_BY_OWNER;
}
export const STOPPED_BY_OWNER = 'automatic opening waits for the checks.';

onUserReset(() => Object.assign(aiCheckState, first()));

/** The parameters of the scan, and how a reject is handled. */
function checkBodyOf(scan: Scan, { symbol, interval }: ScanSignal, options: CheckOptions): AiCheckBody {
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

/** The results whose check is included in the scan's credit, in the server's order. */
export function subjectsOf(results: ScanResults | null): ScanSignal[] {
  const byId = new Map(results?.all.map((signal) => [signal.signal_id, signal]));
  return results?.to_check.flatMap((id) => byId.get(id) ?? []) ?? [];
}

interface RunChecks {
  scan: Scan;
  options: CheckOptions;
  ask: (body: AiCheckBody, signal: AbortSignal) => Promise<CheckResponse>;
  /** Writes the response into the results on screen. */
  keep: (signalId: string, fields: AiFields) => void;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Checks the best results of a scan, one after the other. A later call replaces this one. */
export async function runChecks({ scan, options, ask, keep }: RunChecks): Promise<'ended' | 'stopped'> {
  const subjects = subjectsOf(scan.results);
  Object.assign(aiCheckState, { ...first(), scanId: scan.scan_id, totalCount: subjects.length, isRunning: true });
  const checkAll = async (signal: AbortSignal): Promise<void> => {
    for (const [at, subject] of subjects.entries()) {
      if (at > 0) await pause(CHECK_GAP_MS);
      signal.throwIfAborted();
      aiCheckState.checking = subject.signal_id;
      const response = await requestPatiently(() => ask(checkBodyOf(scan, subject, options), signal), signal);
      signal.throwIfAborted();
      if (response.kind !== 'checked') {
        aiCheckState.notice = response.message;
        return;
      }
      if (response.why !== null) aiCheckState.why[subject.signal_id] = response.why;
      keep(subject.signal_id, response.fields);
      aiCheckState.doneCount = at + 1;
    }
  };
  const isEnded = await task.run({ work: checkAll, onDone: stopChecks });
  return isEnded ? 'ended' : 'stopped';
}

async function requestPatiently(request: () => Promise<CheckResponse>, signal: AbortSignal): Promise<CheckResponse> {
  for (let time = 0; ; time++) {
    const response = await request();
    if (response.kind !== 'later' || time >= REPEATS_MAX || signal.aborted) return response;
    await pause(response.afterS * 1000);
  }
}

export type AiFields = Pick<
  ScanSignal,
  'ai_state' | 'rule_check' | 'aiApproved' | 'aiRationale' | 'aiProposal' | 'suggestedRiskMultiplier'
>;

/** `checked`: there is a state to show. `later`: repeat the request after a while. `stopped`: no more checks of this scan. */
export type CheckResponse =
  | { kind: 'checked'; fields: AiFields; why: string | null }
  | { kind: 'later'; afterS: number; message: string }
  | { kind: 'stopped'; message: string };

const none = { aiApproved: null, aiRationale: null, aiProposal: null, suggestedRiskMultiplier: null };
const offline: AiFields = { ...none, ai_state: 'offline', rule_check: null };

/**
 * Interprets a response of the AI check. A reject (409) and an unavailable analyst (503 `ai_offline`) are states of the result, not errors;
 * neither approves anything.
 */
export function checkResponseOf(response: Response, body: unknown): CheckResponse {
  const fields = body as Partial<AiFields & { rationale: string | null }>;
  if (response.ok) return { kind: 'checked', fields: fieldsOf(fields), why: null };
  const failure = failureOf(response, body);
  if (response.status === 409) {
    const aiRationale = fields.rationale ?? null;
    return {
      kind: 'checked',
      fields: { ...fieldsOf(fields), ai_state: 'rejected', aiApproved: false, aiRationale },
      why: null,
    };
  }
  if (failure.code === 'ai_offline')
    return { kind: 'checked', fields: offline, why: messageOf(failure, 'No response from the analyst.') };
  if (failure.code === 'rate_limited')
    return { kind: 'later', afterS: failure.retryAfterS ?? 1, message: messageOf(failure, 'Too many checks at once.') };
  return { kind: 'stopped', message: messageOf(failure, 'Analysis failed') };
}

const fieldsOf = (body: Partial<AiFields>): AiFields => ({
  ai_state: body.ai_state ?? 'online',
  rule_check: body.rule_check ?? null,
  aiApproved: body.aiApproved ?? null,
  aiRationale: body.aiRationale ?? null,
  aiProposal: body.aiProposal ?? null,
  suggestedRiskMultiplier: body.suggestedRiskMultiplier ?? null,
});

/** Requests a second opinion on one result. */
export async function requestAiCheck(body: AiCheckBody, signal: AbortSignal): Promise<CheckResponse> {
  try {
    const { data, error, response } = await api.POST('/api/signal/ai-check', { body, signal });
    return checkResponseOf(response, data ?? error);
  } catch {
    return { kind: 'stopped', message: 'No response from the server. Check your connection and retry.' };
  }
}
