import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { SPREAD_HIGH_PCT, SPREAD_MEDIUM_PCT } from '@sextant/workers/src/core/limits.ts';
import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { SYMBOL_PATTERN, toSymbolCase } from '@sextant/workers/src/core/symbolPattern.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { ExchangeName, SymbolName } from '../market/contract.ts';

// Long because it holds the whole contract of the feature.
// The specification names these fields in camel case (scanId, spreadPct, bestBuy), so the whole feature does.

export const SCAN_SYMBOLS_MAX = 200;
export const SCAN_ITEMS_MAX = 100;
export const WATCHES_MAX = 20;
export const HISTORY_HOURS_MAX = 48;
export const SETTLEMENTS = 30;

const Usdt = z.number().meta({ description: 'USDT.' });
const Pct = z.number().meta({ description: '2 is 2 %.' });
const Instant = z.iso.datetime();

const NO_SYMBOL = 'Please enter at least one symbol';

/** Symbols as a list. Rejects names that are not USDT perpetuals, with the field. */
const Symbols = z
  .array(z.string().max(60), NO_SYMBOL)
  .transform((symbols) => [...new Set(symbols.map((text) => toSymbolCase(text.trim())))].filter((text) => text !== ''))
  .pipe(
    z
      .array(z.string().regex(new RegExp(SYMBOL_PATTERN), 'must be a USDT perpetual such as BTCUSDT'))
      .min(1, NO_SYMBOL)
      .max(SCAN_SYMBOLS_MAX, `must name at most ${SCAN_SYMBOLS_MAX} symbols`),
  )
  .meta({ description: `1 to ${SCAN_SYMBOLS_MAX} USDT perpetuals; case and duplicates are ignored.` });

const Exchanges = z
  .array(ExchangeName)
  .min(2, 'must name at least two exchanges')
  .max(venueIds.length)
  .refine((names) => new Set(names).size === names.length, 'must name each exchange once');

const TakerFee = z
  .number()
  .min(0, 'must be at least 0')
  .max(0.01, 'must be at most 0.01 (1 %)')
  .meta({ description: 'Fraction of the notional: 0.0005 is 0.05 %.' });
const TakerFees = z
  .strictObject(byVenue(() => TakerFee))
  .partial()
  .meta({ description: 'Taker fee of each exchange; its lowest public tier when absent.' });

const Notional = z
  .number()
  .min(0, 'must be at least 0')
  .max(10_000_000, 'must be at most 10,000,000')
  .meta({ description: 'USDT of each leg.' });
const HoldHours = z
  .number()
  .min(0, 'must be at least 0')
  .max(720, 'must be at most 720')
  .meta({ description: 'Holding time until both legs close, hours; funding counts until then.' });

export const ArbitrageScanBody = z.strictObject({
  symbols: Symbols,
  minSpreadPct: z
    .number()
    .min(0, 'must be at least 0')
    .max(100, 'must be at most 100')
    .default(0.1)
    .meta({ description: 'Least gross spread in percent.' }),
  notionalUsdt: Notional.default(1000),
  exchanges: Exchanges.default([...venueIds]),
  maxCount: z.int().min(1, 'must be at least 1').max(SCAN_ITEMS_MAX).default(SCAN_ITEMS_MAX),
  holdHours: HoldHours.default(8),
  takerFees: TakerFees.optional(),
});

/** All inputs of a scan as stored: fees are completed by the defaults at that time. */
export const ArbitrageParams = z.object({
  symbols: z.array(z.string()),
  minSpreadPct: z.number(),
  notionalUsdt: z.number(),
  exchanges: z.array(ExchangeName),
  maxCount: z.int(),
  holdHours: z.number(),
  takerFees: z.object(byVenue(() => z.number())),
});
export type ArbitrageParams = z.output<typeof ArbitrageParams>;

const perExchange = <T extends z.ZodType>(value: T) => z.object(byVenue(() => value)).partial();

export const SpreadBadge = z.enum(['high', 'medium', 'low']).meta({
  description: `Badge of the gross spread: \`high\` at ${SPREAD_HIGH_PCT} % or more, \`medium\` at ${SPREAD_MEDIUM_PCT} % or more.`,
});

