/** Every cache key in one place, so an invalidation cannot miss by a typo. */
export const queryKeys = {
  app: ['app'],
  session: ['session'],
  measured: ['measured'],
  outbox: ['outbox'],
  security: {
    state: ['security', 'state'],
    sessions: ['security', 'sessions'],
    username: ['security', 'username'],
  },
  preferences: ['preferences'],
  watchlist: ['watchlist'],
  credits: ['credits'],
  profile: ['profile'],
  account: { privacy: ['account', 'privacy'], deletion: ['account', 'deletion'] },
  market: {
    symbols: ['market', 'symbols'],
    allPrices: ['market', 'prices'],
    prices: (symbols: readonly string[]) => ['market', 'prices', ...symbols] as const,
    candles: (symbol: string, interval: string, limit: number) =>
      ['market', 'candles', symbol, interval, limit] as const,
    health: ['market', 'health'],
  },
  scan: {
    last: ['scan', 'last'],
    away: ['scan', 'away'],
    progress: ['scan', 'progress'],
    one: (id: string) => ['scan', 'one', id] as const,
    candidates: (id: string) => ['scan', 'candidates', id] as const,
  },
  notifications: { settings: ['notifications', 'settings'], deliveries: ['notifications', 'deliveries'] },
  tuning: ['tuning'],
  performance: ['performance'],
  historicSignals: ['performance', 'signals'],
  backtest: {
    state: ['backtest', 'state'],
    last: ['backtest', 'last'],
  },
} as const;
