import { describe, expect, it } from 'vitest';
import type { CcxtMarket } from '../../../src/adapters/exchanges/ccxtClient.ts';
import { exchanges } from '../../../src/adapters/exchanges/exchanges.ts';
import { quoteOf } from '../../../src/adapters/exchanges/restDialect.ts';
import type { LeftOut } from '../../../src/features/market/port.ts';
import { universeOf } from '../../../src/adapters/exchanges/universe.ts';

const testNowMs = Date.UTC(2025, 2, 14, 10, 7, 30);

const btc: CcxtMarket = {
  id: 'BTC-USDT-SWAP',
  symbol: 'BTC/USDT:USDT',
  base: 'BTC',
  quote: 'USDT',
  settle: 'USDT',
  swap: true,
  linear: true,
  active: true,
  contractSize: 0.01,
  created: 1_600_000_000_000,
  precision: { price: 0.1, amount: 0.01 },
  limits: { leverage: { max: 100 } },
  // Each exchange names the asset class in a different field.
  info: { contractType: 'PERPETUAL', underlyingType: 'COIN', symbolType: '', instCategory: '1' },
};
const only = (exchange: 'binance' | 'bybit' | 'okx', market: CcxtMarket) => {
  const universe = universeOf(exchanges[exchange].rest, [market], testNowMs);
  return universe.ok ? [...universe.value.listed.values()][0]?.listing : universe.error;
};

describe('universeOf', () => {
  it('converts contracts to coins on OKX: 0.01 contracts of 0.01 BTC are 0.0001 BTC', () => {
    expect(only('okx', btc)).toEqual({
      symbol: 'BTCUSDT',
      base: 'BTC',
      tickSize: 0.1,
      stepSize: 0.0001,
      minNotional: null,
      maxQuantity: null,
      maxLeverage: 100,
      listedAtMs: 1_600_000_000_000,
      status: 'trading',
      fundingHours: null,
    });
  });

  it('leaves quantities that are coins already unchanged', () => {
    expect(only('binance', { ...btc, id: 'BTCUSDT', contractSize: 1 })).toMatchObject({ stepSize: 0.01 });
  });

  it("reads Binance's minimum notional from its filter", () => {
    const info = {
      ...btc.info,
      filters: [{ filterType: 'PRICE_FILTER' }, { filterType: 'MIN_NOTIONAL', notional: '5' }],
    };
    expect(only('binance', { ...btc, id: 'BTCUSDT', info })).toMatchObject({ minNotional: 5 });
  });

  const lot = (maxQty: string) => ({ filterType: 'LOT_SIZE', maxQty });
  const marketLot = (maxQty: string) => ({ filterType: 'MARKET_LOT_SIZE', maxQty });
  it.each<['binance' | 'bybit' | 'okx', string, object, number | null]>([
    ['binance', 'the market order', { filters: [lot('1000'), marketLot('120')] }, 120],
    ['binance', 'any order where the other is 0', { filters: [lot('1000'), marketLot('0')] }, 1000],
    ['binance', 'nothing where no filter is sent', {}, null],
    ['bybit', 'the market order', { lotSizeFilter: { maxOrderQty: '1190.000', maxMktOrderQty: '119.000' } }, 119],
    ['bybit', 'any order where no other is sent', { lotSizeFilter: { maxOrderQty: '1190.000' } }, 1190],
    // 20,000 contracts of 0.01 BTC.
    ['okx', 'the market order, contracts in coins', { maxMktSz: '20000', maxLmtSz: '100000000' }, 200],
    ['okx', 'any order where no other is sent', { maxMktSz: '', maxLmtSz: '12.3' }, 0.123],
    ['okx', 'nothing where both are no numbers', { maxMktSz: 'none', maxLmtSz: '-1' }, null],
  ])('RULE-193 reads the largest order of %s: %s', (exchange, _what, stated, maxQuantity) => {
    const id = exchange === 'okx' ? btc.id! : 'BTCUSDT';
    const market = { ...btc, id, info: { ...btc.info, symbolType: '', ...stated } };
    expect(only(exchange, market)).toMatchObject({ maxQuantity });
  });

  it('NODE-017 leaves out contracts that OKX trades before their coin exists', () => {
    const preMarket = { ...btc, id: 'NEW-USDT-SWAP', symbol: 'NEW/USDT:USDT', base: 'NEW' };
    const markets = [btc, { ...preMarket, info: { ...btc.info, ruleType: 'pre_market' } }];
    const universe = universeOf(exchanges.okx.rest, markets, testNowMs);
    if (!universe.ok) throw new Error(universe.error);
    expect([...universe.value.listed.keys()]).toEqual(['BTCUSDT']);
    expect(universe.value.leftOut.otherAsset).toBe(1);
  });

  it.each<[string, Partial<CcxtMarket>]>([
    ['a dated future', { swap: false }],
    ['an inverse contract', { linear: false }],
    ['a USDC contract', { quote: 'USDC', settle: 'USDC' }],
    ['a market without a tick', { precision: { amount: 0.01 } }],
    ['a tick of zero', { precision: { price: 0, amount: 0.01 } }],
    ['a step that is no number', { precision: { price: 0.1, amount: NaN } }],
    ['an id that is no symbol', { id: 'btc usdt' }],
    ['an id with an invisible character', { id: 'BTC\u200BUSDT' }],
  ])('leaves out %s', (_what, change) => {
    expect(only('okx', { ...btc, ...change })).toMatch(/^a symbol list without a valid symbol/);
  });

  /*
   * Field shapes of recorded responses: nautilus_trader crates/adapters/binance/test_data/futures/http_json/exchange_info_usdm.json (server
   * time 2026-07-20) and crates/adapters/bybit/test_data/http_get_instruments_linear_symbol_type.json; bybit-exchange/docs docs/v5/enum.mdx
   * names the regions. OKX numbers its categories: 1 is crypto, 3 is stocks.
   */
  it.each([
    ['binance', 'a metal', { contractType: 'TRADIFI_PERPETUAL', underlyingType: 'COMMODITY' }, 'commodity'],
    ['binance', 'a stock', { contractType: 'TRADIFI_PERPETUAL', underlyingType: 'EQUITY' }, 'stock'],
    ['binance', 'a Korean stock', { contractType: 'TRADIFI_PERPETUAL', underlyingType: 'KR_EQUITY' }, 'stock'],
    [
      'binance',
      'a share before its listing',
      { contractType: 'TRADIFI_PERPETUAL', underlyingType: 'PREMARKET' },
      'otherAsset',
    ],
    [
      'binance',
      'a traditional contract that says coin',
      { contractType: 'TRADIFI_PERPETUAL', underlyingType: 'COIN' },
      'otherAsset',
    ],
    ['binance', 'an index', { contractType: 'PERPETUAL', underlyingType: 'INDEX' }, 'index'],
    ['binance', 'a contract without a class', { contractType: 'PERPETUAL' }, 'unclassified'],
    ['bybit', 'a stock', { symbolType: 'stock' }, 'stock'],
    ['bybit', 'a tokenised stock', { symbolType: 'xstocks' }, 'stock'],
    ['okx', 'a stock', { instCategory: '3' }, 'stock'],
    ['okx', 'a category to come', { instCategory: '99' }, 'otherAsset'],
  ] as const)('leaves out on %s %s and counts it', (exchange, _what, info, reason) => {
    const other = { ...btc, id: 'ONUSDT', base: 'ON', info };
    const universe = universeOf(exchanges[exchange].rest, [{ ...btc, id: 'BTCUSDT' }, other], testNowMs);
    if (!universe.ok) throw new Error(universe.error);
    expect([...universe.value.listed.keys()]).toEqual(['BTCUSDT']);
    expect(universe.value.leftOut).toMatchObject({ [reason]: 1 });
  });

  it.each<[keyof LeftOut, Partial<CcxtMarket>]>([
    ['datedFuture', { swap: false }],
    ['otherQuote', { linear: false }],
    ['otherQuote', { quote: 'USDC', settle: 'USDC' }],
    ['malformed', { precision: { amount: 0.01 } }],
    ['malformed', { id: 'btc usdt' }],
  ])('counts as %s a symbol with %j, once', (reason, change) => {
    const universe = universeOf(exchanges.okx.rest, [btc, { ...btc, id: 'ETH-USDT-SWAP', ...change }], testNowMs);
    if (!universe.ok) throw new Error(universe.error);
    expect(universe.value.listed.size).toBe(1);
    expect(Object.entries(universe.value.leftOut).filter(([, count]) => count > 0)).toEqual([[reason, 1]]);
  });

  it.each([
    ['bybit', { symbolType: 'innovation' }],
    ['bybit', { symbolType: 'adventure' }],
    ['binance', { contractType: 'PERPETUAL', underlyingType: 'COIN' }],
  ] as const)('keeps a coin of %s: %j', (exchange, info) => {
    expect(universeOf(exchanges[exchange].rest, [{ ...btc, id: 'ONUSDT', info }], testNowMs)).toMatchObject({
      ok: true,
    });
  });

  it.each(['WUSDT', 'GUSDT', '1INCHUSDT', '币安人生USDT'])('keeps %s', (id) => {
    expect(universeOf(exchanges.binance.rest, [{ ...btc, id }], testNowMs)).toMatchObject({ ok: true });
  });

  it('rejects a list that names a symbol twice', () => {
    expect(universeOf(exchanges.okx.rest, [btc, btc], testNowMs)).toEqual({
      ok: false,
      error: 'a symbol list that names 1 symbols twice',
    });
  });

  it('includes a market that does not trade, marked as halted', () => {
    expect(only('okx', { ...btc, active: false })).toMatchObject({ status: 'halted' });
  });
});