/** One leg pair at one size. Prices are per coin: contracts of 1,000 coins are converted. */
export const SizedSpread = z.object({
  notionalUsdt: Usdt.meta({
    description: 'Cost of the bought leg, USDT; below the request where a book is thin.',
  }),
  quantity: z.number().meta({ description: 'Coins of each leg, rounded down to the step both exchanges accept.' }),
  isFilled: z.boolean().meta({ description: 'Whether both books hold the whole notional, within one quantity step.' }),
  buyPrice: z.number().meta({ description: 'Average price of the bought leg.' }),
  sellPrice: z.number().meta({ description: 'Average price of the sold leg.' }),
  buyWorstPrice: z.number().meta({ description: 'Worst fill price of the bought leg.' }),
  sellWorstPrice: z.number(),
  buySlippagePct: Pct.meta({ description: 'Average against the best price, percent.' }),
  sellSlippagePct: Pct,
  worstLeg: z.enum(['buy', 'sell', 'none']).meta({ description: 'The leg with more slippage.' }),
  grossPct: Pct.meta({ description: 'Spread of the average prices, percent of the bought leg.' }),
  grossUsdt: Usdt,
  feesInUsdt: Usdt.meta({ description: 'Taker fees of opening both legs.' }),
  feesOutUsdt: Usdt.meta({ description: 'Taker fees of closing both legs, at the mean of both average prices.' }),
  fundingUsdt: Usdt.meta({
    description:
      'Funding of both legs until `holdHours`: positive is paid, negative is received. Only what is paid is part of the net: ' +
      'a rate can change before it is settled.',
  }),
  netPct: Pct,
  netUsdt: Usdt.meta({
    description: 'gross - fees - funding paid, when the prices meet. Never above the gross.',
  }),
  breakEvenHours: z.number().nullable().meta({
    description: 'Hours of received funding until the net breaks even; 0: already positive; null: never.',
  }),
});
export type SizedSpread = z.input<typeof SizedSpread>;

export const VenueQuote = z.object({
  contract: z.string().meta({ description: 'Its symbol there, e.g. `1000PEPEUSDT`.' }),
  multiplier: z.number().meta({ description: 'Coins per quoted unit; prices here are divided by it.' }),
  bid: z.number(),
  ask: z.number(),
  atMs: z.number().meta({ description: "The exchange's stamp of bid and ask, epoch ms." }),
  receivedAtMs: z.number().meta({ description: 'By our clock.' }),
  source: z.enum(['stream', 'request']),
  fundingRate: z.number().nullable().meta({ description: 'Fraction that longs pay at the next funding.' }),
  nextFundingAtMs: z.number().nullable(),
  fundingIntervalHours: z
    .number()
    .nullable()
    .meta({ description: 'null: unknown; then only the next funding is counted.' }),
});

export const ArbitrageItem = z.object({
  symbol: z.string(),
  spreadPct: Pct.meta({
    description: 'Gross spread of the best prices: (bid - ask) / ask, percent. No fee is taken off.',
  }),
  badge: SpreadBadge,
  bestBuy: ExchangeName.meta({ description: 'Lowest ask.' }),
  bestSell: ExchangeName.meta({ description: 'Highest bid.' }),
  prices: perExchange(z.number()).meta({ description: 'Middle of bid and ask of each exchange, per coin.' }),
  quotes: perExchange(VenueQuote),
  skewMs: z.number().meta({ description: 'Time between the two quotes.' }),
  midSkewPct: Pct.meta({ description: 'Mid price of the sold exchange relative to the bought one.' }),
  theoreticalPnlUsdt: Usdt.meta({ description: 'Gross: notional x spreadPct / 100, without fees, depth and funding.' }),
  netAtBestPricesPct: Pct.meta({ description: 'After fees and funding at the best prices, without depth.' }),
  atNotional: SizedSpread.nullable().meta({
    description: 'At your notional, by both order books; null without books.',
  }),
  atBestSize: SizedSpread.nullable().meta({
    description: 'At the size with the highest net; null without books or a positive net.',
  }),
  depth: z.enum(['read', 'not_read', 'failed']).meta({
    description: '`not_read`: beyond the number of order books read. `failed`: an exchange gave none.',
  }),
  existsSinceMs: z.number().nullable().meta({
    description: 'Epoch ms since when this spread is above costs; null when it is not.',
  }),
});
export type ArbitrageItem = z.input<typeof ArbitrageItem>;

export const LeftOutReason = z
  .enum(['not_listed', 'halted', 'doubtful_contract', 'no_quote', 'old_quote', 'stamps_differ', 'one_exchange', 'gone'])
  .meta({ description: '`gone`: the spread was no longer there when the order books were read.' });

