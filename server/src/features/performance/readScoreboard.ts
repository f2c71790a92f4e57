import type { MarketMode } from '../../config.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { isModelApproval, valueOfAi } from './aiValue.ts';
import type { ScoreboardWire } from './contract.ts';
import { recordOf } from './performance.ts';
import type { PublicRecord } from './record.ts';
import { readVerdicts } from './recordRepository.ts';
import { readHistory } from './signalRepository.ts';

const newestMax = 50;

/**
 * The record as anybody may see it: of signals, never of people. Verdicts of all AI checks are counted by signal, the first one on
 * each, so that what many asked about counts no more than what one did.
 */
export async function readScoreboard(db: Db, market: MarketMode, record: PublicRecord): Promise<ScoreboardWire> {
  const view = await record.read();
  const nowMs = Date.now();
  const { verdicts, history } = await withSystem(db, async (tx) => ({
    verdicts: await readVerdicts(tx),
    history: await readHistory(tx, newestMax, { market }),
  }));
  const first = new Map(verdicts.toReversed().map((verdict) => [verdict.signalId, verdict]));
  const approved = [...first.values()].flatMap((verdict) =>
    isModelApproval(verdict) ? (view.signals.get(verdict.signalId) ?? []) : [],
  );
  return {
    market,
    engine: view.engine(nowMs),
    ai_check: approved.length === 0 ? null : recordOf(approved, nowMs),
    ai_value: valueOfAi(verdicts, view.signals),
    // Whose scan found it is not in the contract, so it is not sent.
    newest: history,
  };
}
