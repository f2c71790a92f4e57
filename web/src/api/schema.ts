/** Stand-in until the generated schema.gen.ts exists; the shapes the server's contracts promise. */
interface Json<T> {
  content: { 'application/json': T };
}
type Refused = Json<{ code: string; message: string; field?: string; request_id: string }>;
type Op<Answer, Body = undefined, Query = undefined> = {
  parameters: Query extends undefined
    ? { query?: never; header?: never; path?: never; cookie?: never }
    : { query: Query; header?: never; path?: never; cookie?: never };
  responses: { 200: Json<Answer>; 400: Refused };
} & (Body extends undefined ? { requestBody?: never } : { requestBody: Json<Body> });
interface Credentials {
  email: string;
  password: string;
}
export interface User {
  id: string;
  email: string;
}
export interface AppInfo {
  mode: 'demo' | 'live';
  market: 'simulated' | 'replay' | 'live';
  demoAccount: boolean;
  version: string;
}
export interface Preferences {
  active_tab: string;
  current_page: string | null;
}

export interface Health {
  status: 'ok' | 'degraded';
  message: string;
  timestamp: string;
  responseTime: number;
  uptime: number;
  external_api_status: 'ok' | 'degraded' | 'down' | 'unknown';
}
export interface FuturesSymbol {
  symbol: string;
  base: string;
  tick_size: number;
  step_size: number;
  status: 'trading' | 'halted';
}
interface FromMarket {
  exchange: string;
  data_age_ms: number;
}
type Columns = Record<'time' | 'open' | 'high' | 'low' | 'close' | 'volume', number[]>;
export interface SavedState {
  symbol: string;
  interval: string;
  params: unknown;
  optimize: { samples: number; target: string } | null;
  metrics: Record<string, number | string | boolean | null> | null;
}

export interface StoredBacktest {
  id: string;
  created_at: string;
  symbol: string;
  interval: string;
  params: unknown;
  result: { best: Record<string, number | string | boolean | null> };
}
export interface RunBacktestBody {
  interval: string;
  candles: Columns;
  params: unknown;
  costs: unknown;
  scored: number;
}

export interface paths {
  '/api/app': { get: Op<AppInfo> };
  '/api/auth/signup': { post: Op<{ user: User | null }, Credentials> };
  '/api/auth/signin': { post: Op<{ user: User | null }, Credentials> };
  '/api/auth/demo': { post: Op<{ user: User | null }, Record<string, never>> };
  '/api/auth/session': { get: Op<{ user: User | null }> };
  '/api/auth/signout': { post: Op<Record<string, never>> };
  '/api/health': { get: Op<Health> };
  '/api/futures-symbols': { get: Op<FromMarket & { symbols: FuturesSymbol[] }> };
  '/api/price/batch': {
    get: Op<FromMarket & { prices: { symbol: string; price: number }[] }, undefined, { symbols: string }>;
  };
  '/api/funding': {
    get: Op<FromMarket & { history: { at: string; funding_rate: number }[] }, undefined, { symbol: string }>;
  };
  '/api/klines': {
    get: Op<
      FromMarket & { candles: Columns },
      undefined,
      { symbol: string; interval: string; limit: number; endTime?: number }
    >;
  };
  '/api/backtest': { post: Op<Record<string, unknown>, RunBacktestBody> };
  '/api/backtest/last': { get: Op<{ backtest: StoredBacktest | null }> };
  '/api/backtest/state': {
    get: Op<{ state: SavedState | null }>;
    put: Op<{ state: SavedState | null }, SavedState>;
    delete: Op<Record<string, never>>;
  };
  '/api/preferences': { get: Op<Preferences>; put: Op<Preferences, Partial<Preferences>> };
}
