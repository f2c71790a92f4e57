import { standardSizing } from '@sextant/workers/src/signals/signalRules.ts';
import type { FastifyReply } from 'fastify';
import type { Config } from '../../config.ts';
import type { App } from '../../platform/http/app.ts';
import { rememberBodies, validateOnce } from '../../platform/http/repeatedBodies.ts';
import { bodyRejections, problems, sendProblem } from '../../platform/http/problem.ts';
import { runInTurn } from '../market/engineRuns.ts';
import { type ComputedSignal, createSignals, type SignalDeps, type SignalRequest } from './computeSignal.ts';
import { EnsembleQuery, FuturesSignalBody, SignalResponse, type SignalWire } from './contract.ts';
import type { TuningCache } from './tuningCache.ts';

export interface SignalRoutesDeps extends SignalDeps {
  config: Pick<Config, 'market'>;
  tuning: TuningCache;
}

const tags = ['Signals'];
const rejections = problems(
  'validation_failed',
  'not_authenticated',
  'symbol_unknown',
  'too_few_candles',
  'rate_limited',
  'market_not_trading',
  'overloaded',
  'upstream_unavailable',
  'upstream_rate_limited',
  'deadline_exceeded',
  'database_unavailable',
);

const CANDLES = 500;

export function signalRoutes(app: App, deps: SignalRoutesDeps): void {
  app.addHook('onRequest', app.requireUser);
  const signals = createSignals(deps);
  const { engine, tuning, config, now = Date.now } = deps;
  const write = createWriter(config.market, now);
  async function respond(reply: FastifyReply, userId: string, request: SignalRequest) {
    const recalled = signals.recall(request);
    if (recalled !== undefined) return sendSignal(reply, recalled, write);
    const run = await runInTurn(engine, userId, () => signals.compute(request));
    if (!run.ok) return sendProblem(reply, run.error);
    return run.value.ok ? sendSignal(reply, run.value.value, write) : sendProblem(reply, run.value.error);
  }

  rememberBodies(app);
  app.post(
    '/api/futures-signal',
    {
      validatorCompiler: validateOnce,
      schema: {
        access: 'read:signals',
        sandbox: 'frozen',
        tags,
        summary: 'Get the signal of one symbol at its last closed candle (free)',
        body: FuturesSignalBody,
        response: { 200: SignalResponse, ...rejections, ...problems(...bodyRejections) },
      },
    },
    async (request, reply) => {
      const { user, body } = request;
      const { exchange, symbol, interval, limit, balance, leverage, riskTolerance } = body;
      return respond(reply, user.id, {
        exchange,
        symbol,
        limit,
        userId: user.id,
        intervals: [...new Set([interval, ...body.intervals])],
        sizing: { balance, leverage, riskTolerance, isDynamicRisk: false },
        tuning: body.tuning ?? (await tuning.get(user.id)),
      });
    },
  );
  app.get(
    '/api/ensemble',
    {
      schema: {
        access: 'read:signals',
        sandbox: 'frozen',
        tags,
        summary: 'Combine several intervals of one symbol into one opinion (free)',
        querystring: EnsembleQuery,
        response: { 200: SignalResponse, ...rejections },
      },
    },
    async (request, reply) => {
      const { id: userId } = request.user;
      const rest = { limit: CANDLES, userId, sizing: standardSizing, tuning: await tuning.get(userId) };
      return respond(reply, userId, { ...rest, ...request.query });
    },
  );
}

const sendSignal = (
  reply: FastifyReply,
  result: ComputedSignal,
  write: ReturnType<typeof createWriter>,
): FastifyReply =>
  reply
    .header('server-timing', serverTiming(result.timing))
    .header('content-type', 'application/json; charset=utf-8')
    .send(write(result));

const serverTiming = ({ candles, engine }: ComputedSignal['timing']): string =>
  `candles;dur=${candles.toFixed(2)}, engine;dur=${engine.toFixed(2)}`;

/**
 * Encodes responses. For a repeated signal only its age is encoded again. Works on bytes, to avoid encoding twice.
 */
function createWriter(market: Config['market'], now: () => number): (result: ComputedSignal) => Buffer {
  const heads = new WeakMap<SignalWire, Buffer>();
  return ({ wire, fetchedAtMs }) => {
    let head = heads.get(wire);
    if (head === undefined) heads.set(wire, (head = Buffer.from(headOf(wire, market))));
    const end = `${Math.max(0, Math.round(now() - fetchedAtMs))}}`;
    const response = Buffer.allocUnsafe(head.length + end.length);
    response.set(head);
    response.write(end, head.length, 'latin1');
    return response;
  };
}

/** The whole response, encoded by its contract, up to the value of its last field. */
function headOf(wire: SignalWire, market: Config['market']): string {
  const text = JSON.stringify(SignalResponse.encode({ ...wire, market, data_age_ms: 0 }));
  return text.slice(0, -'0}'.length);
}
