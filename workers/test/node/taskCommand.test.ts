import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Candles } from '../../src/protocol/backtest.ts';
import { strategyOfRules } from '../../src/rules/strategyOfRules.ts';
import { engineTimeoutMs, testEngine } from '../support/engine.ts';
import { runTaskCommand, spawnTaskCommand } from '../support/command.ts';
import { randomCandles, seededRandom } from '../support/randomRuns.ts';

beforeAll(async () => {
  await testEngine(); // the command builds a stale engine itself; here it is built once for all cases
}, engineTimeoutMs);

const HOUR = 3_600_000;

type CandleColumns = Record<keyof Candles, (number | null)[]>;

function candles(count = 200): CandleColumns {
  const columns = randomCandles(seededRandom(11), count);
  return Object.fromEntries(
    Object.entries<Float64Array>({ ...columns }).map(([name, column]) => [name, Array.from(column)]),
  ) as CandleColumns;
}

/** The candles with one value replaced. */
function withValue(name: keyof Candles, index: number, value: number | null): CandleColumns {
  const columns = candles();
  columns[name][index] = value;
  return columns;
}

async function json(args: string[], input: unknown): Promise<Record<string, never>> {
  const { code, stdout, stderr } = await runTaskCommand(args, input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, never>;
}

describe('npm run task -- indicators', () => {
  it('prints every output of every indicator, null where it is not defined yet', async () => {
    const columns = candles(20);
    columns.close = Array.from({ length: 20 }, (_, i) => 100 + i);
    columns.open = columns.close;
    columns.high = columns.close;
    columns.low = columns.close;
    // The mean of 100..102 is 101, of 101..103 is 102 and so on; macd needs more than 20 candles.
    const output = await json(['indicators'], { candles: columns, indicators: [{ id: 'sma', period: 3 }, 'macd'] });
    const none = Array<null>(20).fill(null);
    expect(output).toEqual({
      sma: { sma: [null, null, ...Array.from({ length: 18 }, (_, i) => 101 + i)] },
      macd: { macd: none, signal: none, histogram: none },
    });
  });

  it('names two results of one indicator by "as"', async () => {
    const indicators = [
      { id: 'ema', period: 5 },
      { id: 'ema', period: 50, as: 'slow' },
    ];
    expect(Object.keys(await json(['indicators'], { candles: candles(), indicators }))).toEqual(['ema', 'slow']);
  });
});

describe('rows that have not closed', () => {
  /** The candles at the end of which the first of the last `open` ones is running. */
  const running = (open: number): CandleColumns => {
    const columns = candles();
    const from = Math.floor(Date.now() / HOUR) * HOUR - (200 - open) * HOUR;
    columns.time = columns.time.map((_, i) => from + i * HOUR);
    return columns;
  };

  // Three rows ahead and more: a file stamped in the local time of a zone east of UTC.
  it.each([1, 2, 3, 4, 15, 100])(
    'of a backtest, %i of them, are left out and named, and the rest gives the result of a file without them',
    async (open) => {
      const { time } = running(open);
      const first = new Date(time[200 - open] ?? NaN).toISOString().slice(0, 16).replace('T', ' ');
      const words =
        open === 1
          ? `Skipped the last row, ${first} UTC: its candle is still open.\n`
          : `Skipped the last ${open} rows, from ${first} UTC: their candles are still open.\n`;
      const { code, stdout, stderr } = await runTaskCommand(['backtest'], { candles: running(open), scored: 200 });
      expect({ code, stderr }).toEqual({ code: 0, stderr: words });
      const cut = Object.fromEntries(
        Object.entries(running(open)).map(([name, column]) => [name, column.slice(0, -open)]),
      );
      expect(JSON.parse(stdout)).toEqual(await json(['backtest'], { candles: cut, scored: 200 - open }));
    },
  );

  it('of a scan are named with their symbol, and the vote is that of the last closed candle', async () => {
    const series = [{ symbol: 'BTCUSDT', interval: '1h', candles: running(1) }];
    const { stdout, stderr } = await runTaskCommand(['scan'], { series });
    expect(stderr).toMatch(/^BTCUSDT 1h: Skipped the last row, /);
    const closed = running(1);
    const cut = Object.fromEntries(
      Object.entries(closed).map(([name, column]) => [name, column.slice(0, -1)]),
    ) as CandleColumns;
    expect(JSON.parse(stdout)).toEqual(await json(['scan'], { series: [{ ...series[0], candles: cut }] }));
  });

  it('none are left out, and nothing is said, where all have closed', async () => {
    const { stdout, stderr } = await runTaskCommand(['backtest'], { candles: running(0) });
    expect([stderr, (JSON.parse(stdout) as { equity: number[] }).equity.length]).toEqual(['', 200]);
  });

  it.each([
    ['starts with the forming candle', 0],
    ['starts in ten years', 87_600],
  ])(
    'none are left out, and this is said, of a series without a closed one, such as a generated one: it %s',
    async (_, hours) => {
      const columns = running(200);
      columns.time = columns.time.map((time) => (time ?? NaN) + hours * HOUR);
      const { stdout, stderr } = await runTaskCommand(['backtest'], { candles: columns });
      expect(stderr).toBe('All 200 rows end in the future (times are UTC): none was left out as not closed.\n');
      expect((JSON.parse(stdout) as { equity: number[] }).equity).toHaveLength(200);
    },
  );
});

describe('npm run task -- backtest with own rules', () => {
  const rules = 'long when close > sma(close, 5)\nshort when close < sma(close, 5)\nstop 2 %; target 2R';

  it('RULE-015 runs a text on the interval of the candles, as the strategy that it makes', async () => {
    const output = await json(['backtest'], { candles: candles(), rules });
    expect((output['tradeList'] as unknown as object[]).length).toBeGreaterThan(5);
    // The candles are an hour apart.
    expect(await json(['backtest'], { candles: candles(), rules, interval: '1h' })).toEqual(output);
    const own = strategyOfRules(rules, '1h');
    if (!own.ok) throw new Error(own.error[0]?.message);
    expect(await json(['backtest'], { candles: candles(), strategy: own.value })).toEqual(output);
  });

  it('RULE-015 reads the candles of longer intervals from `context`, the shortest first', async () => {
    const { time, open, high, low, close, volume } = candles();
    const whole = (column: (number | null)[]) => column.map((value) => value ?? Number.NaN);
    const starts = whole(time).flatMap((at, i) => (at % (4 * HOUR) === 0 && i + 4 <= 200 ? [i] : []));
    const of = (column: (number | null)[], join: (four: number[]) => number) =>
      starts.map((i) => join(whole(column).slice(i, i + 4)));
    const longer = {
      time: of(time, (four) => four[0] ?? 0),
      open: of(open, (four) => four[0] ?? 0),
      high: of(high, (four) => Math.max(...four)),
      low: of(low, (four) => Math.min(...four)),
      close: of(close, (four) => four[3] ?? 0),
      volume: of(volume, (four) => four.reduce((sum, each) => sum + each, 0)),
    };
    const text = `${rules.split('\n')[0]} and 4h(close > sma(close, 2))`;
    const output = await json(['backtest'], { candles: candles(), rules: text, context: [longer] });
    expect((output['tradeList'] as unknown as object[]).length).toBeGreaterThan(0);
    const { stderr } = await runTaskCommand(['backtest'], { candles: candles(), rules: text });
    expect(stderr).toMatch(/^context holds 0 series, needs 1/);
  });

  it.each([
    [{ rules: 'long when rsj(3) < 30' }, /^rules: line 1, column 11: .+rsi\n$/],
    [{ rules, strategy: liveRules(['1h']) }, /^rules: send either `rules` or `strategy`\n$/],
    [
      { rules, time: candles().time.map((at) => (at ?? 0) * 1.5) },
      /^interval: send the interval of the candles: 1m 5m 15m/,
    ],
    [{ rules: '' }, /^rules: must not be empty\n$/],
  ] as [{ rules: string; strategy?: object; time?: number[] }, RegExp][])(
    'RULE-015 names what is wrong: %j',
    async ({ time, ...input }, words) => {
      const sent = { ...candles(), ...(time && { time }) };
      const { code, stderr } = await runTaskCommand(['backtest'], { candles: sent, ...input });
      expect([code, stderr]).toEqual([1, expect.stringMatching(words)]);
    },
  );

  it('RULE-015 is described by --help', async () => {
    const { stdout } = await runTaskCommand(['--help'], {});
    expect(stdout).toContain('own rules: "rules" in place of "strategy"');
  });
});

describe('npm run task -- backtest', () => {
  it('prints the whole result with its hashes, defaults filled in', async () => {
    const output = await json(['backtest'], { candles: candles() });
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect(output).toMatchObject({
      hashes: { engine: sha256, data: sha256, params: sha256, result: sha256 },
      bestParams: {
        entryThreshold: 0.08,
        slPct: 0.02,
        tpPct: 0.04,
        trailing: { enabled: false },
        weights: { rsi: 1.5 },
      },
      scoredCount: 200,
      sharpe: { value: null, count: 9, reason: 'not enough data: 9 of 30 days' },
      isFundingKnown: false,
    });
    const { trades, tradeList, pnl, netPnl, equity } = output as Record<string, unknown>;
    expect((tradeList as unknown[]).length).toBe(trades);
    expect(pnl).toBe(netPnl);
    expect((equity as number[]).length).toBe(200);
  });

  it('counts the size of an order unless it is switched off', async () => {
    const run = (size: number, more: object = {}) =>
      json(['backtest'], { candles: candles(), costs: { initialEquity: size, notional: size, leverage: 1, ...more } });
    const off = { impactCoefficient: 0, turnoverShareMax: 0 };
    const fills = (output: Record<string, unknown>): number[] =>
      (output['tradeList'] as { entryPrice: number }[]).slice(0, 3).map(({ entryPrice }) => entryPrice);
    const [small, huge] = [await run(1000), await run(1e9)];
    expect(fills(huge)).not.toEqual(fills(small));
    expect(huge['limitedEntryCount']).toBeGreaterThan(0);
    expect(fills(await run(1e9, off))).toEqual(fills(await run(1000, off)));
  });

  it('gives the same bytes for the same input, in a separate process too', async () => {
    const input = { candles: candles(), params: { slPct: 0.01, tpPct: 0.02 }, scored: 100 };
    const here = await runTaskCommand(['backtest'], input);
    expect(here).toMatchObject({ code: 0, stderr: '' });
    expect(await runTaskCommand(['backtest'], input)).toEqual(here);
    expect(await spawnTaskCommand(['backtest'], input)).toEqual(here);
  });
});

describe('bad input of the task command', () => {
  const backtest = (more: object): object => ({ candles: candles(), ...more });
  const indicators = (list: unknown): object => ({ candles: candles(), indicators: list });

  it.each<[title: string, args: string[], input: unknown, says: RegExp]>([
    ['no task', [], {}, /indicators, backtest/],
    ['an unknown task', ['divine'], {}, /unknown task "divine".*indicators, backtest/],
    ['a stray argument', ['backtest', 'file.json'], {}, /file\.json/],
    ['no input', ['backtest'], '', /empty/],
    ['half JSON', ['backtest'], '{"candles": {"time": [1,', /not JSON/],
    ['NaN, which is not JSON', ['backtest'], '{"candles": NaN}', /not JSON/],
    ['no candles', ['backtest'], {}, /^candles/],
    ['an unknown field', ['backtest'], backtest({ cost: {} }), /cost/],
    ['a null price', ['backtest'], { candles: withValue('close', 3, null) }, /^candles\.close\[3\]/],
    ['a negative volume', ['backtest'], { candles: withValue('volume', 4, -1) }, /^candles\.volume\[4\] is -1/],
    ['a high below the low', ['backtest'], { candles: withValue('high', 5, 1) }, /^candles\.high\[5\] is 1/],
    [
      'a repeated time',
      ['indicators'],
      { candles: withValue('time', 6, 1735689600000), indicators: ['rsi'] },
      /^candles\.time\[6\]/,
    ],
    [
      'columns of different length',
      ['backtest'],
      { candles: { ...candles(), low: [1, 2] } },
      /^candles\.low has 2 values, time has 200/,
    ],
    ['too few candles', ['backtest'], { candles: candles(20) }, /^candles: 20 are too few/],
    ['no candle at all', ['indicators'], { candles: candles(0), indicators: ['rsi'] }, /^candles\.time/],
    ['a threshold of zero', ['backtest'], backtest({ params: { entryThreshold: 0 } }), /^params\.entryThreshold/],
    ['an unknown vote', ['backtest'], backtest({ params: { weights: { moon: 1 } } }), /moon/],
    ['more scored candles than there are', ['backtest'], backtest({ scored: 201 }), /^scored is 201/],
    [
      'a leverage without margin',
      ['backtest'],
      backtest({ costs: { leverage: 125, maintenanceMarginFraction: 0.01 } }),
      /^costs\.leverage 125/,
    ],
    ['an unknown indicator', ['indicators'], indicators(['rsi', 'moon']), /^indicators\[1\].*moon/],
    ['a parameter out of bounds', ['indicators'], indicators([{ id: 'ema', period: 0 }]), /^indicators\[0\]\.period/],
    ['an unknown parameter', ['indicators'], indicators([{ id: 'ema', perod: 5 }]), /perod/],
    [
      'two results of one name',
      ['indicators'],
      indicators([
        { id: 'rsi', period: 5 },
        { id: 'rsi', period: 5 },
      ]),
      /^indicators\[1\]\.as/,
    ],
    ['no list of indicators', ['indicators'], { candles: candles() }, /^indicators/],
  ])('%s ends with one line and exit code 1', async (_, args, input, says) => {
    const { code, stdout, stderr } = await runTaskCommand(args, input);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr.trimEnd().split('\n').length, stderr).toBe(1);
  });

  it('ends the process with the same line and exit code, whether or not its input was read', async () => {
    for (const [args, input] of [
      [['divine'], {}],
      [['backtest'], { candles: candles(20) }],
    ] as const) {
      const reported = await runTaskCommand([...args], input);
      expect(reported.code).toBe(1);
      expect(await spawnTaskCommand([...args], input)).toEqual(reported);
    }
  });
});

it('lists tasks and ids on --help', async () => {
  const { code, stdout } = await spawnTaskCommand(['--help'], '');
  expect(code).toBe(0);
  for (const word of ['indicators', 'backtest', 'rsi', 'supertrend', 'ema200']) expect(stdout).toContain(word);
  // The command keeps no counts, and says what to pass instead.
  for (const word of ['keeps no counts', 'earlierTrialCount', 'earlierLookCount']) expect(stdout).toContain(word);
});
