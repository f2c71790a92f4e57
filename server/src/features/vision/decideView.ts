import { wilson } from '@sextant/workers/src/core/wilson.ts';
import type { Analysed } from './analyse.ts';
import { HORIZON_CANDLES, MODEL_REFUNDS_PER_DAY, VIEWS_MIN, type VisionRecord, type VisionResult } from './contract.ts';
import type { ModelSeen } from './modelView.ts';
import { refundMessages } from './rules.ts';

/** Selects the view of a chart that decides, by measured results. Described in docs/vision.md. */

/** Judged views of one kind on one interval. */
export interface ViewCount {
  by: 'rules' | 'model';
  model: string | null;
  interval: string;
  count: number;
  rightCount: number;
  longCount: number;
  roseCount: number;
}

export function recordWire({ by, model, interval, count, ...of }: ViewCount): VisionRecord {
  const range = wilson(of.rightCount, count);
  const share = (part: number): number | null => (count === 0 ? null : part / count);
  return {
    by,
    model,
    interval,
    horizon_candles: HORIZON_CANDLES,
    count,
    needed: VIEWS_MIN,
    right_count: of.rightCount,
    right_share: share(of.rightCount),
    right_low: range?.low ?? null,
    right_high: range?.high ?? null,
    long_share: share(of.longCount),
    rose_share: share(of.roseCount),
    base_share: count === 0 ? null : coinShare(count, of.longCount, of.roseCount),
  };
}

/** Hit rate of a random guess with the same share of LONG. One division, so that an equal track record does not differ by rounding. */
const coinShare = (count: number, long: number, rose: number): number =>
  (long * rose + (count - long) * (count - rose)) / (count * count);

const percent = (share: number | null): string => `${Math.round((share ?? 0) * 100)} %`;

/**
 * Why the track record of the deciding view prevents an automatic opening; null when it does not. Below the minimum number of views a
 * track record has no effect.
 */
export function recordObjection({ views, decided_by: by }: Pick<VisionResult, 'views' | 'decided_by'>): string | null {
  const record = views.find((view) => view.by === by)?.record ?? null;
  if (record === null || record.count < VIEWS_MIN) return null;
  const { count, interval, right_share: right, base_share: base } = record;
  if ((right ?? 0) > (base ?? 1)) return null;
  const name = by === 'model' ? 'the AI model' : 'the rules';
  return `The record of ${name} on ${interval} is no better than its base rate: right in ${percent(right)} of ${count} judged views, chance gives ${percent(base)}.`;
}

/** The track record of one view on an interval, empty when nothing was judged yet. */
export function recordFor(
  counts: readonly ViewCount[],
  { by, model, interval }: Pick<ViewCount, 'by' | 'model' | 'interval'>,
): VisionRecord {
  const own = counts.find((each) => each.by === by && each.model === model && each.interval === interval);
  const none = { by, model, interval, count: 0, rightCount: 0, longCount: 0, roseCount: 0 };
  return recordWire(own ?? none);
}

/**
 * A model decides when at least 30 of its views were judged and the lower end of its confidence interval exceeds the hit rate of the
 * rules, one half and its base rate: otherwise its edge may be chance, or that of following the market's drift.
 */
export function decide(rules: VisionRecord, model: VisionRecord | null): { by: 'rules' | 'model'; because: string } {
  if (model === null) return { by: 'rules', because: 'The rules decide.' };
  const { count, interval } = model;
  if (count < VIEWS_MIN)
    return {
      by: 'rules',
      because: `The rules decide: ${count} of ${VIEWS_MIN} AI views needed on ${interval}.`,
    };
  const ofRules = rules.count < VIEWS_MIN ? null : rules.right_share;
  const bar = Math.max(0.5, model.base_share ?? 0.5, ofRules ?? 0.5);
  const right = `it was right in ${percent(model.right_share)} of ${count} judged views on ${interval}`;
  return (model.right_low ?? 0) > bar
    ? { by: 'model', because: `The AI model decides: ${right}, measurably better than the rules and chance.` }
    : { by: 'rules', because: `The rules decide. The AI model is not measurably better: ${right}.` };
}

/** The stored and shown result: all views, and the figures of the deciding one. */
export type Combined = Analysed & {
  result: Omit<VisionResult, 'credit_refunded' | 'refund_message' | 'opening'>;
  /** A model alone opens nothing: the rules must agree on the direction. */
  isConfirmed: boolean;
  /** The credit is refunded only because the model's response is unusable; counted, because such refunds are limited. */
  isModelRefund: boolean;
};

export function combine(
  analysed: Analysed,
  seen: ModelSeen,
  { counts, modelRefunds }: { counts: readonly ViewCount[]; modelRefunds: number },
): Combined {
  const { view } = seen;
  const { refund: faultRefund, failure, isModelRefund } = refundOf(analysed, seen, modelRefunds);
  const { result } = analysed;
  const interval = result.timeframe;
  const recordOf = (by: 'rules' | 'model', model: string | null): VisionRecord | null =>
    interval === null ? null : recordFor(counts, { by, model, interval });
  const ofRules = recordOf('rules', null);
  const ofModel = view === null ? null : recordOf('model', view.model);
  const isLone = view === null && failure === null;
  const { by, because } =
    isLone || ofRules === null
      ? { by: 'rules' as const, because: isLone ? 'The rules decide: no AI model is connected.' : 'The rules decide.' }
      : decide(ofRules, ofModel);
  const views: VisionResult['views'] = [
    ...(result.grounding === null ? [] : [rulesView(result, ofRules)]),
    ...(view === null ? [] : [{ ...view, record: ofModel }]),
  ];
  const stated = { decided_by: by, decided_because: because, model_failure: failure, views };
  if (by === 'rules' || view === null)
    return { ...analysed, refund: faultRefund, isModelRefund, isConfirmed: true, result: { ...result, ...stated } };
  const isConfirmed = view.direction === result.direction;
  const decided = {
    direction: view.direction,
    // Its measured hit rate, not the confidence that it states.
    confidence: ofModel?.right_share ?? 0,
    confidence_kind: 'calibrated' as const,
    sentiment: view.sentiment ?? result.sentiment,
    risk_score: view.risk_score,
    levels: view.levels,
    liquidation_approx: isConfirmed ? result.liquidation_approx : null,
    rationale: view.rationale,
  };
  const refund = view.direction === 'NEUTRAL' ? refundMessages.neutral : null;
  return { ...analysed, refund, isModelRefund: false, isConfirmed, result: { ...result, ...decided, ...stated } };
}

/**
 * A failed model request refunds the credit, even when the view of the rules is usable. A picture can be crafted so that every response
 * is unusable: after a few of those in a day the view of the rules costs its credit.
 */
function refundOf({ refund }: Analysed, { failure, fault }: ModelSeen, modelRefunds: number) {
  if (refund !== null || fault === 'none') return { refund, failure, isModelRefund: false };
  const modelFailed: string = refundMessages.modelFailed;
  if (fault === 'unreached') return { refund: modelFailed, failure, isModelRefund: false };
  if (modelRefunds < MODEL_REFUNDS_PER_DAY) return { refund: modelFailed, failure, isModelRefund: true };
  return { refund, failure: `${failure ?? ''} ${refundMessages.refundsUsed}`, isModelRefund: false };
}

const rulesView = (result: Analysed['result'], record: VisionRecord | null): VisionResult['views'][number] => ({
  by: 'rules',
  model: null,
  direction: result.direction,
  confidence: result.confidence,
  sentiment: result.sentiment,
  risk_score: result.risk_score,
  levels: result.levels,
  rationale: result.rationale,
  record,
});
