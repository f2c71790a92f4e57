import { IndicatorsSync } from '@ixjb94/indicators';
import { obvFromZero, same, seededByFirst, type Peer } from './peer.ts';

const indicators = new IndicatorsSync();

export const ixjb94Peer: Peer = {
  name: '@ixjb94/indicators',
  each: {
    sma: ({ close }) => indicators.sma(close, 20),
    ema: ({ close }) => indicators.ema(close, 50),
    rsi: ({ close }) => indicators.rsi(close, 14),
    macd: ({ close }) => indicators.macd(close, 12, 26, 9)[0] ?? [],
    boll: ({ close }) => indicators.bbands(close, 20, 2)[2] ?? [],
    atr: ({ high, low, close }) => indicators.atr(high, low, close, 14),
    cci: ({ high, low, close }) => indicators.cci(high, low, close, 20),
    obv: ({ close, volume }) => indicators.obv(close, volume),
    mfi: ({ high, low, close, volume }) => indicators.mfi(high, low, close, volume, 14),
  },
  expected: {
    sma: same,
    ema: seededByFirst,
    rsi: same,
    macd: seededByFirst,
    boll: same,
    cci: same,
    atr: { kind: 'from', candle: 400, why: 'counts the range of the first candle' },
    obv: obvFromZero,
    mfi: same,
  },
};
