import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { compileEngine } from '../../src/engine/engine.ts';
import type { TaskName } from '../../src/protocol/tasks.ts';
import { defaultCosts, defaultWeights } from '../../src/protocol/wire/defaults.ts';
import { runTask, startEngine } from '../../src/tasks/index.ts';
import { randomOwnRun } from './ownRules.ts';
import { randomBacktest, randomCandles, randomWhatIf, seededRandom } from './randomRuns.ts';
import { randomStrategyInput, STRATEGY_SEED } from './randomStrategies.ts';

/** Results of one kind: how many are of a run that finished, how many differ from each other, and a digest of all bits. */
export interface BitsOfKind {
  finished: number;
  distinct: number;
  digest: string;
}

/** SHA-256 of any value: numbers and typed arrays by their bits (NaN in its one form, -0 apart from 0), objects by their fields in order. */
function digestOf(value: unknown): string {
  const hash = sha256.create();
  const numbers = (values: ArrayLike<number>): void => {
    const bits = new BigUint64Array(values.length);
    const floats = new Float64Array(bits.buffer);
    for (let i = 0; i < values.length; i++) {
      const number = values[i] ?? 0;
      if (Number.isNaN(number)) bits[i] = 0x7ff8_0000_0000_0000n;
      else floats[i] = number;
    }
    hash.update(new Uint8Array(bits.buffer));
  };
  // Without TextEncoder, which not every engine has outside of a browser; names and texts are ASCII.
  const text = (part: string): unknown => hash.update(Uint8Array.from(part, (letter) => letter.charCodeAt(0)));
  const visit = (part: unknown): void => {
    if (typeof part === 'number') numbers([part]);
    else if (ArrayBuffer.isView(part)) {
      text(`[${(part as Float64Array).length}`);
      numbers(part as Float64Array);
    } else if (typeof part === 'object' && part !== null) {
      text('{');
      for (const [name, field] of Object.entries(part)) {
        text(`${name}:`);
        visit(field);
      }
      text('}');
    } else text(`${typeof part} ${String(part)};`);
  };
  visit(value);
  return bytesToHex(hash.digest());
}

const searched = {
  params: {
    weights: { ...defaultWeights },
    entryThreshold: 0.08,
    stopLossFraction: 0.02,
    takeProfitFraction: 0.04,
    trailing: { enabled: false, callbackFraction: 0.005, stepFraction: 0.0025 },
  },
  costs: { ...defaultCosts },
  scoredCount: 400,
  samples: 300,
  target: 'pnl' as const,
};

const portfolioOf = (seed: number) => ({
  strategy: { ...liveRules(['1h']), entryThreshold: 0.2 },
  symbols: ['BTCUSDT', 'ETHUSDT', 'ADAUSDT'].map((symbol, k) => ({
    symbol,
    candles: randomCandles(seededRandom(100 * seed + k), 500, 3_600_000),
    context: [],
    costs: { ...defaultCosts, fundingSource: 'assumed' as const, assumedFundingFraction: 1e-4 },
  })),
  limits: { positionsMax: 2, dailyLossPct: 3 },
});

/**
 * The same seeded work in any JavaScript engine: backtests, strategies of votes, own rules, searches, Monte Carlo, sizing and portfolios.
 * @param bytes the wasm file
 * @param share of the number of cases, 1 for all
 */
export async function engineBits(
  bytes: Uint8Array<ArrayBuffer>,
  share: number,
): Promise<{ hash: string; kinds: Record<string, BitsOfKind> }> {
  const compiled = await compileEngine(bytes);
  const engine = startEngine(compiled);
  const run = (name: TaskName, input: unknown): { isFinished: boolean; digest: string } => {
    const result = runTask(engine, { name, input } as Parameters<typeof runTask>[1]);
    return { isFinished: result.ok, digest: digestOf(result.ok ? result.value : result.error) };
  };
  const kinds: Record<string, BitsOfKind> = {};
  const all = (kind: string, count: number, one: (index: number) => ReturnType<typeof run>): void => {
    const results = Array.from({ length: Math.max(1, Math.round(count * share)) }, (_, index) => one(index));
    kinds[kind] = {
      finished: results.filter(({ isFinished }) => isFinished).length,
      distinct: new Set(results.map(({ digest }) => digest)).size,
      digest: digestOf(results.map(({ digest }) => digest)),
    };
  };
  all('backtests', 300, (index) => run('backtest', randomBacktest(53, index)));
  all('strategies of votes', 12, (index) => run('backtestStrategy', randomStrategyInput(STRATEGY_SEED, index)));
  all('own rules', 60, (index) => run('backtestStrategy', randomOwnRun(seededRandom(900 + index), 400)));
  all('what-ifs', 200, (index) => run('size', randomWhatIf(53, index).sizing));
  all('searches', 4, (index) =>
    run('optimize', {
      ...searched,
      candles: randomCandles(seededRandom(17 + index), 900, 3_600_000),
      seed: index,
      guide: index % 2 === 1,
    }),
  );
  all('Monte Carlo', 4, (index) =>
    run('monteCarlo', {
      run: { ...searched, candles: randomCandles(seededRandom(40 + index), 700, 3_600_000) },
      seed: index,
      marketCount: 50,
    }),
  );
  all('portfolios', 6, (index) => run('portfolio', portfolioOf(index)));
  return { hash: compiled.hash, kinds };
}
