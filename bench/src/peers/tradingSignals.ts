import { ATR, BollingerBands, CCI, EMA, MACD, MFI, OBV, RSI, SMA } from 'trading-signals';
import { obvFromZero, same, seededByFirst, type Peer } from './peer.ts';

interface Streaming<Input, Result> {
  add(input: Input): Result | null;
}

/** This package computes candle by candle; the results are collected into a series. */
function series<Input, Result>(
  indicator: Streaming<Input, Result>,
  inputs: readonly Input[],
  valueOf: (result: Result) => number,
): (number | null)[] {
  return inputs.map((input) => {
    const result = indicator.add(input);
    return result === null ? null : valueOf(result);
  });
}

const itself = (value: number): number => value;

export const tradingSignalsPeer: Peer = {
  name: 'trading-signals',
  each: {
    sma: ({ close }) => series(new SMA(20), close, itself),
    ema: ({ close }) => series(new EMA(50), close, itself),
    rsi: ({ close }) => series(new RSI(14), close, itself),
    macd: ({ close }) => series(new MACD(new EMA(12), new EMA(26), new EMA(9)), close, ({ macd }) => macd),
    boll: ({ close }) => series(new BollingerBands(20, 2), close, ({ upper }) => upper),
    atr: ({ bars }) => series(new ATR(14), bars, itself),
    cci: ({ bars }) => series(new CCI(20), bars, itself),
    obv: ({ bars }) => series(new OBV(2), bars, itself),
    mfi: ({ bars }) => series(new MFI(14), bars, itself),
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