describe('quoteOf', () => {
  const nowMs = 1_700_000_000_000;
  const raw = { id: 'BTCUSDT', last: '100', bid: '99.9', ask: '100.1', mark: '100.05', atMs: String(nowMs - 40) };

  it('reads the numbers exchanges send as text', () => {
    expect(quoteOf(raw, 'BTCUSDT', nowMs)).toEqual({
      symbol: 'BTCUSDT',
      last: 100,
      bid: 99.9,
      ask: 100.1,
      mark: 100.05,
      atMs: nowMs - 40,
    });
  });

  it.each(['', 'NaN', 'abc', '0', '-5', null, undefined, Infinity, {}])(
    'is undefined without a last price (%j)',
    (last) => {
      expect(quoteOf({ ...raw, last }, 'BTCUSDT', nowMs)).toBeUndefined();
    },
  );

  it('has null for a side that is missing, far off or crossed', () => {
    expect(quoteOf({ ...raw, bid: '', ask: undefined }, 'BTCUSDT', nowMs)).toMatchObject({ bid: null, ask: null });
    expect(quoteOf({ ...raw, mark: '9.9' }, 'BTCUSDT', nowMs)).toMatchObject({ mark: null });
    expect(quoteOf({ ...raw, bid: '100.2' }, 'BTCUSDT', nowMs)).toMatchObject({ bid: null, ask: null });
  });

  it('caps a future timestamp: no age is negative', () => {
    expect(quoteOf({ ...raw, atMs: nowMs + 5000 }, 'BTCUSDT', nowMs)).toMatchObject({ atMs: nowMs });
  });
});
