import { beforeAll, describe, expect, it } from 'vitest';
import type { TaskMessage } from '../../src/protocol/tasks.ts';
import type { OptimizeResult } from '../../src/protocol/optimize.ts';
import {
  dataSections,
  type Digest,
  digestRun,
  hashRun,
  hashSections,
  portableHash,
  type RunSections,
} from '../../src/tasks/hashes.ts';
import { loadModule } from '../../src/node/loadModule.ts';
import { runTask, runTaskWith, startEngine, type TaskEngine } from '../../src/tasks/index.ts';
import { randomBacktest } from '../support/randomRuns.ts';
import { randomStrategyInput } from '../support/randomStrategies.ts';

const digest: Digest = (bytes) => crypto.subtle.digest('SHA-256', bytes);

describe('hashes by crypto.subtle', () => {
  it('are those of a known vector: 1 and 1.5, by another implementation', async () => {
    // printf '\0\0\0\0\0\0\360\77\0\0\0\0\0\0\370\77' | sha256sum
    const sections: RunSections = { engine: 'e', data: 'known', params: [[1.5]], result: [Float64Array.of(1.5)] };
    const sha = '794976fd0327050748e98d0926137f2f0b50991ccc25ca591b701361bef8fb66';
    expect(await digestRun(sections, digest)).toEqual({ engine: 'e', data: 'known', params: sha, result: sha });
  });

  it('are those of the other SHA-256 with absent and empty sections and any NaN, and change nothing', async () => {
    const odd = new Float64Array(3);
    const bits = new BigUint64Array(odd.buffer);
    bits.set([0xfff8000000000123n, 0x7ff0000000000001n, 0x8000000000000000n]);
    const market = [odd, undefined, new Float64Array(), odd.subarray(1)];
    for (const context of [undefined, [odd, undefined, []]]) {
      const data = context === undefined ? { market } : { market, context };
      const sections: RunSections = { engine: 'e', data, params: [[], [Number.NaN]], result: market };
      const other = await digestRun(sections, digest);
      expect(other).toEqual(hashRun(sections));
      expect(other.result).toBe(hashSections(market, portableHash));
    }
    expect([...bits]).toEqual([0xfff8000000000123n, 0x7ff0000000000001n, 0x8000000000000000n]);
  });
});

it('remembers the data that it hashed, also when that changes in place meanwhile', async () => {
  const input = structuredClone(randomBacktest(5, 3));
  const digestData = async (): Promise<string> =>
    (await digestRun({ engine: 'e', data: dataSections(input), params: [], result: [] }, digest)).data;
  const expected = (): string => hashSections(dataSections(input).market);
  const first = expected();
  const waiting = digestData();
  input.candles.volume[0]! += 1;
  expect(await waiting).toBe(first);
  expect(expected()).not.toBe(first);
  expect(await digestData()).toBe(expected());
});

describe('a task whose hashes are computed afterwards', () => {
  let at: TaskEngine;
  let other: TaskEngine;
  beforeAll(async () => {
    [at, other] = [startEngine(await loadModule()), startEngine(await loadModule())];
  });

  const messages: TaskMessage[] = [
    ...Array.from({ length: 40 }, (_, i): TaskMessage => ({ name: 'backtest', input: randomBacktest(5, i) })),
    ...Array.from({ length: 12 }, (_, i): TaskMessage => ({
      name: 'backtestStrategy',
      input: randomStrategyInput(5, i),
    })),
  ];

  it('has the result and the hashes of one that computes them at once, failures too', async () => {
    for (const message of messages) expect(await runTaskWith(digest, at, message)).toEqual(runTask(other, message));
  });

  it('has them also when several wait for their hashes, the same data twice among them', async () => {
    const twice = [...messages.slice(0, 8), ...messages.slice(0, 8)];
    const results = await Promise.all(twice.map((message) => runTaskWith(digest, at, message)));
    expect(results).toEqual(twice.map((message) => runTask(other, message)));
  });

  it('has them where the platform rejects', async () => {
    const reject: Digest = () => Promise.reject(new Error('no digest'));
    const message = messages[0]!;
    expect(await runTaskWith(reject, at, message)).toEqual(runTask(other, message));
  });

  it('is left as it is where it has no run: a search has the hashes of its best set', async () => {
    const { params, costs, candles } = randomBacktest(5, 1, 600);
    const input = { candles, params, costs, scoredCount: 300, samples: 20, target: 'pnl', seed: 1 } as const;
    const search: TaskMessage = { name: 'optimize', input };
    const result = await runTaskWith(digest, at, search);
    expect(result).toEqual(runTask(other, search));
    if (!result.ok) throw new Error(result.error.message);
    const { best } = result.value as OptimizeResult;
    const run = { candles, costs, scoredCount: 300, params: best!.params };
    const alone = await runTaskWith(digest, at, { name: 'backtest', input: run });
    expect(alone).toMatchObject({ ok: true, value: { hashes: best!.scored.hashes } });
  });
});
