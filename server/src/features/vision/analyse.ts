import { intervalMs, intervals, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles, EnginePool } from '@sextant/workers/src/protocol.ts';
import type { Signal, SignalItem } from '@sextant/workers/src/protocolSignals.ts';
import type { PatternHit, PatternRecordResult } from '@sextant/workers/src/protocolVision.ts';
import { failWith, ok } from '@sextant/workers/src/result.ts';
import { signalSizing } from '@sextant/workers/src/signalRules.ts';
import { candleFields } from '@sextant/workers/src/tasks/validateCandles.ts';
import type { ChartReading } from '@sextant/workers/src/vision/reading.ts';
import type { Outcome } from '../../platform/errors.ts';
import { refuseTask } from '../backtest/loadRun.ts';
import type { Interval, Market } from '../market/port.ts';
import { type ConfidenceBases, stateConfidence, unmeasured } from '../performance/confidenceBasis.ts';
import type { Preferences } from '../preferences/contract.ts';
import { marketRules } from '../signals/marketRules.ts';
import { timeframesOf } from '../signals/rules.ts';
import { neutralTuning, rulesOf } from '@sextant/workers/src/signalRules.ts';
import { HORIZON_CANDLES, LINES_MAX, SHOWN_CANDLES_MAX, type VisionResult } from './contract.ts';
import type { Grounded, Grounding } from './groundPicture.ts';
import { warmSeries } from './groundPicture.ts';
import type { ReadPicture } from './readPicture.ts';
import { contradictionOf, levelProblem, patternsOf, refundMessages, riskScoreOf } from './rules.ts';

/** Longer than most files: one path from what was read to the answer, each step of which has one caller. */

export interface AnalyseDeps {
  market: Market;
  engine: EnginePool;
  confidences: ConfidenceBases;
  records: PatternRecords;
  now: () => number;
}

type DecisionField = 'views' | 'decided_by' | 'decided_because' | 'model_failure';

/** What the rules make of a picture. `refund` is null when the answer is usable. */
export interface Analysed {
  result: Omit<VisionResult, 'credit_refunded' | 'refund_message' | 'opening' | DecisionField>;
  refund: string | null;
  /** Prices that levels must lie in; null when prices are not known. */
  range: { low: number; high: number } | null;
}

interface Asked {
  userId: string;
  preferences: Pick<Preferences, 'balance_usdt' | 'leverage' | 'risk_tolerance'>;
  signal: AbortSignal;
}

/** Candles that the ensemble sees, as in a scan. */
const CANDLES = 500;
/** Patterns completed by one of so many last candles are named. */
const PATTERN_CANDLES = 20;
/** A pattern so old no longer speaks against the direction. */
const FRESH_CANDLES = 3;

/** What is analysed: candles, base interval first, and what is known of them. */
interface Material {
  base: { interval: Interval; candles: Candles };
  longer: { interval: Interval; candles: Candles }[];
  /** 15m, 1h and 4h at the same moment; none without a market. */
  single: { interval: Interval; candles: Candles }[];
  market: ReturnType<typeof marketRules>;
  hasPrices: boolean;
}

/** The analysis by rules: the ensemble, its levels and the candlestick patterns, on our candles or on those that were read. */
export async function analyse(
  deps: AnalyseDeps,
  { reading, size }: { reading: ChartReading; size: ReadPicture['size'] },
  grounding: Grounding,
  asked: Asked,
): Promise<Outcome<Analysed>> {
  const { found } = grounding;
  const loaded = found === null ? ok(materialOfReading(reading)) : await materialOfMarket(deps, found, asked);
  if (!loaded.ok) return loaded;
  const material = loaded.value;
  const seen = await compute(deps, material, asked);
  if (!seen.ok) return seen;
  const context = groundingWire(reading, grounding, deps.now());
  const shown = shownCandles(material, reading, found);
  const places = placesOf(reading, shown, found);
  const drawn = { spots: spotsOf(reading, size, places), lines: linesOf(reading, size, places) };
  return ok(await resultOf(deps, { material, seen: seen.value, context, shown, drawn }));
}

