import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { describe, expect, it } from 'vitest';
import type { Preferences, Strategies } from '../../../../src/api/types.ts';
import {
  AUTO,
  bodyOf,
  fixedInterval,
  isOfForm,
  LIVE,
  type PortfolioDraft,
  readSymbols,
  shownLimits,
} from '../../../../src/features/backtest/portfolio/portfolioState.ts';

const draft: PortfolioDraft = {
  source: 'universe',
  symbols: '',
  interval: '1h',
  limit: 1200,
  strategy: AUTO,
  limits: null,
  set: null,
};
const mine = { id: 'a', name: 'Mine', version: 'v', value: liveRules(['15m', '1h']), is_used: false };
const saved = (isUsed: boolean) =>
  ({ strategies: [{ ...mine, is_used: isUsed }], used: { name: isUsed ? 'Mine' : 'Live rules' } }) as Strategies;

describe('the form of a portfolio run', () => {
  it('RULE-117 sends what Auto trades over the universe, without limits of its own', () => {
    expect(bodyOf(draft, undefined)).toEqual({ interval: '1h', limit: 1200, asAuto: true });
    // Saved rules that Auto trades have their own interval.
    expect(bodyOf(draft, saved(true))).toEqual({ limit: 1200, asAuto: true });
    expect([
      fixedInterval(AUTO, saved(true)),
      fixedInterval(AUTO, saved(false)),
      fixedInterval('a', saved(false)),
    ]).toEqual(['15m', null, '15m']);
  });

  it('RULE-117 sends each control', () => {
    const limits = {
      positionsMax: 3,
      openingsMax: 0,
      dailyLossPct: 0,
      stopStreak: 0,
      cooldownMinutes: 60,
      drawdownPct: 0,
      grossMaxFraction: 2,
      netMaxFraction: 0,
      stopLossMaxFraction: 0,
    };
    const body = bodyOf(
      {
        ...draft,
        source: 'named',
        symbols: 'btcusdt, ETHUSDT btcusdt',
        interval: '4h',
        strategy: LIVE,
        limit: 300,
        limits,
      },
      saved(true),
    );
    expect(body).toEqual({
      symbols: ['BTCUSDT', 'ETHUSDT'],
      interval: '4h',
      strategy: liveRules(['4h']),
      limits,
      limit: 300,
      asAuto: true,
    });
    expect(bodyOf({ ...draft, strategy: 'a' }, saved(false))).toEqual({
      strategy: mine.value,
      limit: 1200,
      asAuto: true,
    });
  });

  it('RULE-117 reads symbols as typed', () => {
    expect(readSymbols(' btcusdt;ethusdt\nBTCUSDT ')).toEqual({ symbols: ['BTCUSDT', 'ETHUSDT'] });
    expect(readSymbols('')).toMatchObject({ error: expect.stringContaining('Enter a symbol') as string });
    expect(readSymbols('BTC/USD')).toEqual({ error: 'BTC/USD is no symbol' });
    const many = Array.from({ length: 129 }, (_, k) => `A${k}USDT`).join(',');
    expect(readSymbols(many)).toEqual({ error: '129 symbols, at most 128' });
    expect(() => bodyOf({ ...draft, source: 'named', symbols: '?' }, undefined)).toThrow('is no symbol');
  });

  it('RULE-117 shows the limits of the settings until one is typed', () => {
    const preferences = {
      max_concurrent_positions: 7,
      positions_wanted: 2,
      guard_daily_loss_pct: null,
      guard_stop_streak: 4,
      guard_cooldown_minutes: 90,
      guard_drawdown_pct: 15,
    } as Preferences;
    expect(shownLimits(null, null)).toBeNull();
    const shown = shownLimits(null, preferences);
    expect(shown).toMatchObject({ positionsMax: 7, openingsMax: 2, dailyLossPct: 0, stopStreak: 4, drawdownPct: 15 });
    expect(shown).not.toHaveProperty('skipsStopBeyondLiquidation');
    expect(shownLimits({ ...shown!, positionsMax: 1 }, preferences)).toMatchObject({ positionsMax: 1 });
  });

  it('RULE-117 knows whether the run on screen is that of the form', () => {
    const body = JSON.stringify(bodyOf(draft, undefined));
    expect(isOfForm(body, draft, undefined)).toBe(true);
    expect(isOfForm(body, { ...draft, limit: 600 }, undefined)).toBe(false);
    expect(isOfForm(body, { ...draft, source: 'named', symbols: '?' }, undefined)).toBe(false);
  });
});
