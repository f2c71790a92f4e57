import { IndicatorsSync } from '@ixjb94/indicators';
import { obvFromZero, same, seededByFirst, type Peer } from './peer.ts';

const indicators = new IndicatorsSync();

export const ixjb94Peer: Peer = {
  name: '@ixjb94/indicators',
  run: ({ close, high, low, volume }) => ({
    sma: indicators.sma(close, 20),
    ema: indicators.ema(close, 50),
    rsi: indicators.rsi(close, 14),
    macd: indicators.macd(close, 12, 26, 9)[0] ?? [],
    boll: indicators.bbands(close, 20, 2)[2] ?? [],
    atr: indicators.atr(high, low, close, 14),
    cci: indicators.cci(high, low, close, 20),
    obv: indicators.obv(close, volume),
    mfi: indicators.mfi(high, low, close, volume, 14),
  }),
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