async function materialOfMarket(deps: AnalyseDeps, found: Grounded, asked: Asked): Promise<Outcome<Material>> {
  const { market, now } = deps;
  const { symbol, interval } = found;
  // A picture that ends now is analysed on the newest candles, an old one on those of its time.
  const endTimeMs = isCurrent(found, now()) ? undefined : found.toMs + intervalMs[interval];
  const longer = intervals.filter((each) => intervalMs[each] > intervalMs[interval] && isSignal(each)).slice(0, 2);
  const wanted = [...new Set([interval, ...longer, ...signalIntervals])];
  const series = new Map<Interval, Candles>();
  for (const each of wanted) {
    const limit = each === interval ? Math.max(CANDLES, found.match.count + 1) : CANDLES;
    const answer = await market.candles({
      symbol,
      interval: each,
      limit,
      userId: asked.userId,
      signal: asked.signal,
      ...(endTimeMs === undefined ? {} : { endTimeMs }),
    });
    if (answer.ok) series.set(each, answer.value.value.candles);
    else if (each === interval) return answer;
  }
  const symbols = await market.symbols({ signal: asked.signal });
  const rules = symbols.ok ? symbols.value.value.find((each) => each.symbol === symbol) : undefined;
  const of = (names: readonly Interval[]) =>
    names.flatMap((each) => {
      const candles = series.get(each);
      return candles === undefined || candles.time.length === 0 ? [] : [{ interval: each, candles }];
    });
  const [base] = of([interval]);
  if (base === undefined)
    return failWith({ code: 'too_few_candles', message: `${symbol} has no ${interval} candles.` });
  return ok({ base, longer: of(longer), single: of(signalIntervals), market: marketRules(rules), hasPrices: true });
}

const isSignal = (interval: Interval): boolean => signalIntervals.some((each) => each === interval);
const isCurrent = ({ toMs, interval }: Grounded, nowMs: number): boolean => toMs >= nowMs - 3 * intervalMs[interval];

/** Candles as they were read: in prices where the axis could be read, otherwise in rows, upside up. */
function materialOfReading(reading: ChartReading): Material {
  const told = reading.text?.interval?.value;
  const interval = intervals.find((each) => each === told) ?? '1h';
  const bottom = Math.max(...reading.candles.map(({ low }) => low)) + 1;
  const rows = reading.prices?.candles ?? reading.candles.map((candle) => upsideUp(candle, bottom));
  const count = rows.length;
  const column = (pick: (row: (typeof rows)[number]) => number): Float64Array => Float64Array.from(rows, pick);
  const candles: Candles = {
    time: column(({ index }) => index * intervalMs[interval]),
    open: column(({ open }) => open),
    high: column(({ open, high, close }) => Math.max(open, high, close)),
    low: column(({ open, low, close }) => Math.min(open, low, close)),
    close: column(({ close }) => close),
    volume: volumeOf(reading) ?? new Float64Array(count).fill(1),
  };
  const none = { longer: [], single: [], market: marketRules(undefined) };
  return { base: { interval, candles }, ...none, hasPrices: reading.prices !== null };
}

/** Bars as shares of the highest one: an axis of volume is not read. */
function volumeOf({ volume }: ChartReading): Float64Array | null {
  const highest = Math.max(0, ...(volume?.heights ?? []));
  return volume === null || highest === 0 ? null : Float64Array.from(volume.heights, (height) => height / highest);
}

const upsideUp = ({ index, open, high, low, close }: ChartReading['candles'][number], bottom: number) => ({
  index,
  open: bottom - open,
  high: bottom - high,
  low: bottom - low,
  close: bottom - close,
});

interface Seen {
  main: Signal | null;
  single: { interval: Interval; signal: Signal | null }[];
  hits: PatternHit[];
}