export const ArbitrageVenue = z.object({
  exchange: ExchangeName,
  state: z.enum(['compared', 'failed']),
  failure: z.string().nullable().meta({
    description: 'Why symbols were not compared; null when all were.',
  }),
  quotes: z.int().meta({ description: 'Symbols with a valid quote.' }),
  streamed: z.int().meta({ description: 'Quotes among these from memory; the rest were requested.' }),
});

export const ArbitrageResults = z.object({
  items: z.array(ArbitrageItem).meta({ description: `Highest net at your notional first, at most ${SCAN_ITEMS_MAX}.` }),
  found: z.int().meta({ description: 'Symbols at or above `minSpreadPct`, shown or not.' }),
  compared: z.int().meta({ description: 'Symbols with comparable quotes on at least two exchanges.' }),
  leftOut: z.object({
    counts: z.record(z.string(), z.int()).meta({ description: 'How many by reason; pairs for `stamps_differ`.' }),
    examples: z
      .array(z.object({ symbol: z.string(), exchange: ExchangeName.nullable(), reason: LeftOutReason }))
      .meta({ description: 'The first 50.' }),
  }),
  venues: z.array(ArbitrageVenue),
  averageSpreadPct: Pct.nullable().meta({ description: 'Mean gross spread of the items; null without items.' }),
  riskLevel: z
    .enum(['HIGH', 'MEDIUM', 'LOW'])
    .nullable()
    .meta({
      description: `Level of the average spread: \`HIGH\` above ${SPREAD_HIGH_PCT} %, \`MEDIUM\` above ${SPREAD_MEDIUM_PCT} %, else \`LOW\`.`,
    }),
  netPositive: z.int().meta({ description: 'Items whose net at your notional is positive.' }),
  skewLimitMs: z.int().meta({ description: 'Quotes further apart in time are not compared.' }),
  bookRequests: z.int(),
  timing: z.object({ quotesMs: z.number(), engineMs: z.number(), booksMs: z.number(), totalMs: z.number() }),
});
export type ArbitrageResults = z.input<typeof ArbitrageResults>;

export const ArbitrageStatus = z.enum(['running', 'done', 'empty', 'failed']).meta({
  description: '`empty`: no spread reached the minimum; no charge.',
});

export const ArbitrageScan = z.object({
  scanId: z.uuid(),
  status: ArbitrageStatus,
  createdAt: Instant,
  finishedAt: InstantOrNull,
  params: ArbitrageParams,
  progress: z.object({ done: z.int(), total: z.int() }).meta({
    description: 'Steps: quotes of each exchange, then order books. The event `arbitrage` has the same.',
  }),
  results: ArbitrageResults.nullable(),
  failure: z.string().nullable(),
});
export type ArbitrageScanWire = z.input<typeof ArbitrageScan>;

export const ArbitrageScanResponse = z.object({
  scanId: z.uuid(),
  items: z.array(ArbitrageItem),
  scan: ArbitrageScan,
  charged: z.boolean().meta({ description: 'Whether a credit was spent; scans without items are free.' }),
  credits: z.int().min(0).meta({ description: 'Credits left.' }),
  message: z.string().meta({
    examples: ['1 credit consumed for arbitrage scan', 'No arbitrage opportunities found with current settings'],
  }),
});

export const ArbitrageScanId = z.strictObject({ id: z.uuid() });
export const OneArbitrageScanResponse = z.object({
  scanId: z.uuid(),
  items: z.array(ArbitrageItem).meta({
    description: 'None while it runs, when nothing was found, or once they are deleted: a day later with a newer scan.',
  }),
  scan: ArbitrageScan,
});

export const LastArbitrageResponse = z.object({
  scanId: z.uuid().nullable(),
  items: z.array(ArbitrageItem),
  scan: ArbitrageScan.nullable().meta({ description: 'The newest scan with items.' }),
  emptyAt: InstantOrNull.meta({ description: 'Time of a later scan that found nothing; null: none.' }),
  active: ArbitrageScan.nullable().meta({ description: 'The running scan.' }),
});

/** A pair with its direction. */
const Pair = { symbol: SymbolName, buy: ExchangeName, sell: ExchangeName };
const isPair = ({ buy, sell }: { buy: string; sell: string }): boolean => buy !== sell;
const pairRule = { error: 'must differ from the buying exchange', path: ['sell'] };

export const PairQuery = z.strictObject(Pair).refine(isPair, pairRule);

