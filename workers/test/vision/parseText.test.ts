import { describe, expect, it } from 'vitest';
import { parseDate, parseInterval, parsePriceText, parseSymbol, priceOf } from '../../src/vision/parseText.ts';
import { isSymbol } from '../../src/core/symbolPattern.ts';
import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { hostileTexts } from './hostileTexts.ts';

describe('parseSymbol', () => {
  it.each([
    ['BTCUSDT', 'BTCUSDT'],
    ['BTC/USDT · 15m · Binance', 'BTCUSDT'],
    ['BTCUSDT.P, 240, BYBIT', 'BTCUSDT'],
    ['BTC-USDT-SWAP 1H', 'BTCUSDT'],
    ['ETH/USDT:USDT 4h', 'ETHUSDT'],
    ['1000PEPEUSDT Perpetual', '1000PEPEUSDT'],
    ['ETHUSDTPERP', 'ETHUSDT'],
    ['Chart of sol_usdt today', 'SOLUSDT'],
    // Misread in a small picture.
    ['BTCU5DT Perpetual', 'BTCUSDT'],
    ['SOL/USD7 1h', 'SOLUSDT'],
  ])('finds the symbol of "%s"', (title, symbol) => expect(parseSymbol(title)).toBe(symbol));

  it.each(['Bitcoin', 'BTCUSD', 'EUR/USD 1h', 'USDT', 'O 60123.4 H 60400', 'XUSDTX', 'A'.repeat(60) + 'USDT'])(
    'finds none in "%s"',
    (title) => expect(parseSymbol(title)).toBeNull(),
  );
});

describe('parseInterval', () => {
  it.each([
    ['BTCUSDT Perpetual · 1h', '1h'],
    ['BTC/USDT 15m Binance', '15m'],
    ['BTC/USDT 15M', '15m'],
    ['BTCUSDT, 1D, BINANCE', '1d'],
    ['BTCUSDT, D', '1d'],
    ['ETHUSDT Daily', '1d'],
    ['ETHUSDT 4 hours', '4h'],
    ['ETHUSDT · 5 min', '5m'],
    ['BTCUSDT, 240, BYBIT', '4h'],
    ['BTCUSDT.P, 60', '1h'],
    // The digit 1 read as a letter.
    ['SOLUSDT · lh', '1h'],
    ['SOLUSDT · I5m', '15m'],
    ['4H', '4h'],
  ])('finds the interval of "%s"', (title, interval) => expect(parseInterval(title)).toBe(interval));

  it.each(['BTCUSDT', 'BTCUSDT 1M', 'BTCUSDT 7m', 'BTC 60', 'O 60 H 15', 'BTCUSDT constructor', 'a d w', '1000000h'])(
    'finds none in "%s"',
    (title) => expect(parseInterval(title)).toBeNull(),
  );
});

describe('parsePriceText', () => {
  it.each([
    ['60123.4', 60_123.4],
    ['60,123.4', 60_123.4],
    ['60.123,4', 60_123.4],
    ['1,234,567', 1_234_567],
    ['60,123', 60_123],
    ['0,523', 0.523],
    ['0.00123', 0.001_23],
    ['$61.5K', 61_500],
    ['98.', 98],
  ])('reads "%s"', (text, price) => {
    const result = parsePriceText(text);
    expect(result === null ? null : priceOf(result)).toBeCloseTo(price, 9);
  });

  it.each(['', 'abc', '12:30', '-5', '1e5', '12.34.56', '5%', '9'.repeat(13)])('rejects "%s"', (text) =>
    expect(parsePriceText(text)).toBeNull(),
  );
});

describe('parseDate', () => {
  it.each(['14:00', '5', '31', '2026', 'Mar 5', '5 Mar', "Mar '26", '2026-03-05', '03/05', '03-05 14:00'])(
    'keeps "%s"',
    (text) => expect(parseDate(text)).toBe(text),
  );
  it.each(['25:00', '45', '1900', 'March', 'buy now', '14:0'])('rejects "%s"', (text) =>
    expect(parseDate(text)).toBeNull(),
  );
});

describe('a text that gives orders', () => {
  it.each(hostileTexts.map((text) => [text]))('leaves nothing but a symbol and a known interval: %s', (text) => {
    const [symbol, interval] = [parseSymbol(text), parseInterval(text)];
    expect(symbol === null || (isSymbol(symbol) && /^[A-Z0-9]+$/.test(symbol))).toBe(true);
    expect(interval === null || intervals.includes(interval)).toBe(true);
    expect(parsePriceText(text)).toBeNull();
    expect(parseDate(text)).toBeNull();
  });
  it('there are 50 of them', () => expect(new Set(hostileTexts).size).toBe(50));
});
