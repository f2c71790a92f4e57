import { firstOfEach } from '@sextant/workers/src/signals/clusters.ts';
import type { AiValueWire } from './contract.ts';
import { type RecordedSignal, resolvedOf } from './performance.ts';
import { valueOfVeto } from './veto.ts';

/** A stored verdict on a recorded signal. One that passed softly or with a correction was a rejection. */
export interface Verdict {
  signalId: string;
  isApproved: boolean;
  decidedBy: AiValueWire['decided_by'];
  model: string;
}

/** Only a model's approval counts as the AI's; the built-in rules are counted separately. */
export const isModelApproval = ({ isApproved, decidedBy }: Verdict): boolean => isApproved && decidedBy === 'model';

/** Value of verdicts, by author. @param verdicts in chronological order: the first verdict on a signal counts */
export function valueOfAi(verdicts: readonly Verdict[], record: ReadonlyMap<string, RecordedSignal>): AiValueWire[] {
  const byJudge = Map.groupBy(verdicts, ({ decidedBy, model }) => `${decidedBy} ${model}`);
  return [...byJudge.values()].flatMap((given) => {
    const [{ decidedBy, model } = { decidedBy: 'model', model: '' } as const] = given;
    const first = new Map(given.toReversed().map((verdict) => [verdict.signalId, verdict]));
    const signals = [...first.keys()].flatMap((id) => record.get(id) ?? []);
    if (signals.length === 0) return [];
    const resolved = resolvedOf(signals);
    const observed = firstOfEach(resolved);
    return {
      decided_by: decidedBy,
      model,
      open: signals.length - resolved.length,
      repeats: resolved.length - observed.length,
      ...valueOfVeto(
        observed.map(({ id, closeAtMs, exitAtMs, netFraction }) => ({
          closeAtMs,
          exitAtMs,
          netFraction,
          isPassed: first.get(id)?.isApproved === true,
        })),
      ),
    };
  });
}