export const PairBook = z.object({
  exchange: ExchangeName,
  contract: z.string(),
  multiplier: z.number(),
  /** Best first; price per coin and coins. */
  bids: z.array(z.tuple([z.number(), z.number()])).meta({ description: 'Price per coin and coins, best first.' }),
  asks: z.array(z.tuple([z.number(), z.number()])),
  atMs: z.number().nullable().meta({ description: "The exchange's stamp, epoch ms; null when it gives none." }),
  receivedAtMs: z.number(),
  takerFeeFraction: z.number().meta({ description: 'By default.' }),
  fundingRate: z.number().nullable(),
  nextFundingAtMs: z.number().nullable(),
  fundingIntervalHours: z.number().nullable(),
  stepSize: z.number().meta({ description: 'Coins.' }),
  minNotionalUsdt: z.number().nullable(),
});

export const PairBooksResponse = z.object({
  symbol: z.string(),
  buy: PairBook,
  sell: PairBook,
  quantityStep: z.number().meta({ description: 'Quantity step both exchanges accept, coins.' }),
  minNotionalUsdt: z.number().meta({ description: 'The larger of both minimums; 0: unknown.' }),
  skewMs: z.number().nullable(),
  isComparable: z
    .boolean()
    .meta({ description: 'False when the stamps of both books differ by more than `skewLimitMs`.' }),
  skewLimitMs: z.int(),
});

export const SpreadHistoryQuery = z
  .strictObject({
    ...Pair,
    hours: z
      .string()
      .regex(/^\d{1,2}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().min(1, 'must be at least 1').max(HISTORY_HOURS_MAX, `must be at most ${HISTORY_HOURS_MAX}`))
      .optional()
      .meta({ type: 'integer', minimum: 1, maximum: HISTORY_HOURS_MAX, description: '6 when absent.' }),
  })
  .refine(isPair, pairRule);

export const SpreadHistoryResponse = z.object({
  stepMs: z.int().meta({ description: 'Length of a point.' }),
  points: z
    .array(z.object({ atMs: z.number(), grossPct: Pct.nullable() }))
    .meta({ description: 'Mean gross spread of the best prices in each minute, oldest first; null: not sampled.' }),
  fromMs: z.number(),
  toMs: z.number(),
});

export const EpisodeShare = z
  .object({ of: z.int(), count: z.int(), share: z.number().nullable(), low: z.number(), high: z.number() })
  .meta({
    description: 'A share with its 95 % interval; episodes of one hour are one draw. `share` is null when `of` is 0.',
  });

export const SpreadLeft = z
  .object({ mean: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable() })
  .meta({ description: 'With its 95 % interval; episodes of one hour are one draw. null: too few hours.' });

/** Outcome of spreads above the threshold. */
const PersistenceFields = {
  episodes: z.int().meta({ description: 'Episodes: times the spread rose above the threshold.' }),
  cutShort: z.int().meta({
    description: 'Episodes among these still open when last seen; censored (Kaplan-Meier).',
  }),
  medianLifetimeS: z.number().nullable(),
  medianLifetimeLowS: z.number().nullable().meta({
    description:
      '95 % interval (Brookmeyer-Crowley, log-log). Null with fewer than 6 episodes, or while it is not reached yet.',
  }),
  medianLifetimeHighS: z.number().nullable(),
  captured: z.object({ s1: EpisodeShare, s5: EpisodeShare, s30: EpisodeShare }).meta({
    description: 'Capture rate: share with a positive net spread that many seconds later.',
  }),
  leftPct: z
    .object({ s1: SpreadLeft, s5: SpreadLeft, s30: SpreadLeft })
    .meta({ description: 'Net spread that many seconds later, percent.' }),
};
export const Persistence = z.object(PersistenceFields);
export type Persistence = z.input<typeof Persistence>;

export const PersistenceQuery = z.strictObject({
  symbol: SymbolName.optional(),
  buy: ExchangeName.optional(),
  sell: ExchangeName.optional(),
});