async function compute(
  { engine }: AnalyseDeps,
  { base, longer, single, market }: Material,
  { preferences, signal }: Asked,
): Promise<Outcome<Seen>> {
  const framesOf = (series: readonly { interval: Interval; candles: Candles }[]) =>
    timeframesOf(series.map((each) => ({ ...each, ...unsourced })));
  const items: SignalItem[] = [
    { symbol: 'picture', timeframes: framesOf([base, ...longer]), market },
    ...single.map((each) => ({ symbol: each.interval, timeframes: framesOf([each]), market })),
  ];
  const { balance_usdt: balance, leverage, risk_tolerance: riskTolerance } = preferences;
  const sizing = signalSizing({ balance, leverage, riskTolerance, isDynamicRisk: false });
  const run = await engine.run('signals', { items, rules: rulesOf(neutralTuning), sizing }, { signal });
  if (!run.ok) return refuseTask(run.error);
  const [main, ...rest] = run.value.rows.map((row) => (row.signal.ok ? row.signal.value : null));
  const patterns = await engine.run('patterns', { candles: base.candles, lastCount: PATTERN_CANDLES }, { signal });
  return ok({
    main: main ?? null,
    single: single.map(({ interval }, i) => ({ interval, signal: rest[i] ?? null })),
    // Candles that were misread have neither votes nor patterns.
    hits: patterns.ok ? patterns.value.hits : [],
  });
}

/** Timeframes are made of loaded series; these have no source to name. */
const unsourced = {
  exchange: 'binance' as const,
  symbol: 'picture',
  fetchedAtMs: 0,
  mark: () => '',
  hash: () => '',
};

interface Shown {
  wire: NonNullable<VisionResult['candles']>;
  /** Candle of the analysis that is the first one shown. */
  offset: number;
}

/** The candles of the picture, the newest when there are too many. */
function shownCandles(
  { base: { candles }, hasPrices }: Material,
  reading: ChartReading,
  found: Grounded | null,
): Shown {
  const count = candles.time.length;
  const wanted = found === null ? reading.candles.length : found.match.count;
  const offset = Math.max(0, count - Math.min(wanted, SHOWN_CANDLES_MAX));
  const cut = (name: keyof Candles): number[] => Array.from(candles[name].subarray(offset));
  const isReal = found !== null;
  return {
    offset,
    wire: {
      is_real: isReal,
      time: isReal ? cut('time') : null,
      open: cut('open'),
      high: cut('high'),
      low: cut('low'),
      close: cut('close'),
      volume: isReal || volumeOf(reading) !== null ? cut('volume') : null,
      has_prices: hasPrices,
    },
  };
}

/** The shown candle that each read one is; -1: none. By its time where that is known. */
function placesOf(reading: ChartReading, { wire, offset }: Shown, found: Grounded | null): number[] {
  if (found === null || wire.time === null) return reading.candles.map((_, i) => i - offset);
  const byTime = new Map(wire.time.map((time, i) => [time, i]));
  return reading.candles.map(({ index }) => byTime.get(found.fromMs + index * intervalMs[found.interval]) ?? -1);
}

const spotsOf = (
  { candles }: ChartReading,
  { width, height }: ReadPicture['size'],
  places: readonly number[],
): VisionResult['spots'] =>
  candles.flatMap(({ x, high, low, close }, i) => {
    const index = places[i] ?? -1;
    const spot = { index, x: x / width, high: high / height, low: low / height, close: close / height };
    return index < 0 ? [] : [spot];
  });

/** A share of a picture with four decimals: less than a pixel of any that is admitted. */
const shareOf = (part: number, whole: number): number => Math.round((part / whole) * 1e4) / 1e4;

