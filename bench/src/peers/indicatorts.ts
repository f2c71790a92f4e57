import { atr, bb, cci, ema, macd, mfi, obv, rsi, sma } from 'indicatorts';
import { obvFromZero, same, seededByFirst, type Peer } from './peer.ts';

export const indicatortsPeer: Peer = {
  name: 'indicatorts',
  each: {
    sma: ({ close }) => sma(close, { period: 20 }),
    ema: ({ close }) => ema(close, { period: 50 }),
    rsi: ({ close }) => rsi(close, { period: 14 }),
    macd: ({ close }) => macd(close, { fast: 12, slow: 26, signal: 9 }).macdLine,
    boll: ({ close }) => bb(close, { period: 20 }).upper,
    atr: ({ high, low, close }) => atr(high, low, close, { period: 14 }).atrLine,
    cci: ({ high, low, close }) => cci(high, low, close, { period: 20 }),
    obv: ({ close, volume }) => obv(close, volume),
    mfi: ({ high, low, close, volume }) => mfi(high, low, close, volume, { period: 14 }),
  },
  expected: {
    sma: same,
    ema: seededByFirst,
    macd: seededByFirst,
    boll: same,
    obv: obvFromZero,
    rsi: { kind: 'from', candle: 400, why: 'seeds the means with fewer changes' },
    atr: { kind: 'other', why: 'simple instead of Wilder mean of the true range' },
    cci: { kind: 'other', why: 'takes the mean deviation over a mean that moves with it' },
    mfi: { kind: 'other', why: 'splits the flow by the change of the flow instead of the typical price' },
  },
};
