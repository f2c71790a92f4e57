import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import type { Signal, SignalItem } from '@sextant/workers/src/protocol/signals.ts';
import type { PatternHit } from '@sextant/workers/src/protocol/vision.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { signalSizing } from '@sextant/workers/src/signals/signalRules.ts';
import { GROUND_CLOSES_MIN } from '@sextant/workers/src/vision/ground.ts';
import type { ChartReading } from '@sextant/workers/src/vision/reading.ts';
import type { Outcome } from '../../platform/errors.ts';
import { rejectTask } from '../market/rejectTask.ts';
import type { Interval, Market } from '../market/port.ts';
import { type ConfidenceBases, stateConfidence, unmeasured } from '../signals/confidenceBasis.ts';
import type { Preferences } from '../preferences/contract.ts';
import { timeframesOf } from '../signals/rules.ts';
import { neutralTuning, rulesOf } from '@sextant/workers/src/signals/signalRules.ts';
import type { VisionResult } from './contract.ts';
import type { Grounding } from './groundPicture.ts';
import type { ReadPicture } from './readPicture.ts';
import { levelProblem, patternsOf, refundMessages, riskScoreOf } from './rules.ts';
import type { PatternRecords } from './patternRecords.ts';
import { type Material, materialOfMarket, materialOfReading } from './material.ts';
import { linesOf, placesOf, type Shown, shownCandles, spotsOf } from './shownCandles.ts';
import { correlationText, groundingWire, pct } from './groundingWire.ts';

export interface AnalyseDeps {
  market: Market;
  engine: EnginePool;
  confidences: ConfidenceBases;
  records: PatternRecords;
  now: () => number;
}

type DecisionField = 'views' | 'decided_by' | 'decided_because' | 'model_failure';

/** Rule analysis of a picture. `refund` is null when the result is usable. */
export interface Analysed {
  result: Omit<VisionResult, 'credit_refunded' | 'refund_message' | 'opening' | DecisionField>;
  refund: string | null;
  /** Allowed price range of levels; null when the market is not verified. */
  range: { low: number; high: number } | null;
}

export interface AnalysisRequest {
  userId: string;
  preferences: Pick<Preferences, 'balance_usdt' | 'leverage' | 'risk_tolerance'>;
  signal: AbortSignal;
}

/** Patterns completed within this many last candles are listed. */
const PATTERN_CANDLES = 20;
/** An older pattern does not count against the direction. */
const FRESH_CANDLES = 3;

/** Rule analysis: the ensemble, its levels and the candlestick patterns, on market candles or on those read from the picture. */
export async function analyse(
  deps: AnalyseDeps,
  { reading, size }: { reading: ChartReading; size: ReadPicture['size'] },
  grounding: Grounding,
  requested: AnalysisRequest,
): Promise<Outcome<Analysed>> {
  const { found } = grounding;
  const loaded = found === null ? ok(materialOfReading(reading)) : await materialOfMarket(deps, found, requested);
  if (!loaded.ok) return loaded;
  const material = loaded.value;
  const seen = await compute(deps, material, requested);
  if (!seen.ok) return seen;
  const context = groundingWire(reading, grounding, deps.now());
  const shown = shownCandles(material, reading, found);
  const places = placesOf(reading, shown, found);
  const drawn = { spots: spotsOf(reading, size, places), lines: linesOf(reading, size, places) };
  return ok(await resultOf(deps, { material, seen: seen.value, context, shown, drawn }));
}

interface Seen {
  main: Signal | null;
  single: { interval: Interval; signal: Signal | null }[];
  hits: PatternHit[];
}

async function compute(
  { engine }: AnalyseDeps,
  { base, longer, single, market }: Material,
  { preferences, signal }: AnalysisRequest,
): Promise<Outcome<Seen>> {
  const framesOf = (series: readonly { interval: Interval; candles: Candles }[]) =>
    timeframesOf(series.map((each) => ({ ...each, ...unsourced })));
  const { exchange } = unsourced;
  const items: SignalItem[] = [
    { symbol: 'picture', exchange, timeframes: framesOf([base, ...longer]), market },
    ...single.map((each) => ({ symbol: each.interval, exchange, timeframes: framesOf([each]), market })),
  ];
  const { balance_usdt: balance, leverage, risk_tolerance: riskTolerance } = preferences;
  const sizing = signalSizing({ balance, leverage, riskTolerance, isDynamicRisk: false });
  const run = await engine.run('signals', { items, rules: rulesOf(neutralTuning), sizing }, { signal });
  if (!run.ok) return rejectTask(run.error);
  const [main, ...rest] = run.value.rows.map((row) => (row.signal.ok ? row.signal.value : null));
  const patterns = await engine.run('patterns', { candles: base.candles, lastCount: PATTERN_CANDLES }, { signal });
  return ok({
    main: main ?? null,
    single: single.map(({ interval }, i) => ({ interval, signal: rest[i] ?? null })),
    // Misread candles have neither votes nor patterns.
    hits: patterns.ok ? patterns.value.hits : [],
  });
}

