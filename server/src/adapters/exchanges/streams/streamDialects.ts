import type { ExchangeId } from '../../../features/market/port.ts';
import { binanceStream } from './binanceStream.ts';
import { bybitStream } from './bybitStream.ts';
import { okxStream } from './okxStream.ts';
import type { StreamDialect } from './streamDialect.ts';

export const streamDialects: Record<ExchangeId, StreamDialect> = {
  binance: binanceStream,
  bybit: bybitStream,
  okx: okxStream,
};
