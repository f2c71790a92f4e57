import { LIVE_ONLY_FROM, REPLAY_WORTH } from '@sextant/workers/src/signals/chance.ts';
import { apiPlans, PLAN_DAYS, PLAN_NOTICE_TEXT, TEST_HOURLY_LIMIT } from '@sextant/workers/src/core/apiAccess.ts';
import { WEBHOOK_RESPONSE_S, WEBHOOK_SPAN_TEXT, webhookPausesText } from '@sextant/workers/src/core/webhooks.ts';
import { manyInWords } from '@sextant/workers/src/core/manyInWords.ts';
import { unknownTiers } from '@sextant/workers/src/candles/contract.ts';
import { LEVERAGE_MAX, SLIPPAGE, STOP_SLIPPAGE, TURNOVER_SHARE_MAX, venueFees } from '@sextant/engine-as/abi/costs.ts';
import { ANALYSIS_TRADES_MIN, STATISTIC_DAYS_MIN, TURNOVER_SHARE_WARNED } from '@sextant/engine-as/abi/backtest.ts';
import { creditPrices, creditsText, PURCHASE_MIN, USD_PER_CREDIT } from '@sextant/workers/src/core/creditPrices.ts';
import {
  LISTING_DAYS_MIN,
  SIGNAL_THRESHOLD,
  SPREAD_FRACTION_MAX,
  TURNOVER_USDT_MIN,
} from '@sextant/workers/src/signals/signalRules.ts';
import { serverSamplesMax, setCostOf } from '@sextant/workers/src/tasks/optimize/setCost.ts';
import {
  DEEP_SAMPLES_MAX,
  LAB_LOADED,
  labScoredShare,
  SAMPLES_MAX,
  SCORED_DEFAULT,
  voteIds as classicVoteIds,
} from '@sextant/workers/src/protocol/wire/defaults.ts';
import { RUN_MINUTES_MAX, SEARCH_MINUTES_WAIT_MS } from '@sextant/workers/src/candles/minutes.ts';
import { ADAPTIVE_CLOSES_MIN, DYNAMIC_FACTOR, RISK_FRACTIONS } from '@sextant/workers/src/positions/sizing.ts';
import { TRADES_MIN, WIN_RATE_TRADES_MIN } from '@sextant/engine-as/abi/optimize.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { EVIDENCE_MIN } from '@sextant/workers/src/signals/calibration.ts';
import { KEYS_MAX } from '../apiKeys/keys.ts';
import { SCAN_SYMBOLS_MAX } from '../arbitrage/contract.ts';
import { IDEMPOTENCY_HOURS } from '../credits/idempotency.ts';
import { HIGH_IMPACT_ABOVE } from '../news/readNews.ts';
import { INVOICE_EXPIRES_S, PURCHASE_MAX } from '../payments/contract.ts';
import { OPENING_PRICE_AGE_MS_MAX } from '../positions/live.ts';
import {
  HISTORY_CANDLES_MAX,
  HISTORY_CANDLES_MIN,
  IMAGE_BYTES_MAX,
  KLINES_MAX,
  NEWS_ANALYSED,
  OWN_CANDLES_MAX,
  SPREAD_HIGH_PCT,
  SPREAD_MEDIUM_PCT,
  STEP_UP_MINUTES,
  SYMBOLS_IN_BATCH_MAX,
} from '@sextant/workers/src/core/limits.ts';
import { countText as count } from '../../platform/countText.ts';
import { SIDE_MAX } from '../../platform/images/imageHeader.ts';
import { FILE_BYTES_MAX, FILES_MAX } from '../profile/contract.ts';
import { CHECKS_MAX } from '../scan/aicheck/contract.ts';
import { SCAN_HOLD_S } from '../scan/startScan.ts';
import { slotS } from '../scan/away/runAwayScans.ts';
import { VIEWS_MIN } from '../vision/contract.ts';
import { WATCHLIST_MAX } from '../watchlist/contract.ts';

export const percent = (fraction: number): string => `${Number((fraction * 100).toFixed(4))} %`;
const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

const [freePlan, starterPlan, proPlan, businessPlan] = apiPlans;

