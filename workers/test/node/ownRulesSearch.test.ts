import { describe, expect, it } from 'vitest';
import { respondToTask } from '../../src/node/respondToTask.ts';
import { columnToWire } from '../../src/protocol/wire/candles.ts';
import { market } from '../support/markets.ts';

const text = `fast = 5 [3..20 step 1]; slow = 30 [21..60 step 3]
long when crossover(ema(close, fast), ema(close, slow))
short when crossunder(ema(close, fast), ema(close, slow))
stop 2 %; target 4 %`;
const candles = Object.fromEntries(
  Object.entries<Float64Array>({ ...market(700, 5, { trend: 0.25 }) }).map(([name, column]) => [
    name,
    columnToWire(column),
  ]),
);

async function respond(task: string, input: object): Promise<{ code: number; stderr: string; body: unknown }> {
  const { code, stdout, stderr } = await respondToTask(
    [task],
    () => Promise.resolve(JSON.stringify(input)),
    () => Promise.resolve(),
  );
  return { code, stderr, body: stdout === '' ? undefined : JSON.parse(stdout) };
}

describe('own rules through the command line', () => {
  it('RULE-027 are searched as text and interval; leaders and best have their values by name', async () => {
    const request = { candles, rules: text, interval: '15m', scored: 300, optimize: { samples: 40, seed: 4 } };
    const { code, stderr, body } = await respond('optimize', request);
    expect(code, stderr).toBe(0);
    const { best, leaders, trialCount } = body as {
      trialCount: number;
      best: { strategy: { rules: string }; values: Record<string, number>; train: { tradeCount: number } };
      leaders: { values: Record<string, number>; value: number }[];
    };
    expect(trialCount).toBeGreaterThan(70);
    const { fast, slow } = best.values;
    expect(best.strategy.rules).toBe(text.replace('fast = 5', `fast = ${fast}`).replace('slow = 30', `slow = ${slow}`));
    expect(best.train.tradeCount).toBeGreaterThan(0);
    expect(leaders.length).toBeGreaterThan(1);
    expect(Object.keys(leaders[0]!.values)).toEqual(['fast', 'slow']);
    const other = await respond('optimize', { ...request, optimize: { samples: 40, seed: 5 } });
    expect(other.body).not.toEqual(body);
  });

  it('RULE-027 are judged, with earlier sets counted', async () => {
    const search = { candles, rules: text, interval: '15m', optimize: { samples: 40, walkForward: { folds: 2 } } };
    const { code, stderr, body } = await respond('honesty', { search, earlierTrialCount: 1000 });
    expect(code, stderr).toBe(0);
    const { trialCount, reading } = body as { trialCount: number; reading: { level: string } };
    expect(trialCount).toBeGreaterThan(1060);
    expect(reading.level).not.toBe('');
  });

  it('RULE-025 are rejected in one line that names the field', async () => {
    const fixed = { candles, rules: 'long when rsi(14) < 30', interval: '15m' };
    expect((await respond('optimize', fixed)).stderr).toContain('has no parameter with a range');
    const ranges = { candles, rules: text, interval: '15m', optimize: { rulesSpace: { trailing: 'on' } } };
    expect((await respond('optimize', ranges)).stderr).toContain('optimize.rulesSpace');
    expect((await respond('optimize', { candles, rules: 'long when rsj(14) < 30' })).stderr).toContain('line 1');
  });
});
