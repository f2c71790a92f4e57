import { atr, bb, cci, ema, macd, mfi, obv, rsi, sma } from 'indicatorts';
import { obvFromZero, same, seededByFirst, type Peer } from './peer.ts';

export const indicatortsPeer: Peer = {
  name: 'indicatorts',
  run: ({ close, high, low, volume }) => ({
    sma: sma(close, { period: 20 }),
    ema: ema(close, { period: 50 }),
    rsi: rsi(close, { period: 14 }),
    macd: macd(close, { fast: 12, slow: 26, signal: 9 }).macdLine,
    boll: bb(close, { period: 20 }).upper,
    atr: atr(high, low, close, { period: 14 }).atrLine,
    cci: cci(high, low, close, { period: 20 }),
    obv: obv(close, volume),
    mfi: mfi(high, low, close, volume, { period: 14 }),
  }),
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
