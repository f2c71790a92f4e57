import type { IndicatorRequest, IndicatorSeries } from '@sextant/workers/src/protocol/backtest.ts';
import type { TaskError } from '@sextant/workers/src/protocol/taskResult.ts';
import type { EnginePool } from '@sextant/workers/src/protocol/tasks.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { requestFromWire, seriesToWire } from '@sextant/workers/src/protocol/wire/indicators.ts';
import type { z } from 'zod';
import { type Outcome, reject } from '../../platform/errors.ts';
import { runInTurn } from './engineRuns.ts';
import { type IndicatorsResponse, type IndicatorsBody, namedIndicators } from './indicatorContract.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Market } from './port.ts';
import { taskCodes } from './rejectTask.ts';

export interface IndicatorDeps {
  market: Market;
  engine: EnginePool;
  now: () => number;
}

type Body = z.output<typeof IndicatorsBody>;
type ResponseBody = Omit<z.input<typeof IndicatorsResponse>, 'market'>;

/** Computes indicators on the engine from closed candles only. */
export async function readIndicators(
  deps: IndicatorDeps,
  userId: string,
  body: Body,
  signal: AbortSignal,
): Promise<Outcome<ResponseBody>> {
  const { exchange, symbol, interval, limit } = body;
  const outcome = await deps.market.candles({ exchange, symbol, interval, limit, userId, signal });
  if (!outcome.ok) return outcome;
  const { candles } = outcome.value.value;
  const count = candles.time.length;
  if (count === 0) return reject('too_few_candles', `${symbol} has no closed ${interval} candle yet.`);
  const input = { candles, requests: body.indicators.map(requestOf) };
  const run = await runInTurn(deps.engine, userId, () => deps.engine.run('indicators', input, { signal }));
  if (!run.ok) return run;
  const result = run.value;
  if (!result.ok) return rejectTask(result.error, body.indicators);
  const { series } = result.value;
  const lastOpenMs = candles.time[count - 1] as number;
  return ok({
    symbol,
    interval,
    exchange: outcome.value.exchange,
    data_age_ms: Math.max(0, Math.round(deps.now() - outcome.value.fetchedAtMs)),
    candle_close_at: new Date(lastOpenMs + intervalMs[interval]).toISOString(),
    candle_count: count,
    indicators: lastValues(series, count - 1),
    ...(body.series ? { time: Array.from(candles.time), series: seriesToWire(series) } : {}),
  });
}

type RequestedIndicator = Body['indicators'][number];

function requestOf(name: RequestedIndicator): IndicatorRequest {
  if (typeof name !== 'string') return requestFromWire(name);
  const named: { id: string; params?: Record<string, number> } | undefined = Object.entries(namedIndicators).find(
    ([each]) => each === name,
  )?.[1];
  return named === undefined ? { id: name } : { ...named, as: name };
}

/** One number for an indicator with one output, otherwise an object by output name. */
function lastValues(series: IndicatorSeries, index: number): ResponseBody['indicators'] {
  const valueOf = (column: Float64Array): number | null => {
    const value = column[index];
    return value !== undefined && Number.isFinite(value) ? value : null;
  };
  return Object.fromEntries(
    Object.entries(series).map(([name, outputs]) => {
      const values = Object.entries(outputs).map(([output, column]) => [output, valueOf(column)] as const);
      const [only] = values;
      return [name, values.length === 1 && only !== undefined ? only[1] : Object.fromEntries(values)];
    }),
  );
}

/** Maps the task's error field `requests[2].id` to the caller's `indicators[2]`. */
function rejectTask({ code, message, field }: TaskError, requested: readonly RequestedIndicator[]): Outcome<never> {
  const index = Number(/^requests[.[](\d+)/.exec(field ?? '')?.[1] ?? NaN);
  const each = requested[index];
  if (each === undefined) return reject(taskCodes[code], message);
  const name = typeof each === 'string' ? each : each.id;
  const said = message.replace(/requests\[\d+\]\.(params\.)?/g, '');
  return reject(taskCodes[code], `indicators.${index} (${name}): ${said}`, { field: `indicators.${index}` });
}