/** Figures for the articles, each from its source: `{{scanPrice}}` in a file of docs/help. */
export const facts = {
  scanPrice: creditsText(creditPrices.scan),
  arbitragePrice: creditsText(creditPrices.arbitrageScan),
  visionPrice: creditsText(creditPrices.vision),
  usdPerCredit: `${USD_PER_CREDIT} USD`,
  purchaseMin: count(PURCHASE_MIN),
  purchaseMax: count(PURCHASE_MAX),
  invoiceMinutes: INVOICE_EXPIRES_S / 60,
  aiChecksMax: CHECKS_MAX,
  awayMinutes: slotS / 60,
  signalThreshold: SIGNAL_THRESHOLD,
  replayWorth: REPLAY_WORTH,
  liveOnlyFrom: LIVE_ONLY_FROM,
  riskLow: percent(RISK_FRACTIONS.low),
  riskMedium: percent(RISK_FRACTIONS.medium),
  riskHigh: percent(RISK_FRACTIONS.high),
  dynamicStart: percent(DYNAMIC_FACTOR),
  dynamicCloses: ADAPTIVE_CLOSES_MIN,
  rankedTrades: TRADES_MIN,
  rankedWinRateTrades: WIN_RATE_TRADES_MIN,
  newsAnalysed: NEWS_ANALYSED,
  newsHighImpact: HIGH_IMPACT_ABOVE,
  leverageMax: LEVERAGE_MAX,
  unknownTiersLeverage: unknownTiers.leverageMax,
  unknownTiersNotional: count(unknownTiers.notionalEnd),
  takerFee: percent(venueFees.binance.takerFeeFraction),
  makerFee: percent(venueFees.binance.makerFeeFraction),
  slippage: percent(SLIPPAGE),
  stopSlippage: percent(STOP_SLIPPAGE),
  turnoverShareMax: percent(TURNOVER_SHARE_MAX),
  turnoverShareWarned: percent(TURNOVER_SHARE_WARNED),
  statisticDays: STATISTIC_DAYS_MIN,
  tradesMin: ANALYSIS_TRADES_MIN,
  runMinutesMax: count(RUN_MINUTES_MAX),
  runMinutesHours: count(Math.floor(RUN_MINUTES_MAX / 60)),
  runMinutesDays: count(Math.floor(RUN_MINUTES_MAX / 1440)),
  historyDefault: count(LAB_LOADED),
  historyMin: count(HISTORY_CANDLES_MIN),
  historyMax: count(HISTORY_CANDLES_MAX),
  ownCandlesMax: count(OWN_CANDLES_MAX),
  scoredDefault: count(SCORED_DEFAULT),
  scoredShare: labScoredShare,
  classicVotes: classicVoteIds.length,
  rulesVotes: voteIds.length,
  samplesMax: count(SAMPLES_MAX),
  deepSamplesMax: count(DEEP_SAMPLES_MAX),
  /** For rules on the server, with a history of 5,000 candles. */
  serverRulesMax: count(serverSamplesMax(5000, setCostOf('rules'))),
  searchMinutesWait: SEARCH_MINUTES_WAIT_MS / 1000,
  watchlistMax: WATCHLIST_MAX,
  openingPriceSeconds: OPENING_PRICE_AGE_MS_MAX / 1000,
  klinesMax: count(KLINES_MAX),
  batchMax: SYMBOLS_IN_BATCH_MAX,
  idempotencyHours: IDEMPOTENCY_HOURS,
  planNotice: PLAN_NOTICE_TEXT,
  planDays: PLAN_DAYS,
  freeCalls: count(freePlan.hourlyLimit),
  starterCalls: count(starterPlan.hourlyLimit),
  starterPrice: creditsText(starterPlan.priceCredits),
  proCalls: count(proPlan.hourlyLimit),
  proPrice: creditsText(proPlan.priceCredits),
  businessCalls: count(businessPlan.hourlyLimit),
  businessPrice: creditsText(businessPlan.priceCredits),
  testCalls: count(TEST_HOURLY_LIMIT),
  apiKeysMax: KEYS_MAX,
  webhookDays: WEBHOOK_SPAN_TEXT,
  webhookAnswer: manyInWords(WEBHOOK_RESPONSE_S, 'second'),
  webhookAnswerSeconds: WEBHOOK_RESPONSE_S,
  webhookPauses: webhookPausesText,
  evidenceMin: EVIDENCE_MIN,
  arbitrageSymbolsMax: SCAN_SYMBOLS_MAX,
  spreadHigh: `${SPREAD_HIGH_PCT} %`,
  spreadMedium: `${SPREAD_MEDIUM_PCT} %`,
  viewsMin: VIEWS_MIN,
  pictureMax: mebibytes(IMAGE_BYTES_MAX),
  pictureSideMax: count(SIDE_MAX),
  filesMax: FILES_MAX,
  fileBytesMax: mebibytes(FILE_BYTES_MAX),
  stepUpMinutes: STEP_UP_MINUTES,
  listingDays: LISTING_DAYS_MIN,
  turnoverMin: count(TURNOVER_USDT_MIN),
  spreadMax: percent(SPREAD_FRACTION_MAX),
  scanSeconds: SCAN_HOLD_S,
} as const;
