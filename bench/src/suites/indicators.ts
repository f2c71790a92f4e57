import { candleWalks } from '../../data/candles.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { disagreement } from '../agreement.ts';
import { candleColumns, expectOk, freshEngine, pushCandles } from '../engineSide.ts';
import { compileTwin } from '../native/compile.ts';
import { startTwin, type NativeTwin } from '../native/twin.ts';
import { inProcess, inTurn, type Contestant } from '../paired.ts';
import type { BenchCase, PreparedSuite, Rival, SkippedRival } from '../suite.ts';
import { indicatorTwin, type Scratch } from '../twins/indicators.ts';
import { indicatorSpecs, type IndicatorSpec } from './indicatorSpecs.ts';

/** Candles of one scan; and as many different series as keep the branch predictor from learning them. */
const CANDLES = 500;
const SERIES = 64;
const OUTPUTS_MAX = 8;

/** The three sides, each with the same 64 series and one result buffer. */
interface Bench {
  series: Candles[];
  engine: EngineSide;
  typescript: TypeScriptSide;
  native: NativeSide;
}

interface EngineSide {
  engine: Engine;
  columns: number[];
  outAt: number;
}

interface TypeScriptSide {
  outputs: Float64Array[];
  scratch: Scratch;
}

type NativeSide = { twin: NativeTwin } | { skipped: string };

export async function prepareIndicators(): Promise<PreparedSuite> {
  const series = candleWalks(SERIES, CANDLES);
  const engine = await freshEngine();
  const columns = series.map((candles) => pushCandles(engine, candles));
  const column = (): Float64Array => new Float64Array(CANDLES);
  const bench: Bench = {
    series,
    engine: { engine, columns, outAt: engine.reserve(OUTPUTS_MAX * CANDLES) },
    typescript: { outputs: Array.from({ length: OUTPUTS_MAX }, column), scratch: [column(), column(), column()] },
    native: await startNative(series),
  };
  const cases = indicatorSpecs.map((spec) => caseOf(bench, spec));
  const { native } = bench;
  return {
    cases: [...cases, wholeSet(bench)],
    notes: [`${SERIES} series of ${CANDLES} candles; the kernel alone, without copying (see host-overhead).`],
    ...('twin' in native ? { close: () => native.twin.close() } : {}),
  };
}

async function startNative(series: readonly Candles[]): Promise<NativeSide> {
  const program = await compileTwin('indicators');
  if (!program.isAvailable) return { skipped: program.reason };
  const twin = startTwin(program.path);
  const columns = series.flatMap((candles) => candleColumns.map((name) => candles[name]));
  const all = new Float64Array(1 + columns.length * CANDLES);
  all[0] = CANDLES;
  columns.forEach((column, k) => all.set(column, 1 + k * CANDLES));
  await twin.load('candles', all);
  for (const { id, kernel, params } of indicatorSpecs) await twin.define(id, kernel, params);
  return { twin };
}

function caseOf(bench: Bench, spec: IndicatorSpec): BenchCase {
  const ours = engineOperation(bench.engine, spec);
  const rivals: Rival[] = [{ against: 'typescript', contestant: inProcess(typescriptOperation(bench, spec)) }];
  const skipped: SkippedRival[] = [];
  const { native } = bench;
  if ('twin' in native) rivals.push({ against: 'native', contestant: native.twin.contestant(spec.id) });
  else skipped.push({ against: 'native', reason: native.skipped });
  return {
    name: spec.id,
    unit: 'ns/bar',
    toFigure: (operationNs) => operationNs / CANDLES,
    operation: ours,
    rivals,
    skipped,
    verify: () => verify(bench, spec),
  };
}

