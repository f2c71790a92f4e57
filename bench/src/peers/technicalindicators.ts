import * as technicalindicators from 'technicalindicators';
import { obvFromZero, same, seededByFirst, type Expectation, type Peer, type PeerCandles } from './peer.ts';

const rounded = { kind: 'rounded', why: 'rounds its result to two digits' } as const;

type Calculation<Result = number> = { calculate: (input: Record<string, number | boolean | number[]>) => Result[] };

/** The part of the package used here. Its own types require class instances where it accepts plain objects. */
interface Package {
  MACD: Calculation<{ MACD?: number }>;
  BollingerBands: Calculation<{ upper: number }>;
  SMA: Calculation;
  EMA: Calculation;
  RSI: Calculation;
  ATR: Calculation;
  CCI: Calculation;
  OBV: Calculation;
  MFI: Calculation;
}
const { ATR, BollingerBands, CCI, EMA, MACD, MFI, OBV, RSI, SMA } = technicalindicators as unknown as Package;

const MFI_PERIOD = 14;
const mfiRounded: Expectation = {
  kind: 'rounded',
  why: 'rounds its result to two digits and counts an unchanged typical price as a fall',
  isOther: (candles, candle) => hasUnchangedPrice(candles, candle - MFI_PERIOD + 1, candle),
};

export const technicalindicatorsPeer: Peer = {
  name: 'technicalindicators',
  each: {
    sma: ({ close }) => SMA.calculate({ period: 20, values: close }),
    ema: ({ close }) => EMA.calculate({ period: 50, values: close }),
    rsi: ({ close }) => RSI.calculate({ period: 14, values: close }),
    macd: ({ close }) =>
      MACD.calculate({
        values: close,
        fastPeriod: 12,
        slowPeriod: 26,
        signalPeriod: 9,
        SimpleMAOscillator: false,
        SimpleMASignal: false,
      }).map(({ MACD: line }) => line),
    boll: ({ close }) => BollingerBands.calculate({ period: 20, values: close, stdDev: 2 }).map(({ upper }) => upper),
    atr: ({ high, low, close }) => ATR.calculate({ period: 14, high, low, close }),
    cci: ({ high, low, close }) => CCI.calculate({ period: 20, high, low, close }),
    obv: ({ close, volume }) => OBV.calculate({ close, volume }),
    mfi: ({ high, low, close, volume }) => MFI.calculate({ period: MFI_PERIOD, high, low, close, volume }),
  },
  expected: {
    sma: same,
    ema: same,
    rsi: rounded,
    macd: seededByFirst,
    boll: same,
    atr: same,
    cci: same,
    obv: obvFromZero,
    mfi: mfiRounded,
  },
};

function hasUnchangedPrice({ high, low, close }: PeerCandles, from: number, to: number): boolean {
  const sum = (i: number): number => (high[i] as number) + (low[i] as number) + (close[i] as number);
  for (let i = from; i <= to; i++) if (sum(i) === sum(i - 1)) return true;
  return false;
}