/** Curves that were read, at the columns of the shown candles: those that are seen the longest when there are too many. */
export function linesOf(
  { candles, indicators }: Pick<ChartReading, 'candles' | 'indicators'>,
  { width, height }: ReadPicture['size'],
  places: readonly number[],
): VisionResult['lines'] {
  const lines = indicators.map(({ colour, rows, values }) => {
    const points = candles.flatMap(({ x }, i) => {
      const row = rows[i] ?? null;
      const isShown = row !== null && (places[i] ?? -1) >= 0;
      return isShown ? [{ x: shareOf(x, width), y: shareOf(row, height) }] : [];
    });
    return {
      colour: hexOf(colour),
      points: points.slice(-SHOWN_CANDLES_MAX),
      seen_share: rows.filter((row) => row !== null).length / candles.length,
      last_value: values?.findLast((value) => value !== null) ?? null,
    };
  });
  const longest = lines.toSorted((a, b) => b.seen_share - a.seen_share).slice(0, LINES_MAX);
  return lines.filter((line) => longest.includes(line));
}

const hexOf = (colour: readonly number[]): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function groundingWire(
  { text, textFailure, candles, prices }: ChartReading,
  { found, symbolCount, intervals: searched, seriesCount, candleCount }: Grounding,
  nowMs: number,
): NonNullable<VisionResult['grounding']> {
  const title = { symbol: text?.symbol?.value ?? null, interval: text?.interval?.value ?? null };
  return {
    ...(found === null ? { ...unmatched, ...title } : matched(found, nowMs)),
    candle_count: candles.length,
    symbols_searched: symbolCount,
    intervals_searched: searched,
    series_searched: seriesCount,
    candles_searched: candleCount,
    price_scale: prices?.scale ?? null,
    price_error_pct: prices === null ? null : prices.residualFraction * 100,
    price_labels: prices?.labelsUsed ?? 0,
    text_failure: textFailure,
    title_symbol: title.symbol,
    title_interval: title.interval,
    contradiction: contradictionOf(title, found),
  };
}

const unmatched = {
  state: 'read' as const,
  from: null,
  to: null,
  is_current: false,
  correlation: null,
  correlation_part: null,
  residual_pct: null,
};

/** Null when the correlation is of every candle that the match has. */
export function partOf({ measured: { from, to }, count }: Pick<Grounded['match'], 'measured' | 'count'>) {
  return from === 0 && to === count - 1 ? null : { first: from + 1, last: to + 1 };
}

const matched = (found: Grounded, nowMs: number) => ({
  state: 'verified' as const,
  symbol: found.symbol,
  interval: found.interval,
  from: new Date(found.fromMs).toISOString(),
  to: new Date(found.toMs).toISOString(),
  is_current: isCurrent(found, nowMs),
  correlation: found.match.correlation,
  correlation_part: partOf(found.match),
  residual_pct: found.match.residual * 100,
});

interface Parts {
  material: Material;
  seen: Seen;
  context: NonNullable<VisionResult['grounding']>;
  shown: Shown;
  drawn: Pick<VisionResult, 'spots' | 'lines'>;
}

async function resultOf(deps: AnalyseDeps, { material, seen, context, shown, drawn }: Parts): Promise<Analysed> {
  const { main } = seen;
  const { base, hasPrices } = material;
  const isVerified = context.state === 'verified';
  const direction = main?.ensemble.direction ?? 'NEUTRAL';
  const levels = levelsOf(main, hasPrices);
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
  const range = hasPrices ? rangeOf(base.candles) : null;
  const result = {
    symbol: context.symbol,
    direction,
    ...stated,
    timeframe: context.interval,
    risk_score: risk,
    sentiment: main === null ? null : main.ensemble.score >= 0 ? ('bullish' as const) : ('bearish' as const),
    levels,
    liquidation_approx: hasPrices ? (main?.position?.liquidationPrice ?? null) : null,
    patterns,
    multi_timeframe: frames,
    marks: marksOf(isVerified),
    grounding: context,
    candles: shown.wire,
    ...drawn,
  };
  const refund = refundOf(main, direction, levels, { hasPrices, range });
  return { result: { ...result, rationale: rationaleOf(result, main) }, refund, range };
}

const movedBy = ({ points, ...hit }: PatternHit, offset: number): PatternHit => ({
  ...hit,
  index: hit.index - offset,
  ...(points === undefined ? {} : { points: points.map(({ index, side }) => ({ index: index - offset, side })) }),
});

