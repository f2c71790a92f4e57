import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { SignalsResult } from '@sextant/workers/src/protocol/signals.ts';
import { scanRulesOf, signalSizing, timeframesOf } from '@sextant/workers/src/signals/signalRules.ts';
import { signalHashes } from '@sextant/workers/src/tasks/signalHashes.ts';
import { runTask, startEngine } from '@sextant/workers/src/tasks/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScanParams } from '../../../src/features/scan/contract.ts';
import { startWorkers } from '../../../src/startWorkers.ts';
import { createMarketApp, type MarketApp } from '../../support/createMarketApp.ts';
import type { TestUser } from '../../support/createTestApp.ts';

let test: MarketApp;
let stop: () => Promise<void>;
beforeAll(async () => {
  test = await createMarketApp({ env: { MARKET_STREAMS: 'off' } });
  stop = await startWorkers(test.deps, test.app.log);
});
afterAll(async () => {
  await stop();
  await test.close();
});

interface Result {
  symbol: string;
  interval: string;
  direction: 'LONG' | 'SHORT';
  confidence: number;
  confidence_kind: string;
  raw_confidence: number;
  score: number;
  price: number;
  stopLoss: number;
  takeProfit: number;
  live_votes: number;
  effective_votes: number;
  contributions: object[];
  timeframes: { interval: string; weight: number; score: number | null }[];
  candle_close_at: string;
  hashes: { engine: string; data: string; params: string };
  outcome: string;
  filtered_by: string | null;
  position: {
    qty: number;
    limits: Record<'tick_size' | 'step_size' | 'min_notional' | 'max_quantity' | 'max_leverage', number>;
  };
}
interface Scan {
  status: string;
  failure: string | null;
  params: ScanParams;
  results: { all: Result[]; total: number; best: Result | null; confidence: { kind: string }[] };
}
async function send<T>(user: TestUser, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<T> {
  return (await test.app.inject({ method, url, headers: user.bearer, ...(payload && { payload }) })).json<T>();
}
async function of(symbol: string, interval: string, limit: number, closeAt: string): Promise<Candles> {
  const url = `/api/klines?symbol=${symbol}&interval=${interval}&limit=${limit}&endTime=${Date.parse(closeAt)}`;
  const { candles } = (await test.app.inject({ url, headers: reader.bearer })).json<{
    candles: Record<string, number[]>;
  }>();
  const names = ['time', 'open', 'high', 'low', 'close', 'volume'];
  return Object.fromEntries(names.map((name) => [name, Float64Array.from(candles[name] ?? [])])) as unknown as Candles;
}
let reader: TestUser;

const rules = `fast = 5 [3..20 step 1]
long when close > sma(close, fast) and 4h(close > sma(close, 3))
short when close < sma(close, fast) and 4h(close < sma(close, 3))
exit long when close < open
stop 2 * atr(10); target 2R; risk 0.5 %`;
const symbols = [
  ...['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'ADAUSDT', 'DOGEUSDT', 'LINKUSDT'],
  ...['AVAXUSDT', 'DOTUSDT', 'TRXUSDT', 'LTCUSDT', 'BCHUSDT', 'UNIUSDT', 'ATOMUSDT', 'NEARUSDT'],
];

async function scanOf(
  user: TestUser,
  text: string,
): Promise<{ id: string; version: string; scan: Scan; scanId: string }> {
  // Saving a strategy reads as many symbols as a scan may: all of them would use up the minute of the exchange.
  await send(user, 'PUT', '/api/preferences', { balance_usdt: 100_000, min_auto_conf_pct: 60, max_symbols: 20 });
  const saved = await send<{ strategies: { id: string; version: string }[] }>(user, 'POST', '/api/strategies', {
    name: 'Mine',
    rules: text,
    interval: '1h',
  });
  const { id, version } = saved.strategies[0]!;
  await send(user, 'PUT', '/api/strategies/used', { id, version });
  const { scan_id: scanId } = await send<{ scan_id: string }>(user, 'POST', '/api/scan', { symbols });
  const read = async () => (await send<{ scan: Scan }>(user, 'GET', `/api/scan/${scanId}`)).scan;
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).not.toMatch(/queued|running/);
  return { id, version, scanId, scan: await read() };
}

describe('a scan by own rules', () => {
  it('RULE-013 has the signals of the program, which a browser computes to the same bits', async () => {
    const anna = (reader = await test.signUp());
    const { id, version, scan, scanId } = await scanOf(anna, rules);
    expect(scan.failure).toBeNull();
    const { params, results } = scan;
    expect(params).toMatchObject({ intervals: ['1h', '4h'], strategy: { version, value: { rules } } });
    expect(results.confidence).toMatchObject([{ kind: 'score' }, { kind: 'score' }]);
    // The rules hold for one side or the other on most of them.
    expect(results.total).toBeGreaterThan(3);
    const engine = startEngine(await loadModule());
    for (const result of results.all) {
      const { symbol, direction, candle_close_at: closeAt, position } = result;
      expect(result).toMatchObject({
        interval: '1h',
        confidence: 1,
        raw_confidence: 1,
        confidence_kind: 'score',
        live_votes: 1,
        effective_votes: 1,
        contributions: [],
        score: direction === 'LONG' ? 1 : -1,
      });
      expect(result.timeframes.map(({ interval, score }) => [interval, score])).toEqual([
        ['1h', result.score],
        ['4h', null],
      ]);
      const series = await Promise.all(
        result.timeframes.map(async ({ interval }) => ({
          interval,
          stepMs: intervalMs[interval as '1h'],
          candles: await of(symbol, interval, params.limit, closeAt),
        })),
      );
      // By hand: the mean of five closes.
      const { close } = series[0]!.candles;
      const mean = close.slice(-5).reduce((sum, each) => sum + each, 0) / 5;
      expect(Math.sign(close.at(-1)! - mean)).toBe(result.score);
      const { limits } = position;
      const { tick_size: tickSize, step_size: stepSize, min_notional: minNotional, max_quantity: maxQuantity } = limits;
      const market = { tickSize, stepSize, minNotional, maxQuantity, maxLeverage: limits.max_leverage };
      const item = {
        symbol,
        exchange: 'binance' as const,
        timeframes: timeframesOf(series, params.strategy?.value),
        market,
      };
      const input = { items: [item], rules: scanRulesOf(params), sizing: signalSizing(params) };
      const ran = runTask(engine, { name: 'signals', input });
      if (!ran.ok) throw new Error(ran.error.message);
      const row = (ran.value as SignalsResult).rows[0]?.signal;
      if (row?.ok !== true) throw new Error(row?.error.message);
      const { ensemble, position: sized } = row.value;
      expect([ensemble.direction, ensemble.price]).toEqual([direction, result.price]);
      expect(ensemble.levels).toEqual({ stopLossPrice: result.stopLoss, takeProfitPrice: result.takeProfit });
      expect(sized?.quantity).toBe(position.qty);
      expect(result.hashes).toMatchObject(signalHashes({ ...item, news: undefined }, scanRulesOf(params)));
    }
    // A score is no chance: a minimum of 60 % holds none of them back.
    expect(results.all.some(({ outcome }) => outcome === 'ELIGIBLE')).toBe(true);
    expect(results.all.map(({ outcome }) => outcome)).not.toContain('LOW_CONF');

    // The check of a result passes by the rules' own threshold.
    const [first] = results.all.filter(({ outcome }) => outcome === 'ELIGIBLE');
    const checked = await send<{ aiRationale?: string; rule_check?: string; code?: string }>(
      anna,
      'POST',
      '/api/signal/ai-check',
      {
        scan_id: scanId,
        symbol: first!.symbol,
        interval: '1h',
      },
    );
    expect(checked).toMatchObject({ rule_check: 'passed' });

    // The public record has neither name nor text; the ledger of the owner has each signal.
    const stored = await test.database.asOwner<{ text: string; version: string }>(
      'select params::text as text, strategy_version as version from signals where strategy_version = $1',
      [version],
    );
    expect(stored).toHaveLength(results.total);
    for (const { text } of stored) expect(text).not.toMatch(/Mine|sma\(/);
    const [ledger] = await test.database.asOwner<{ count: string }>(
      'select count(*) from strategy_signals where strategy_id = $1 and strategy_version = $2',
      [id, version],
    );
    expect(Number(ledger?.count)).toBe(results.total);

    // A position opened on such a signal has the exits of the text.
    const opened = await send<{ position: { strategy: { value: { rules: string } }; confidence: number } }>(
      anna,
      'POST',
      '/api/positions',
      { symbol: first!.symbol, interval: '1h', scan_id: scanId },
    );
    expect(opened.position).toMatchObject({ confidence: 1, strategy: { version, value: { rules } } });
  });

  it('RULE-013 reads fundings and mark prices of each symbol, and hashes them', async () => {
    const text = 'long when mark > 0 and funding >= 0 and funding_in > 0\nshort when mark > 0 and funding < 0';
    const { scan } = await scanOf((reader = await test.signUp()), text);
    expect(scan.failure).toBeNull();
    const { params, results } = scan;
    expect(results.total).toBeGreaterThan(3);
    for (const { symbol, direction, candle_close_at: closeAt, hashes } of results.all.slice(0, 4)) {
      const candles = await of(symbol, '1h', params.limit, closeAt);
      const [fromMs, closeMs] = [candles.time[0] ?? 0, Date.parse(closeAt)];
      const read = async <T>(url: string) => {
        const response = await test.app.inject({ url, headers: reader.bearer });
        expect(response.statusCode, response.body).toBe(200);
        return response.json<T>();
      };
      const { history } = await read<{ history: { at: string; funding_rate: number }[] }>(
        `/api/funding?symbol=${symbol}&since=${fromMs}&until=${closeMs + 1}`,
      );
      expect(history.length).toBeGreaterThan(10);
      expect(direction).toBe((history.at(-1)?.funding_rate ?? 0) >= 0 ? 'LONG' : 'SHORT');
      const url = `/api/klines?symbol=${symbol}&interval=1h&limit=${candles.time.length}&endTime=${closeMs}&price=mark`;
      const marks = (await read<{ candles: { open: number[] } }>(url)).candles;
      const ruleInputs = {
        funding: {
          time: Float64Array.from(history, ({ at }) => Date.parse(at)),
          rate: Float64Array.from(history, ({ funding_rate: rate }) => rate),
        },
        markPrices: { open: Float64Array.from(marks.open), high: candles.high, low: candles.low },
      };
      const series = [{ interval: '1h', stepMs: intervalMs['1h'], candles }];
      const timeframes = timeframesOf(series, params.strategy?.value);
      expect(hashes).toMatchObject(signalHashes({ timeframes, ruleInputs, news: undefined }, scanRulesOf(params)));
    }
  });

  it('RULE-013 finds nothing where the rules do not hold', async () => {
    const { scan } = await scanOf(await test.signUp(), 'long when close < 0\nshort when high < low');
    expect(scan.status).toBe('done');
    expect(scan.results.total).toBe(0);
  });
});
