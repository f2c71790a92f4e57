import { LEVERAGE_MAX, SLIPPAGE, STOP_SLIPPAGE, venueFees } from '@sextant/engine-as/abi/costs.ts';
import { STATISTIC_DAYS_MIN } from '@sextant/engine-as/abi/backtest.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { EVIDENCE_MIN } from '@sextant/workers/src/calibration.ts';
import { SIGNAL_THRESHOLD } from '@sextant/workers/src/signalRules.ts';
import { serverSamplesMax, setCostOf } from '@sextant/workers/src/tasks/optimize/setCost.ts';
import { voteIds as classicVoteIds } from '@sextant/workers/src/wire/defaults.ts';
import { DEEP_SAMPLES_MAX, SAMPLES_MAX } from '@sextant/workers/src/wire/optimize.ts';
import { RUN_MINUTES_MAX, SEARCH_MINUTES_WAIT_MS } from '@sextant/workers/src/minutes.ts';
import { RISK_FRACTIONS } from '@sextant/workers/src/positions/sizing.ts';
import { SCAN_SYMBOLS_MAX, SPREAD_HIGH_PCT, SPREAD_MEDIUM_PCT } from '../arbitrage/contract.ts';
import { CANDLES_MAX, LIMIT_DEFAULT, SCORED_DEFAULT } from '../backtest/runContract.ts';
import { IDEMPOTENCY_HOURS } from '../credits/idempotency.ts';
import { creditPrices, USD_PER_CREDIT } from '../credits/prices.ts';
import { INVOICE_EXPIRES_S, PURCHASE_MAX, PURCHASE_MIN } from '../payments/contract.ts';
import { OPENING_PRICE_AGE_MS_MAX } from '../positions/live.ts';
import { IMAGE_BYTES_MAX, KLINES_MAX, SYMBOLS_IN_BATCH_MAX } from '@sextant/workers/src/limits.ts';
import { CHECKS_MAX } from '../scan/aicheck/contract.ts';
import { slotS } from '../scan/away/runAwayScans.ts';
import { VIEWS_MIN } from '../vision/contract.ts';
import { WATCHLIST_MAX } from '../watchlist/contract.ts';

const count = (value: number): string => value.toLocaleString('en-US');
const percent = (fraction: number): string => `${Number((fraction * 100).toFixed(4))} %`;
const credits = (value: number): string => `${value} ${value === 1 ? 'credit' : 'credits'}`;
const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

/** Figures in the articles, each from its owner: `{{scanPrice}}` in a file of docs/help. */
export const facts = {
  scanPrice: credits(creditPrices.scan),
  arbitragePrice: credits(creditPrices.arbitrageScan),
  visionPrice: credits(creditPrices.vision),
  usdPerCredit: `${USD_PER_CREDIT} USD`,
  purchaseMin: count(PURCHASE_MIN),
  purchaseMax: count(PURCHASE_MAX),
  invoiceMinutes: INVOICE_EXPIRES_S / 60,
  aiChecksMax: CHECKS_MAX,
  awayMinutes: slotS / 60,
  signalThreshold: SIGNAL_THRESHOLD,
  riskLow: percent(RISK_FRACTIONS.low),
  riskMedium: percent(RISK_FRACTIONS.medium),
  riskHigh: percent(RISK_FRACTIONS.high),
  leverageMax: LEVERAGE_MAX,
  takerFee: percent(venueFees.binance.takerFeeFraction),
  makerFee: percent(venueFees.binance.makerFeeFraction),
  slippage: percent(SLIPPAGE),
  stopSlippage: percent(STOP_SLIPPAGE),
  statisticDays: STATISTIC_DAYS_MIN,
  candlesMax: count(CANDLES_MAX),
  candlesDefault: count(LIMIT_DEFAULT),
  scoredDefault: count(SCORED_DEFAULT),
  classicVotes: classicVoteIds.length,
  rulesVotes: voteIds.length,
  samplesMax: count(SAMPLES_MAX),
  deepSamplesMax: count(DEEP_SAMPLES_MAX),
  /** Of rules on the server, on a history of 5,000 candles. */
  serverRulesMax: count(serverSamplesMax(5000, setCostOf('rules'))),
  runMinutesMax: count(RUN_MINUTES_MAX),
  runHoursMax: count(RUN_MINUTES_MAX / 60),
  runDaysMax: Math.floor(RUN_MINUTES_MAX / 60 / 24),
  searchMinutesWait: SEARCH_MINUTES_WAIT_MS / 1000,
  watchlistMax: WATCHLIST_MAX,
  openingPriceSeconds: OPENING_PRICE_AGE_MS_MAX / 1000,
  klinesMax: count(KLINES_MAX),
  batchMax: SYMBOLS_IN_BATCH_MAX,
  idempotencyHours: IDEMPOTENCY_HOURS,
  evidenceMin: EVIDENCE_MIN,
  arbitrageSymbolsMax: SCAN_SYMBOLS_MAX,
  spreadHigh: `${SPREAD_HIGH_PCT} %`,
  spreadMedium: `${SPREAD_MEDIUM_PCT} %`,
  viewsMin: VIEWS_MIN,
  pictureMax: mebibytes(IMAGE_BYTES_MAX),
} as const;
