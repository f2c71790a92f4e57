import { voteFamilies } from '@sextant/workers/src/signals/voteFamilies.ts';
import { describe, expect, it } from 'vitest';
import { approvalOf } from '../../../src/features/aicheck/approval.ts';
import { builtInVerdict } from '../../../src/features/aicheck/builtInAnalyst.ts';
import { SignalFeatures } from '../../../src/features/aicheck/features.ts';
import { checkVerdict, plainText, type RawVerdict } from '../../../src/features/aicheck/verdict.ts';
import { hostileTexts } from './support/hostileTexts.ts';
import { features } from './support/features.ts';

const raw: RawVerdict = {
  verdict: 'approved',
  rationale: 'Trend and momentum agree.',
  tags: ['trend', 'momentum'],
  horizon_minutes: 240,
  suggested_stop_loss_pct: 1,
  suggested_take_profit_pct: 2,
  risk_multiplier: 0.8,
};

describe('a verdict', () => {
  it('is accepted when every number lies within its bounds and near the levels of the engine', () => {
    // The engine's stop is 1 % away and its target 2 %: a quarter to four times of that is near.
    for (const stop of [0.25, 1, 4]) {
      expect(checkVerdict({ ...raw, suggested_stop_loss_pct: stop }, features())).toMatchObject({ ok: true });
    }
  });

  it.each([
    ['stop loss', { suggested_stop_loss_pct: 0.2 }],
    ['stop loss', { suggested_stop_loss_pct: 4.1 }],
    ['stop loss', { suggested_stop_loss_pct: -1 }],
    ['take profit', { suggested_take_profit_pct: 9 }],
    ['take profit', { suggested_take_profit_pct: Number.NaN }],
    ['horizon', { horizon_minutes: 0 }],
    ['horizon', { horizon_minutes: Infinity }],
    ['risk multiplier', { risk_multiplier: 0 }],
    ['risk multiplier', { risk_multiplier: 1.01 }],
    ['no rationale', { rationale: '\u0000 \u202e' }],
  ])('is rejected as a whole for its %s: %j', (reason, fields) => {
    expect(checkVerdict({ ...raw, ...fields }, features())).toEqual({ ok: false, error: reason });
  });

  it.each(hostileTexts)('passes a hostile text on as harmless words: %j', (text) => {
    const checked = checkVerdict({ ...raw, rationale: `x ${text}`, tags: [text] }, features());
    if (!checked.ok) throw new Error(checked.error);
    const { rationale, tags, ...numbers } = checked.value;
    for (const shown of [rationale, ...tags])
      expect(shown).not.toMatch(/[<>`[\]{}|\\]|:\/\/|javascript:|data:|\p{C}/iu);
    expect(rationale.length).toBeLessThanOrEqual(600);
    expect(numbers).toEqual({
      decision: 'approved',
      horizonMinutes: 240,
      suggestedStopLossPct: 1,
      suggestedTakeProfitPct: 2,
      riskMultiplier: 0.8,
    });
  });

  it('keeps ordinary words as they are', () => {
    expect(plainText('RSI at 62.5, ATR 1.2 %; stop 0.9x (tight).')).toBe('RSI at 62.5, ATR 1.2 %; stop 0.9x (tight).');
  });
});

describe('the figures an analyst sees', () => {
  it.each(hostileTexts)('accept no hostile text as a symbol, an interval or the name of a vote: %j', (text) => {
    const base = features();
    expect(SignalFeatures.safeParse({ ...base, symbol: text }).success).toBe(false);
    expect(SignalFeatures.safeParse({ ...base, symbol: `BTC${text}USDT` }).success).toBe(false);
    expect(SignalFeatures.safeParse({ ...base, interval: text }).success).toBe(false);
    expect(SignalFeatures.safeParse({ ...base, contributions: [{ name: text, points: 0.1 }] }).success).toBe(false);
    expect(SignalFeatures.safeParse({ ...base, note: text }).success).toBe(false);
  });
});

describe('the options of the user', () => {
  const rejected = {
    decision: 'rejected',
    suggestedStopLossPct: 1.5,
    suggestedTakeProfitPct: 3,
    riskMultiplier: 0.8,
  } as const;
  const verdict = { ...rejected, rationale: 'x', tags: [], horizonMinutes: 60 };
  it.each([
    [false, false, { isApproved: false, riskMultiplier: 0.8, stopLossPct: null, takeProfitPct: null }],
    [true, false, { isApproved: true, riskMultiplier: 0.5, stopLossPct: null, takeProfitPct: null }],
    [false, true, { isApproved: true, riskMultiplier: 0.8, stopLossPct: 1.5, takeProfitPct: 3 }],
    [true, true, { isApproved: true, riskMultiplier: 0.5, stopLossPct: 1.5, takeProfitPct: 3 }],
  ])('soft %s and correction %s turn a reject into %j', (softApproval, allowAiCorrectionOnReject, expected) => {
    expect(approvalOf(verdict, { softApproval, allowAiCorrectionOnReject })).toEqual(expected);
  });

  it('leave an approval as it is', () => {
    const options = { softApproval: true, allowAiCorrectionOnReject: true };
    const expected = { isApproved: true, riskMultiplier: 0.8, stopLossPct: null, takeProfitPct: null };
    expect(approvalOf({ ...verdict, decision: 'approved' }, options)).toEqual(expected);
  });
});

describe('the built-in rules', () => {
  it('approve when all hold, and say that no model was called', () => {
    // 0.5 of 0.6 agrees: 83 %; trend, volume and level lean that way, both intervals too; target twice the stop; stop 1 % against an
    // ATR of 0.8 %: 1.25; 0.12 % of costs on the way to 1 %.
    const { decision, rationale, riskMultiplier } = builtInVerdict(features());
    expect(decision).toBe('approved');
    expect(rationale).toBe(
      'Built-in rules, no AI model: all hold. In figures: votes agree 83.3 % (at least 80 %), 3 of 4 vote families agree ' +
        '(at least 3), no interval disagrees, target 2.00 x as far as the stop (at least 1.2 x), stop 1.25 x ATR away ' +
        '(at least 1 x), costs 12 % of the way to the stop (at most 15 %), stop 1 % away (at most 8.5 %).',
    );
    expect(riskMultiplier).toBeCloseTo(5 / 6, 12);
  });

  const votes = (points: Record<string, number>) => ({
    contributions: Object.entries(points).map(([name, value]) => ({ name, points: value })),
  });
  it.each([
    ['agreement', votes({ macd15m: 0.2, obv15m: 0.2, pivot15m: 0.1, boll15m: -0.2 }), 'votes agree 71.4 %'],
    // Six votes that agree, of two families.
    [
      'families',
      votes({ macd15m: 0.1, adx15m: 0.1, supertrend15m: 0.1, smaCross15m: 0.1, ichCloud15m: 0.1, obv15m: 0.1 }),
      '2 of 4 vote families',
    ],
    ['intervals', votes({ macd15m: 0.3, obv15m: 0.2, pivot15m: 0.2, macd4h: -0.05 }), 'by 5 % of the score'],
    ['reward', { takeProfitPrice: 101.1 }, 'target 1.10 x as far'],
    ['noise', { atrFraction: 0.011 }, 'stop 0.91 x ATR'],
    ['costs', { stopLossPrice: 99.25, atrFraction: 0.005 }, 'costs 16 % of the way to the stop'],
    ['room', { stopLossPrice: 91.4, takeProfitPrice: 118 }, 'stop 8.6 % away'],
  ])('reject when it fails by %s, and name the reason', (name, fields, words) => {
    const { decision, tags, rationale } = builtInVerdict({ ...features(), ...fields });
    expect(decision).toBe('rejected');
    expect(tags).toEqual(['rules', name]);
    expect(rationale).toMatch(
      /^Built-in rules, no AI model: not all hold\. In figures: [^,]+ \((at least|at most|none may)[^,]*\)\.$/,
    );
    expect(rationale).toContain(words);
  });

  it('recognise every vote of a scan by its name there', () => {
    for (const [id, family] of voteFamilies) {
      const name = `${id.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}15m`;
      const others = Object.fromEntries(
        Object.entries({ macd1h: 'trend', obv1h: 'volume', pivot1h: 'level', boll1h: 'reversal' })
          .filter(([, of]) => of !== family)
          .slice(0, 2)
          .map(([each]) => [each, 0.1]),
      );
      // Two other families and this one: if this vote were unknown there would be two.
      expect(builtInVerdict({ ...features(), ...votes({ ...others, [name]: 0.1 }) }).decision, name).toBe('approved');
    }
  });

  it('judge a SHORT by the votes against', () => {
    const base = features();
    const mirrored = base.contributions.map(({ name, points }) => ({ name, points: -points }));
    const short = { ...base, direction: 'SHORT' as const, score: -0.4, stopLossPrice: 101, takeProfitPrice: 98 };
    expect(builtInVerdict({ ...short, contributions: mirrored }).decision).toBe('approved');
    expect(builtInVerdict(short).decision).toBe('rejected');
  });

  it('suggest what passes their own check', () => {
    const levels = [{}, { stopLossPrice: 99.9 }, { stopLossPrice: 80, takeProfitPrice: 140 }];
    for (const input of [0.003, 0.008, 0.02].flatMap((atrFraction) =>
      levels.map((level) => ({ ...features(), ...level, atrFraction })),
    )) {
      const { decision, rationale, tags, ...numbers } = builtInVerdict(input);
      const wire = {
        verdict: decision,
        rationale,
        tags,
        horizon_minutes: numbers.horizonMinutes,
        suggested_stop_loss_pct: numbers.suggestedStopLossPct,
        suggested_take_profit_pct: numbers.suggestedTakeProfitPct,
        risk_multiplier: numbers.riskMultiplier,
      };
      expect(checkVerdict(wire, input)).toMatchObject({ ok: true });
    }
  });
});
