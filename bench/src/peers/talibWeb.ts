import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ATR, BBANDS, CCI, EMA, init, MACD, MFI, OBV, RSI, SMA } from 'talib-web';
import { same, type Peer } from './peer.ts';

/** Loads the package's WebAssembly, which it can fetch from an address only. */
export async function loadTalib(): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve('talib-web'));
  const bytes = await readFile(join(folder, 'talib.wasm'));
  await init(`data:application/wasm;base64,${bytes.toString('base64')}`);
}

/** TA-Lib in C, compiled to WebAssembly; `loadTalib` comes first. */
export const talibWebPeer: Peer = {
  name: 'talib-web',
  each: {
    sma: ({ close }) => SMA({ inReal: close, timePeriod: 20 }).output,
    ema: ({ close }) => EMA({ inReal: close, timePeriod: 50 }).output,
    rsi: ({ close }) => RSI({ inReal: close, timePeriod: 14 }).output,
    macd: ({ close }) => MACD({ inReal: close, fastPeriod: 12, slowPeriod: 26, signalPeriod: 9 }).MACD,
    boll: ({ close }) => BBANDS({ inReal: close, timePeriod: 20, nbDevUp: 2, nbDevDn: 2, MAType: 0 }).upperBand,
    atr: ({ high, low, close }) => ATR({ high, low, close, timePeriod: 14 }).output,
    cci: ({ high, low, close }) => CCI({ high, low, close, timePeriod: 20 }).output,
    obv: ({ close, volume }) => OBV({ inReal: close, volume }).output,
    mfi: ({ high, low, close, volume }) => MFI({ high, low, close, volume, timePeriod: 14 }).output,
  },
  expected: {
    sma: same,
    ema: same,
    rsi: same,
    macd: { kind: 'from', candle: 400, why: 'seeds the fast average later, where the slow one starts' },
    boll: same,
    atr: same,
    cci: same,
    obv: same,
    mfi: same,
  },
  broken: {
    boll: 'the package returns the first 19 values of the bands only',
    obv: 'the package writes one value beyond its memory and aborts after some hundred calls',
  },
  absent: { sma: 19, ema: 49, rsi: 14, macd: 33, boll: 19, atr: 14, cci: 19, obv: 0, mfi: 14 },
};
