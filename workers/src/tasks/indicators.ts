import { indicatorEntry, indicatorIds, kernelParameters, resolveParameters } from '@sextant/engine-as/abi/registry.ts';
import type { IndicatorEntry, Parameters } from '@sextant/engine-as/abi/registryTypes.ts';
import { STATUS_OK, STATUS_OUT_OF_MEMORY } from '@sextant/engine-as/abi/status.ts';
import { type Engine, OutOfMemory } from '../engine/engine.ts';
import type { IndicatorRequest, IndicatorSeries } from '../protocol/backtest.ts';
import { fail, type TaskResult } from '../protocol/taskResult.ts';
import type { TaskInput, TaskOutput } from '../protocol/tasks.ts';
import { candleFields } from '../candles/candleColumns.ts';
import { validateCandles } from './validateCandles.ts';
import { ok } from '../core/result.ts';

/** Bounds the time and the result of one task; the registry has fewer entries. */
const REQUESTS_MAX = 64;

interface Plan {
  name: string;
  entry: IndicatorEntry;
  params: Parameters;
}

/** Whole series of the requested indicators, by request name and output; NaN during warm-up. */
export function indicators(
  engine: Engine,
  { candles, requests }: TaskInput<'indicators'>,
): TaskResult<TaskOutput<'indicators'>> {
  const valid = validateCandles(candles, 0);
  if (!valid.ok) return valid;
  const plans = planAll(requests);
  if (!plans.ok) return plans;

  const length = candles.time.length;
  const addresses = candleFields.map((name) => engine.push(candles[name]));
  const columns = engine.reserveBytes(addresses.length * Int32Array.BYTES_PER_ELEMENT);
  engine.i32View(columns, addresses.length).set(addresses);

  return ok({ series: computeAll(engine, columns, length, plans.value) });
}

/** The same on candles that were checked and are in the arena. @throws Error on a request that makes no sense */
export function indicatorsOf(
  engine: Engine,
  columns: number,
  length: number,
  requests: readonly IndicatorRequest[],
): IndicatorSeries {
  const plans = planAll(requests);
  if (!plans.ok) throw new Error(plans.error.message);
  return computeAll(engine, columns, length, plans.value);
}

function computeAll(engine: Engine, columns: number, length: number, plans: readonly Plan[]): IndicatorSeries {
  // One indicator's columns at a time: a million candles of every indicator at once would not fit.
  const series: IndicatorSeries = {};
  for (const plan of plans) {
    const mark = engine.raw.arenaMark();
    series[plan.name] = compute(engine, columns, length, plan);
    engine.raw.arenaRelease(mark);
  }
  return series;
}

function planAll(requests: readonly IndicatorRequest[]): TaskResult<Plan[]> {
  if (requests.length > REQUESTS_MAX) {
    return fail('bad_input', `requests holds ${requests.length}, at most ${REQUESTS_MAX} are taken`, 'requests');
  }
  const plans = new Map<string, Plan>();
  const names = namesOf(requests);
  for (const [i, request] of requests.entries()) {
    const name = names[i] ?? request.id;
    if (plans.has(name)) {
      const field = `requests[${i}].as`;
      return fail('bad_input', `${field}: two results would be called ${name}, give one of them another name`, field);
    }
    const plan = planOne(request, name, `requests[${i}]`);
    if (!plan.ok) return plan;
    plans.set(name, plan.value);
  }
  return ok([...plans.values()]);
}

/**
 * Name of each result: `as` of the request, else the indicator's id. Parameters distinguish several of one id, as traders write them: sma20
 * and sma50, macd12_26_9.
 */
function namesOf(requests: readonly IndicatorRequest[]): string[] {
  const nameless = requests.filter(({ as }) => as === undefined).map(({ id }) => id);
  return requests.map(({ id, as, params }) => {
    if (as !== undefined) return as;
    const entry = indicatorEntry(id);
    if (entry === undefined || nameless.indexOf(id) === nameless.lastIndexOf(id)) return id;
    const resolved = resolveParameters(entry, params);
    return resolved.ok ? `${id}${entry.parameters.map(({ name }) => resolved.params[name]).join('_')}` : id;
  });
}

function planOne({ id, params: overrides }: IndicatorRequest, name: string, field: string): TaskResult<Plan> {
  const entry = indicatorEntry(id);
  if (entry === undefined) {
    const message = `${field}.id: there is no indicator ${id}, known are ${indicatorIds.join(', ')}`;
    return fail('bad_input', message, `${field}.id`);
  }
  const resolved = resolveParameters(entry, overrides);
  if (!resolved.ok) {
    const at = `${field}.params.${resolved.name}`;
    return fail('bad_input', `${at} ${resolved.message}`, at);
  }
  return ok({ name, entry, params: resolved.params });
}

/**
 * Address of f64[length], one output of an indicator with its default parameters, which stays in the arena.
 * @throws Error on an indicator or an output that is not there
 */
export function pushIndicator(engine: Engine, columns: number, length: number, id: string, output: string): number {
  const plan = planOne({ id }, id, 'request');
  if (!plan.ok) throw new Error(plan.error.message);
  const k = plan.value.entry.outputs.findIndex(({ name }) => name === output);
  if (k < 0) throw new Error(`${id} has no output ${output}`);
  return pushOutputs(engine, columns, length, plan.value) + k * length * Float64Array.BYTES_PER_ELEMENT;
}

function compute(engine: Engine, columns: number, length: number, plan: Plan): Record<string, Float64Array> {
  const out = pushOutputs(engine, columns, length, plan);
  const column = (k: number): Float64Array => engine.pull(out + k * length * Float64Array.BYTES_PER_ELEMENT, length);
  return Object.fromEntries(plan.entry.outputs.map((output, k) => [output.name, column(k)]));
}

/** Address of the outputs of an indicator, one after the other. */
function pushOutputs(engine: Engine, columns: number, length: number, { entry, params }: Plan): number {
  const paramsAt = engine.push(Float64Array.from(kernelParameters(entry, params)));
  const out = engine.reserve(entry.outputs.length * length);
  const status = engine.raw.indicator(entry.kind, columns, length, paramsAt, out, length, 0);
  if (status === STATUS_OUT_OF_MEMORY) throw new OutOfMemory(`${entry.id} over ${length} candles`);
  if (status !== STATUS_OK) throw new Error(`${entry.id} rejected checked parameters with status ${status}`);
  return out;
}
