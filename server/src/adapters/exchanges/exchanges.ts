import type { ExchangeId } from '../../features/market/port.ts';
import { binanceRest } from './binance/rest.ts';
import { binanceRules } from './binance/rules.ts';
import { binanceStream } from './binance/stream.ts';
import { bybitRest } from './bybit/rest.ts';
import { bybitRules } from './bybit/rules.ts';
import { bybitStream } from './bybit/stream.ts';
import { okxRest } from './okx/rest.ts';
import { okxRules } from './okx/rules.ts';
import { okxStream } from './okx/stream.ts';
import type { RestDialect } from './restDialect.ts';
import type { VenueRules } from './rules.ts';
import type { StreamDialect } from './streams/streamDialect.ts';

/** All exchange-specific parts, one folder per exchange. */
export const exchanges: Record<ExchangeId, { rules: VenueRules; rest: RestDialect; stream: StreamDialect }> = {
  binance: { rules: binanceRules, rest: binanceRest, stream: binanceStream },
  bybit: { rules: bybitRules, rest: bybitRest, stream: bybitStream },
  okx: { rules: okxRules, rest: okxRest, stream: okxStream },
};