/** Timeframes are built from loaded series; these have no source to name. */
const unsourced = {
  exchange: 'binance' as const,
  symbol: 'picture',
  fetchedAtMs: 0,
  mark: () => '',
  hash: () => '',
};

interface Parts {
  material: Material;
  seen: Seen;
  context: NonNullable<VisionResult['grounding']>;
  shown: Shown;
  drawn: Pick<VisionResult, 'spots' | 'lines'>;
}

async function resultOf(deps: AnalyseDeps, { material, seen, context, shown, drawn }: Parts): Promise<Analysed> {
  const { main } = seen;
  const { base } = material;
  const isVerified = context.state === 'verified';
  const direction = main?.ensemble.direction ?? 'NEUTRAL';
  // Without a market match the levels would be those of another market.
  const levels = levelsOf(isVerified ? main : null);
  const stated = await statedConfidence(deps, base.interval, main, isVerified);
  const frames = timeframesWire(seen);
  const leaning = [frames.short, frames.medium, frames.long].map((frame) => frame?.direction ?? 'NEUTRAL');
  const sideSign = direction === 'LONG' ? 1 : -1;
  const newest = base.candles.time.length - FRESH_CANDLES;
  const against = seen.hits.filter(({ index, value }) => index >= newest && Math.sign(value) === -sideSign).length;
  const risk = riskScoreOf({
    label: main?.ensemble.riskLabel ?? 'EXTREME',
    isVerified,
    agreeing: leaning.filter((each) => each === direction).length,
    opposing: leaning.filter((each) => each !== direction && each !== 'NEUTRAL').length,
    patternsAgainst: direction === 'NEUTRAL' ? 0 : against,
  });
  const record = isVerified ? await deps.records.read(base) : null;
  const onPicture = seen.hits.filter(({ index }) => index >= shown.offset);
  const patterns = patternsOf(
    onPicture.map((hit) => movedBy(hit, shown.offset)),
    record,
  );
  const range = isVerified ? rangeOf(base.candles) : null;
  const result = {
    symbol: context.symbol,
    direction,
    ...stated,
    timeframe: context.interval,
    risk_score: risk,
    sentiment: sentimentOf(main),
    levels,
    liquidation_approx: isVerified ? (main?.position?.liquidationPrice ?? null) : null,
    patterns,
    multi_timeframe: frames,
    marks: marksOf(isVerified),
    grounding: context,
    candles: shown.wire,
    ...drawn,
  };
  const refund = refundOf(main, context, { direction, levels, range });
  return { result: { ...result, rationale: rationaleOf(result, main) }, refund, range };
}

const movedBy = ({ points, ...hit }: PatternHit, offset: number): PatternHit => ({
  ...hit,
  index: hit.index - offset,
  ...(points === undefined ? {} : { points: points.map(({ index, side }) => ({ index: index - offset, side })) }),
});

function sentimentOf(main: Signal | null): VisionResult['sentiment'] {
  if (main === null) return null;
  return main.ensemble.score >= 0 ? 'bullish' : 'bearish';
}

function levelsOf(main: Signal | null): VisionResult['levels'] {
  if (main === null) return { entry: null, sl: null, tp: null };
  const { price, direction, atrLevels, fractionLevels } = main.ensemble;
  const levels = direction === 'NEUTRAL' ? null : (atrLevels ?? fractionLevels);
  return { entry: price, sl: levels?.stopLossPrice ?? null, tp: levels?.takeProfitPrice ?? null };
}