export const SpreadPersistenceResponse = z.object({
  verdict: z.enum(['not_enough', 'no_edge', 'edge']).meta({
    description:
      '`edge`: the 95 % interval of the net spread 5 s later lies above zero. `no_edge`: it does not. `not_enough`: fewer episodes than needed.',
  }),
  episodesNeeded: z.int(),
  missing: z.string().nullable().meta({ description: 'What is missing for a verdict.' }),
  thresholdPct: Pct.meta({ description: 'Net spread above which a pair is tracked.' }),
  sampledSeconds: z.int().meta({ description: 'Seconds sampled within the days below.' }),
  sinceMs: z.number().nullable(),
  days: z.int().meta({ description: 'How long episodes are stored.' }),
  notStored: z.int().meta({ description: 'Episodes beyond the limit of a day: counted, not stored.' }),
  overall: Persistence,
  bySymbol: z.array(z.object({ symbol: z.string(), ...PersistenceFields })).meta({ description: 'At most 50.' }),
  byPair: z.array(z.object({ buy: ExchangeName, sell: ExchangeName, ...PersistenceFields })),
  byHour: z.array(z.object({ hour: z.int().min(0).max(23), ...PersistenceFields })).meta({ description: 'UTC.' }),
});

export const FundingLeg = z.object({
  ratePct: Pct.meta({ description: 'Percent that longs pay at the next funding.' }),
  intervalHours: z.number(),
  perDayPct: Pct,
  nextFundingAtMs: z.number(),
  forecast: z
    .object({
      count: z.int(),
      meanAbsPct: Pct.meta({
        description: 'Mean distance of the rate half an hour before from the rate that was paid.',
      }),
      biasPct: Pct.meta({ description: 'Mean of paid minus announced: above 0 more was paid.' }),
    })
    .nullable()
    .meta({ description: 'Error of the announced rate over the last settlements; null: none was seen yet.' }),
});

export const FundingDifference = z.object({
  symbol: z.string(),
  long: ExchangeName.meta({ description: 'Exchange of the long leg, which pays less.' }),
  short: ExchangeName,
  differencePerDayPct: Pct.meta({ description: 'Daily funding of both legs at current rates.' }),
  legs: z.object({ long: FundingLeg, short: FundingLeg }),
  feesPct: Pct.meta({ description: 'Taker fees of opening and closing both legs, by default.' }),
  breakEvenHours: z.number().nullable().meta({ description: 'Hours until the funding covers the fees.' }),
  settlements: z
    .array(z.object({ atMs: z.number(), differencePct: Pct }))
    .meta({ description: `The last ${SETTLEMENTS} settlements, oldest first: what the pair received.` }),
  settledPerDayPct: z.number().nullable().meta({ description: 'Mean of the settlements, normalised to a day.' }),
  settledLowPct: z.number().nullable().meta({ description: '95 % interval of that mean.' }),
  settledHighPct: z.number().nullable(),
  priceRiskPct: z.number().nullable().meta({
    description: 'Standard deviation of the price difference over the last day; null: too few samples.',
  }),
});
export type FundingDifference = z.input<typeof FundingDifference>;

export const FundingDifferencesResponse = z.object({
  rows: z.array(FundingDifference).meta({ description: 'Largest difference a day first, at most 50.' }),
  asOfMs: z.number(),
  symbols: z.int().meta({ description: 'Symbols with a fresh rate on at least two exchanges.' }),
});

export const ArbitrageWatchBody = z
  .strictObject({
    ...Pair,
    netPct: z
      .number()
      .min(-1, 'must be at least -1')
      .max(50, 'must be at most 50')
      .meta({ description: 'Alert level: net spread at the best prices, percent.' }),
    holdHours: HoldHours.default(8),
    takerFees: TakerFees.optional(),
  })
  .refine(isPair, pairRule);

export const ArbitrageWatch = z.object({
  id: z.uuid(),
  symbol: z.string(),
  buy: ExchangeName,
  sell: ExchangeName,
  netPct: Pct,
  holdHours: z.number(),
  takerFees: z.object({ buy: z.number(), sell: z.number() }),
  createdAt: Instant,
  isAbove: z.boolean().meta({ description: 'True when the last sample was above the level.' }),
  crossings: z.int().meta({ description: 'Alerts sent.' }),
  lastCrossedAt: InstantOrNull,
});
export type WatchWire = z.input<typeof ArbitrageWatch>;

export const ArbitrageWatchesResponse = z.object({
  watches: z.array(ArbitrageWatch).meta({ description: `Newest first, at most ${WATCHES_MAX}.` }),
  targets: z.int().meta({ description: 'Notification targets for spread alerts; 0: add one in your account.' }),
});
export const ArbitrageWatchResponse = z.object({ watch: ArbitrageWatch });
export const ArbitrageWatchParams = z.strictObject({ id: z.uuid() });