function levelsOf(main: Signal | null, hasPrices: boolean): VisionResult['levels'] {
  if (main === null || !hasPrices) return { entry: null, sl: null, tp: null };
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
  // The record is of signals on candles of ours: it says nothing of a picture that none of ours matches.
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

/** The prices of the last 200 candles. */
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
  direction: VisionResult['direction'],
  levels: VisionResult['levels'],
  { hasPrices, range }: { hasPrices: boolean; range: Analysed['range'] },
): string | null {
  if (main === null) return refundMessages.tooFew;
  if (direction === 'NEUTRAL') return refundMessages.neutral;
  if (!hasPrices) return refundMessages.noPrices;
  return levelProblem(direction, levels, range) === null ? null : refundMessages.badLevels;
}

const pct = (share: number): string => `${Math.round(share * 100)} %`;

/** With the candles it is of, where it is not of all. */
export function correlationText({
  correlation,
  correlation_part: part = null,
}: Pick<NonNullable<VisionResult['grounding']>, 'correlation' | 'correlation_part'>): string {
  const figure = (correlation ?? 0).toFixed(3);
  return part === null ? figure : `${figure}, of candles ${part.first} to ${part.last}`;
}

/** The reasons in plain sentences, each from a figure of the result. */
function rationaleOf(
  of: Pick<VisionResult, 'direction' | 'patterns' | 'multi_timeframe' | 'grounding' | 'risk_score'>,
  main: Signal | null,
): string {
  const { grounding, patterns } = of;
  const source =
    grounding?.state === 'verified'
      ? `The picture shows ${grounding.symbol} ${grounding.interval}: its candles match ours (correlation ${correlationText(grounding)}).`
      : `Read from the picture, not verified: none of the ${grounding?.series_searched ?? 0} series searched has its shape.`;
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
        ? `Newest pattern: ${first.title} (${first.direction}); how often it is followed is not known.`
        : `Newest pattern: ${first.title} (${first.direction}), followed by its direction in ${pct(record.followed_share)} of ${record.count.toLocaleString('en-US')} cases; any candle is in ${pct(record.base_share)}${record.beats_base ? '' : ', so it is no better than any candle'}.`;
  return [source, votes, frames === '' ? '' : `By interval: ${frames}.`, pattern]
    .filter((part) => part !== '')
    .join(' ');
}

/** How often patterns were followed by their direction, from candles in memory. */
export interface PatternRecords {
  /** Of the interval; the candles at hand are counted where memory holds none of it. Null when that fails. */
  read: (own: { interval: Interval; candles: Candles }) => Promise<(PatternRecordResult & { interval: string }) | null>;
}

const RECORD_MS = 3_600_000;
const RECORD_SYMBOLS = 60;

/** Counts the streamed symbols' candles once an hour and interval. */
export function createPatternRecords({
  market,
  engine,
  now,
}: Omit<AnalyseDeps, 'confidences' | 'records'>): PatternRecords {
  const kept = new Map<Interval, { atMs: number; record: PatternRecordResult & { interval: string } }>();
  return {
    async read({ interval, candles: own }) {
      const before = kept.get(interval);
      if (before !== undefined && now() - before.atMs < RECORD_MS) return before.record;
      const turnovers = await market.turnovers();
      const symbols = turnovers.ok ? turnovers.value.value.slice(0, RECORD_SYMBOLS).map(({ symbol }) => symbol) : [];
      const warm = warmSeries(market, symbols, [interval]).map(({ candles }) => copied(candles));
      const series = warm.length > 0 ? warm : [own];
      const run = await engine.run('patternRecord', { series, horizonCount: HORIZON_CANDLES });
      if (!run.ok) return null;
      const record = { ...run.value, interval };
      if (warm.length > 0) kept.set(interval, { atMs: now(), record });
      return record;
    },
  };
}

/** Candles in memory are views of longer arrays, which would go to a thread as a whole. */
const copied = (candles: Candles): Candles =>
  Object.fromEntries(candleFields.map((name) => [name, candles[name].slice()])) as unknown as Candles;