async function statedConfidence(
  { confidences }: AnalyseDeps,
  interval: Interval,
  main: Signal | null,
  isVerified: boolean,
): Promise<Pick<VisionResult, 'confidence' | 'confidence_kind'>> {
  if (main === null) return { confidence: 0, confidence_kind: 'score' };
  await confidences.refresh();
  const { direction, rawConfidence, price, atrLevels, fractionLevels } = main.ensemble;
  const levels = atrLevels ?? fractionLevels;
  const bet = {
    direction,
    rawConfidence,
    price,
    stopLoss: levels?.stopLossPrice ?? null,
    takeProfit: levels?.takeProfitPrice ?? null,
    sizeUsdt: 0,
  };
  // The track record is of signals on market candles: it does not apply to a picture that matches none.
  const { confidence, confidence_kind } = stateConfidence(
    bet,
    isVerified ? confidences.of(interval) : unmeasured(interval),
  );
  return { confidence, confidence_kind };
}

function timeframesWire({ single }: Seen): VisionResult['multi_timeframe'] {
  const of = (interval: Interval): VisionResult['multi_timeframe']['short'] => {
    const signal = single.find((each) => each.interval === interval)?.signal ?? null;
    return signal === null ? null : { interval, direction: signal.ensemble.direction, score: signal.ensemble.score };
  };
  return { short: of('15m'), medium: of('1h'), long: of('4h') };
}

/** The price range of the last 200 candles. */
function rangeOf({ high, low }: Candles): { low: number; high: number } {
  return { low: Math.min(...low.subarray(-200)), high: Math.max(...high.subarray(-200)) };
}

function marksOf(isVerified: boolean): VisionResult['marks'] {
  const facts = isVerified ? ('verified' as const) : ('read' as const);
  const guess = 'guessed' as const;
  return {
    symbol: facts,
    timeframe: facts,
    candles: facts,
    patterns: facts,
    levels: guess,
    direction: guess,
    confidence: guess,
    risk_score: guess,
    sentiment: guess,
    multi_timeframe: guess,
  };
}

function refundOf(
  main: Signal | null,
  { state, candle_count: count }: Parts['context'],
  { direction, levels, range }: Pick<VisionResult, 'direction' | 'levels'> & { range: Analysed['range'] },
): string | null {
  if (state !== 'verified')
    return count < GROUND_CLOSES_MIN ? refundMessages.tooFewToVerify(count) : refundMessages.unverified;
  if (main === null) return refundMessages.tooFew;
  if (direction === 'NEUTRAL') return refundMessages.neutral;
  return levelProblem(direction, levels, range) === null ? null : refundMessages.badLevels;
}

/** The reasons in plain sentences, each based on a figure of the result. */
function rationaleOf(
  of: Pick<VisionResult, 'direction' | 'patterns' | 'multi_timeframe' | 'grounding' | 'risk_score'>,
  main: Signal | null,
): string {
  const { grounding, patterns } = of;
  const source =
    grounding?.state === 'verified'
      ? `The picture shows ${grounding.symbol} ${grounding.interval}: its candles match ours (correlation ${correlationText(grounding)}).`
      : `Read from the picture, unverified: none of the ${grounding?.series_searched ?? 0} series searched has its shape.`;
  const votes =
    main === null
      ? 'Too few candles for the votes.'
      : `${main.ensemble.liveVoteCount} votes, ${main.ensemble.effectiveVoteCount.toFixed(1)} of them independent, give a score of ${main.ensemble.score.toFixed(2)}: ${of.direction}.`;
  const frames = [of.multi_timeframe.short, of.multi_timeframe.medium, of.multi_timeframe.long]
    .flatMap((frame) => (frame === null ? [] : [`${frame.interval} ${frame.direction}`]))
    .join(', ');
  const [first] = patterns.filter(({ direction }) => direction !== 'neutral');
  const record = first?.record;
  const pattern =
    first === undefined
      ? 'No pattern with a direction in the last candles.'
      : record == null || record.followed_share === null
        ? `Newest pattern: ${first.title} (${first.direction}); no record of what follows.`
        : `Newest pattern: ${first.title} (${first.direction}), followed by its direction in ${pct(record.followed_share)} of ${record.count.toLocaleString('en-US')} cases; any candle is in ${pct(record.base_share)}${record.beats_base ? '' : ', so it is no better than any candle'}.`;
  return [source, votes, frames === '' ? '' : `By interval: ${frames}.`, pattern]
    .filter((part) => part !== '')
    .join(' ');
}