/** Every kind once, with the parameters of a chart or a signal; one series per operation, in rotation. */
function wholeSet(bench: Bench): BenchCase {
  const specs = indicatorSpecs.filter(({ id, kernel }) => id === kernel);
  const { native, engine, series, typescript } = bench;
  const kernels = specs.map((spec) => ({ ...spec, paramsAt: engine.engine.push(Float64Array.from(spec.params)) }));
  const twins = specs.map(({ kind, params }) => ({ run: indicatorTwin(kind), params }));
  const { raw } = engine.engine;
  const ours = inTurn(SERIES, (k) => {
    const columnsAt = engine.columns[k] as number;
    for (const { kind, paramsAt } of kernels)
      raw.indicator(kind, columnsAt, CANDLES, paramsAt, engine.outAt, CANDLES, 0);
  });
  const theirs = inTurn(SERIES, (k) => {
    for (const { run, params } of twins) run(series[k] as Candles, params, typescript.outputs, typescript.scratch);
  });
  const rivals: Rival[] = [{ against: 'typescript', contestant: inProcess(theirs) }];
  if ('twin' in native) rivals.push({ against: 'native', contestant: nativeSet(native.twin, specs) });
  return {
    name: 'whole-set',
    unit: 'us per 500 bars',
    toFigure: (operationNs) => operationNs / 1000,
    operation: ours,
    rivals,
    skipped: 'twin' in native ? [] : [{ against: 'native', reason: native.skipped }],
    verify: () => [], // each of its parts is verified as its own case
    options: { warmMs: 300, budgetMs: 1000 },
  };
}

function nativeSet(twin: NativeTwin, specs: readonly IndicatorSpec[]): Contestant {
  const parts = specs.map(({ id }) => twin.contestant(id));
  return {
    async block(count) {
      let sum = 0;
      for (const part of parts) sum += await part.block(count);
      return sum;
    },
  };
}

function engineOperation({ engine, columns, outAt }: EngineSide, { id, kind, params }: IndicatorSpec): () => void {
  const { raw } = engine;
  const paramsAt = engine.push(Float64Array.from(params));
  expectOk(raw.indicator(kind, columns[0] as number, CANDLES, paramsAt, outAt, CANDLES, 0), id);
  return inTurn(SERIES, (k) => raw.indicator(kind, columns[k] as number, CANDLES, paramsAt, outAt, CANDLES, 0));
}

/** One series an operation, the next one each time; so on every side, so that all blocks are about as long. */
function typescriptOperation({ series, typescript }: Bench, { kind, params }: IndicatorSpec): () => void {
  const twin = indicatorTwin(kind);
  return inTurn(SERIES, (k) => twin(series[k] as Candles, params, typescript.outputs, typescript.scratch));
}

/** Compares the results of every side for every series, within 1e-9. */
async function verify(bench: Bench, spec: IndicatorSpec): Promise<string[]> {
  const { engine, columns, outAt } = bench.engine;
  const { id, kind, params, outputCount } = spec;
  const paramsAt = engine.push(Float64Array.from(params));
  const twin = indicatorTwin(kind);
  const problems: string[] = [];
  for (const [item, candles] of bench.series.entries()) {
    engine.raw.indicator(kind, columns[item] as number, CANDLES, paramsAt, outAt, CANDLES, 0);
    twin(candles, params, bench.typescript.outputs, bench.typescript.scratch);
    const native = 'twin' in bench.native ? new Float64Array(await bench.native.twin.read(id, item)) : undefined;
    for (let output = 0; output < outputCount; output++) {
      const ours = engine.f64View(outAt + 8 * output * CANDLES, CANDLES);
      const where = `series ${item}, output ${output}`;
      const typescript = disagreement(ours, bench.typescript.outputs[output] as Float64Array);
      const c = native && disagreement(ours, native.subarray(output * CANDLES, (output + 1) * CANDLES));
      if (typescript !== undefined) problems.push(`${where} against typescript: ${typescript}`);
      if (c !== undefined) problems.push(`${where} against native: ${c}`);
    }
    if (problems.length > 0) break;
  }
  return problems;
}
