import { figuresOf, type FiguresOf } from './metrics.ts';
import { voteParameterSlots } from './voteParameters.ts';

// The engine's records, each field declared once with what it holds. `npm run generate` writes the classes of
// assembly/records.gen.ts from this list; the host reads and writes the same bytes by the slots below. Not compiled to WASM.
// Long because it is one list. A record of f64 is hashed as its bytes: its order never changes and new fields go to its end.

/** One set of strategy parameters with the costs: everything a run depends on besides its columns. */
const rulesFields = {
  entryThreshold: '',
  stopLossFraction: '',
  takeProfitFraction: '',
  trailingMode: 'TRAILING_*',
  trailingCallback: 'percent mode: fraction of the best price',
  trailingStep: 'fraction of the entry price',
  trailingAtrMultiplier: 'ATR mode',
  trailingActivation: 'fraction of the entry price; 0: from the first completed bar',
  holdingBarsMax: '0: no time barrier',
  takerFee: 'fraction of the notional',
  makerFee: 'fraction of the notional',
  slippage: 'fraction of the price',
  stopSlippage: 'fraction of the price',
  targetOrder: 'TARGET_*',
  initialEquity: 'quote currency',
  notional: 'quote currency',
  leverage: '',
  maintenanceMargin: 'fraction of the notional',
  maintenanceAmount: 'quote currency, the deduction of the tier',
  liquidationModel: 'LIQUIDATION_*',
  tickSize: '0: prices are not rounded',
  stepSize: '0: quantities are not rounded',
  minNotional: '0: no minimum',
  isTargetFirst: '1: the target is taken first in ambiguous bars, 0: the loss is',
  scoredCount: '',
  fundingSource: 'FUNDING_*',
  assumedFunding: 'what longs pay at 0, 8 and 16 h UTC, fraction of the notional; FUNDING_ASSUMED only',
  stopAtr: 'average true ranges of the deciding bar; 0: the stop is a fraction of the fill',
  targetAtr: 'the same for the target',
  breakEvenR: 'the stop moves to the entry after a gain of so many first stop distances; 0: never',
  onOpposite: 'OPPOSITE_*',
  direction: '0: both sides are entered, 1: long only, -1: short only',
  sizing: 'SIZING_*',
  riskFraction: 'SIZING_RISK: part of the balance that the stop may lose, costs included',
  isCompounding: '1: notional and balance grow and shrink with the equity',
  impactCoefficient:
    'slippage of a fill on top: so many volatilities of a candle times the root of its share of the turnover; 0: none',
  turnoverShareMax: 'largest part of the turnover of a candle that an entry takes; 0: no limit',
  maxQuantity: 'largest market order of the exchange, base units; 0: no limit',
  isEntryHeld: '1: nothing closes a position in the candle of its entry',
  isEndAtClose: '1: a position that is open at the last close ends at that price, without slippage and fee',
} as const;

/** Tiers lie one after the other, notional floors ascending, the first 0. Without tiers the two rates of the rules hold. */
const tierFields = {
  notionalFloor: 'the tier holds for notionals at or above this',
  maintenanceMargin: 'fraction of the notional',
  maintenanceAmount: 'quote currency',
  leverageMax: '',
} as const;

/** Input of one simulation step: a bar. A tick is a bar whose four prices are equal. */
const barFields = {
  time: 'of the open, epoch ms',
  open: '',
  high: '',
  low: '',
  close: '',
  volume: '0: nothing can be filled in this bar',
  markOpen: "the bar's own prices when there is no mark price",
  markHigh: '',
  markLow: '',
  atr: 'of this bar, known at its close; NaN when not defined',
  fundingAtOpen: 'sum of mark price x rate over the stamps at the open',
  fundingInside: 'the same over the stamps after the open',
  impact: 'slippage of a fill in this bar per root of its notional, fraction of the price; 0: none',
} as const;

const positionFields = {
  side: '1 long, -1 short, 0 none',
  entryTime: 'epoch ms',
  entryPrice: 'the fill, slippage included',
  quantity: 'base units',
  margin: 'quote currency',
  stopPrice: '',
  targetPrice: '',
  liquidationPrice: 'NaN: none',
  bestPrice: '',
  worstPrice: '',
  barsHeld: 'completed bars',
  fees: 'quote currency',
  funding: 'quote currency, paid is positive',
  slippage: 'quote currency',
  closeReason: 'CLOSE_*',
  exitTime: 'epoch ms',
  exitPrice: '',
  isAmbiguous: '0 or 1',
  stopDistance: 'of the first stop from the entry, quote currency',
  isLeaving: 'LEAVING_*: the position leaves at the next open; 0: it stays',
} as const;

/** 22 fields, 176 bytes, a multiple of the arena's 16-byte alignment, so that trades reserved one by one adjoin. */
const tradeFields = {
  side: '1 long, -1 short',
  entryIndex: '',
  exitIndex: '',
  entryTime: 'epoch ms',
  exitTime: 'epoch ms',
  entryPrice: '',
  exitPrice: '',
  quantity: '',
  closeReason: 'CLOSE_*',
  grossPnl: '',
  fees: '',
  funding: '',
  slippage: '',
  netPnl: '',
  returnOnMargin: 'fraction',
  isAmbiguous: '0 or 1',
  adverseExcursion: 'fraction of the entry price',
  favourableExcursion: 'fraction of the entry price',
  stopPrice: 'active at the exit',
  targetPrice: '',
  liquidationPrice: 'NaN: none',
  margin: '',
} as const;

/** Slots of the summary beside its figures: running counts of the engine, and the sample sizes of its statistics. */
const countedInSummary = {
  droppedNoVolumeCount: 8,
  droppedTooSmallCount: 9,
  droppedMarginCount: 10,
  ambiguousCount: 12,
  heldBarCount: 13,
  dayCount: 25,
  sharpeState: 27,
  sharpeError: 28,
  sortinoState: 30,
} as const;

type SummarySlot = Exclude<keyof FiguresOf<'summary'>, 'droppedSignalCount'> | keyof typeof countedInSummary;

/** The intervals of the candles and of the finer candles seen so far, ms; NaN while a single one shows none. */
const clockFields = {
  interval: '',
  fineInterval: '',
  seen: 'index of the last candle that is in it',
  fineSeen: '',
} as const;

/** Addresses and counts of one run, 32 bits each: columns are f64[count], 0 marks an absent one. */
const frameFields = {
  count: 'i32',
  time: 'usize',
  open: 'usize',
  high: 'usize',
  low: 'usize',
  close: 'usize',
  volume: 'usize',
  score: 'usize',
  atr: 'usize',
  markOpen: 'usize',
  markHigh: 'usize',
  markLow: 'usize',
  /** -1: there is no funding history. */
  fundingCount: 'i32',
  fundingTime: 'usize',
  fundingRate: 'usize',
  fundingMark: 'usize',
  /** Finer candles that settle ambiguous bars; each has six columns like the candles. */
  fineCount: 'i32',
  fineTime: 'usize',
  fineOpen: 'usize',
  fineHigh: 'usize',
  fineLow: 'usize',
  fineClose: 'usize',
  fineVolume: 'usize',
  tierCount: 'i32',
  tiers: 'usize',
  rules: 'Rules',
  /** Output: one value for each scored candle. */
  equity: 'usize',
  /** Output. */
  summary: 'Summary',
  /** Written by the run: address of the trades, their count is in the summary. */
  trades: 'usize',
  /** Scratch of the run itself from here on; the host leaves these slots alone. */
  bar: 'Bar',
  position: 'Position',
  parts: 'usize',
  fundingAtOpen: 'usize',
  fundingInside: 'usize',
  clock: 'Clock',
  /** Input: the average true range that scales ATR stops and targets. Last, so that older engines read the other fields unchanged. */
  range: 'usize',
  /**
   * Output, i32[count]: 0 where the order of exits is known, else the number of finer candles that were read, -1 for none.
   * All sets of a search write into the same array; a Classic search writes -1 only. Address 0: not requested.
   */
  asked: 'usize',
  /** Scratch, f64[count]: the slippage of each bar per root of a notional, and the largest notional of an entry. 0: neither applies. */
  impact: 'usize',
  entryMax: 'usize',
  /** Input, i8[count]: bits RULE_EXITS_* of own rules at the close of each candle. 0: there are none. */
  exits: 'usize',
} as const;

/** One symbol prepared for many parameter sets: addresses and counts, scratch included, 32 bits each. */
const marketFields = {
  frame: 'Frame',
  count: 'i32',
  /** i32[VOTE_COUNT] */
  first: 'usize',
  /** u8[7 * stride]: two votes of a bar as one of nine states. */
  states: 'usize',
  stride: 'i32',
  /** i16, quantised; never reached where nothing trades. */
  lows: 'usize',
  highs: 'usize',
  /** Bar[count] */
  bars: 'usize',
  /** i32[count]: fundings up to the open of each bar. */
  funded: 'usize',
  /** i8[2 * 21 * 16]: what each weight adds in each state, by vote of the pair. */
  halves: 'usize',
  /** i8[7 * 16], of the set under way. */
  tables: 'usize',
  /** f64[4]: middle price, steps per unit of price, lowest low, how much further than the last price the mark price goes. */
  scale: 'usize',
  /** Rules of the current set. */
  rules: 'Rules',
  position: 'Position',
  /** f64[SET_LENGTH], of the set under way. */
  set: 'usize',
  /** f64[count] */
  equity: 'usize',
  /** f64[count] */
  daily: 'usize',
  /** i32[count]: last candle of the UTC day of each. */
  dayLast: 'usize',
  /** f64[2 * count + 4]: rate x mark of each funding, in order. */
  fundings: 'usize',
  /** 1: without a gap the stop is met before liquidation; of the set under way. */
  isStopFirst: 'i32',
  /** The stop comes before the liquidation and before the target, which is a market order, and does not trail: 1. */
  isUsual: 'i32',
  /** The rules need every bar of a trade: the fast kernels do not know them. */
  isStepped: 'i32',
  /** f64: shortest time between two of the candles of the run, ms. */
  interval: 'usize',
  /** 1: with mark prices or finer candles. */
  isDetailed: 'i32',
  /** i32[2 * count + 2]: first finer candle of each bar and the one after its last, equal unless they cover it; 0 without any. */
  partRanges: 'usize',
  /** End of the run that the interval, the last pair of partRanges and endFunding belong to. */
  end: 'i32',
  /** f64: rate x mark of the fundings inside the last bar of the run. */
  endFunding: 'usize',
  /** f64[2 * count]: price at which the whole notional is bought, then sold, at the open of each bar, NaN where less is filled; 0 where the size does not count. */
  fills: 'usize',
  /** Trades of own rules: the bar at whose open the position leaves at the latest; beyond the last: never. */
  leaveAt: 'i32',
} as const;

/** One market of rules prepared for many sets: addresses and counts, scratch included, 32 bits each. */
const rulesMarketFields = {
  /** Holds the count and rules of the current set and window. */
  frame: 'Frame',
  count: 'i32',
  /** Intervals as `ensembleScore` takes them. */
  rows: 'usize',
  rowCount: 'i32',
  /** i8[count], the outside vote of each candle; 0: there is none. */
  news: 'usize',
  /** i32[ENSEMBLE_VOTE_COUNT], of the set under way; that of the news is the strategy's. */
  weights: 'usize',
  /** TRAILING_* of sets that trail. */
  trailingMode: 'i32',
  stride: 'i32',
  /** i8[rowCount * VOTE_COUNT * stride]: each vote of each interval as it is known at each base candle, 0 while it is not defined. */
  votes: 'usize',
  /** i32[stride], of the set under way. */
  sums: 'usize',
  /** i32[2 * VOTE_COUNT]: vote and weight of each weighted vote of the set under way. */
  terms: 'usize',
  termCount: 'i32',
  /** f64[RULES_SET_LENGTH], of the set under way. */
  set: 'usize',
} as const;

/** One program prepared for many sets of parameter values: addresses and counts, scratch included, 32 bits each. */
const sweepFields = {
  market: 'Market',
  /** The same run with its own rules, for exits that the fast path does not know; its score and exits are written for each set. */
  plain: 'Frame',
  code: 'usize',
  instructions: 'i32',
  values: 'usize',
  valueCount: 'i32',
  frames: 'usize',
  frameCount: 'i32',
  outputs: 'usize',
  parameterCount: 'i32',
  /** i32[valueCount]: the parameter that is the value, or -1. */
  valueParameters: 'usize',
  /** f64: the values of each parameter, one parameter after the other. */
  grid: 'usize',
  /** i32[parameterCount + 1]: where the values of each start. */
  gridStarts: 'usize',
  exitCount: 'i32',
  /** i32[exitCount]: rules that a set decides, by their slot. */
  exitSlots: 'usize',
  /** Bytes that computed columns may take. */
  bytesMax: 'i32',
  /** Scratch from here on. */
  bytesUsed: 'i32',
  /** SweepNode[instructions] */
  nodes: 'usize',
  /** usize[frameCount * RULE_INPUT_COUNT] */
  inputs: 'usize',
  /** usize[RULE_INPUT_COUNT], bits of the inputs of the base as conditions; 0: not computed. */
  inputConditions: 'usize',
  /** usize[frameCount], i32[count] each: the candle of the frame that is known at each of the base. */
  known: 'usize',
  /** i32[parameterCount], of the set under way. */
  digits: 'usize',
  /** Number of the set under way: what was computed for another is old. */
  serial: 'i32',
  /** u64[6 * words], of the set under way: long and short entries, exits of both, and where a long and a short leave. */
  bits: 'usize',
  words: 'i32',
  /** i32[count + 1]: the first bar from each on that trades; count: none. */
  tradable: 'usize',
} as const;

/** An instruction of a sweep: where its operands come from and what is computed of it, 32 bits each. */
const sweepNodeFields = {
  /** Parameters that it depends on, a bit each. */
  mask: 'i32',
  /** Its operands: an instruction, or -1 - an input, or SWEEP_NONE. */
  a: 'i32',
  b: 'i32',
  c: 'i32',
  /** Sets of the values it depends on; 0: nothing of it is retained. */
  size: 'i32',
  /** usize[size], columns; 0: not computed. */
  columns: 'usize',
  /** usize[size], true and false bits. */
  conditions: 'usize',
  /** Column of the set with the number after it. */
  column: 'usize',
  columnSet: 'i32',
  condition: 'usize',
  conditionSet: 'i32',
  /** Where those that are not retained are computed. */
  ownColumn: 'usize',
  ownCondition: 'usize',
} as const;

/** Limits of one account over many symbols; 0 means no limit. docs/portfolio.md is their text. */
const limitFields = {
  initialEquity: 'quote currency, that of the rules of every symbol',
  positionsMax: 'open at a time',
  openingsMax: 'opened in one candle',
  dailyLossPct: 'guard: net loss since midnight UTC, percent of the initial equity',
  stopStreak: 'guard: losing stops and liquidations in a row',
  cooldownMs: 'how long the stop streak holds after its last close',
  drawdownPct: 'guard: fall of the realised equity from its peak, percent',
  grossMax: 'long and short notional, part of the balance',
  netMax: 'long less short notional, either way, part of the balance',
  stopLossMax: 'loss when every open position meets its stop, costs included, part of the balance',
  isStopFirst: '1: an entry that would be liquidated before its stop is skipped',
} as const;

/** A trade of an account with its symbol: the fields of `Trade` first, 192 bytes. */
const accountTradeFields = {
  ...tradeFields,
  symbol: 'index of its frame',
  step: 'of the clock, in which it closed',
} as const;

/** One symbol of an account: what an idle candle reads, and its state between two candles. */
const memberFields = {
  /** Threshold of its rules: a smaller absolute score decides nothing. */
  threshold: 'f64',
  /** Side that the last candle decided, 0 none, and the absolute score behind it. */
  pending: 'f64',
  strength: 'f64',
  /** Last price of the open position. */
  close: 'f64',
  /** Columns and count of its frame. */
  times: 'usize',
  scores: 'usize',
  closes: 'usize',
  count: 'i32',
  /** The next candle, and the one that filled the position. */
  cursor: 'i32',
  entryIndex: 'i32',
  /** 1: it has a candle in this step; it held a position when that opened. */
  isHere: 'i32',
  wasHeld: 'i32',
  /** 1: the position of its frame is open. */
  isOpen: 'i32',
} as const;

/** Running state of an account: f64 each, quote currency. */
const accountFields = {
  netPnl: 'sum over the symbols, in their order',
  balance: 'initial equity and net PnL, less fees and fundings so far of open positions',
  free: 'balance less the margins of open positions',
  openCount: '',
  longNotional: 'at the last closes',
  shortNotional: 'at the last closes',
  atStops: 'loss when every open position meets its stop',
  margin: 'of open positions',
  day: 'of the last close, days since 1970',
  dayNet: 'net PnL closed on that day',
  streak: 'losing stops and liquidations in a row',
  lastCloseTime: 'open of the candle of the last close, epoch ms',
  closedEquity: 'initial equity and net PnL in the order of the closes',
  closedPeak: 'highest of it',
} as const;

/** One account over many symbols: addresses and counts, 32 bits each. */
const portfolioFields = {
  symbolCount: 'i32',
  /** usize[symbolCount], addresses of frames; their order is that of exits and of equal scores. */
  frames: 'usize',
  /** Every time at which a scored candle of some symbol opens, f64[stepCount], epoch ms. */
  stepCount: 'i32',
  clock: 'usize',
  limits: 'Limits',
  /** Output, f64[stepCount] each: at the closes of the step. */
  equity: 'usize',
  longNotional: 'usize',
  shortNotional: 'usize',
  margin: 'usize',
  openCount: 'usize',
  /** Output, i32[symbolCount * ACCOUNT_SKIP_COUNT]: signals that the account skipped. */
  skips: 'usize',
  /** Written by the run: address and number of its trades, AccountTrade each. */
  trades: 'usize',
  tradeCount: 'i32',
  /** Step in which the equity was used up; -1: never. */
  ruinStep: 'i32',
  /** Frame that `portfolioPrepare` rejected. */
  failed: 'i32',
  /** Scratch from here on, reserved by `portfolioPrepare`. */
  members: 'usize',
  account: 'Account',
  /** i32[symbolCount] */
  ranked: 'usize',
} as const;

/** Input of two legs on two exchanges; fees and rates are fractions. */
const spreadTermsFields = {
  notional: 'of the bought leg, quote currency',
  holdHours: 'until both legs are closed',
  step: 'coins; 0: quantities are not rounded',
  minNotional: 'quote currency',
  buyTakerFee: 'of the notional',
  sellTakerFee: 'of the notional',
  buyFundingRate: 'that longs pay at each funding',
  buyFundingHours: 'until the next funding; negative: none is known',
  buyFundingInterval: 'hours',
  sellFundingRate: 'that longs pay at each funding',
  sellFundingHours: 'until the next funding; negative: none is known',
  sellFundingInterval: 'hours',
} as const;

const spreadFields = {
  quantity: 'coins of each leg',
  buyNotional: 'quote currency',
  sellNotional: 'quote currency',
  buyPrice: 'average; the best price without a quantity',
  sellPrice: 'average; the best price without a quantity',
  buyWorst: 'price of the last level reached',
  sellWorst: 'price of the last level reached',
  buySlippage: 'average against the best price, fraction',
  sellSlippage: 'average against the best price, fraction',
  worstLeg: '1 bought, -1 sold, 0 neither',
  gross: 'quote currency',
  grossFraction: 'of the bought notional',
  feesIn: 'quote currency',
  feesOut: 'quote currency',
  funding: 'quote currency, paid is positive',
  net: 'gross - fees - funding paid, quote currency',
  netFraction: 'of the bought notional',
  breakEvenHours: 'of funding received that pay for what is missing; NaN: never',
  isFilled: '0 or 1',
} as const;

type Slots<F> = { readonly [K in keyof F]: number };

const slotsOf = <F extends object>(fields: F): Slots<F> =>
  Object.fromEntries(Object.keys(fields).map((name, slot) => [name, slot])) as Slots<F>;

const lengthOf = (fields: object): number => Object.keys(fields).length;

export const ruleSlot = slotsOf(rulesFields);
export const RULES_LENGTH = lengthOf(rulesFields);
/** Rules that every backtest has; those from here on are zero unless a strategy sets them. */
export const PLAIN_RULES_LENGTH = ruleSlot.stopAtr;
/** Rules that every strategy has; those from here on are zero without a model of liquidity. */
export const STRATEGY_RULES_LENGTH = ruleSlot.impactCoefficient;
export const tierSlot = slotsOf(tierFields);
export const TIER_LENGTH = lengthOf(tierFields);
export const barSlot = slotsOf(barFields);
export const BAR_LENGTH = lengthOf(barFields);
export const positionSlot = slotsOf(positionFields);
export const POSITION_LENGTH = lengthOf(positionFields);
export const tradeSlot = slotsOf(tradeFields);
export const TRADE_LENGTH = lengthOf(tradeFields);
export const frameSlot = slotsOf(frameFields);
export const spreadTermsSlot = slotsOf(spreadTermsFields);
export const SPREAD_TERMS_LENGTH = lengthOf(spreadTermsFields);
export const spreadSlot = slotsOf(spreadFields);
export const SPREAD_LENGTH = lengthOf(spreadFields);
export const FRAME_LENGTH = lengthOf(frameFields);
export const MARKET_LENGTH = lengthOf(marketFields);
export const rulesMarketSlot = slotsOf(rulesMarketFields);
export const sweepSlot = slotsOf(sweepFields);
export const SWEEP_LENGTH = lengthOf(sweepFields);
export const RULES_MARKET_LENGTH = lengthOf(rulesMarketFields);

export const limitSlot = slotsOf(limitFields);
export const LIMITS_LENGTH = lengthOf(limitFields);
export const accountTradeSlot = slotsOf(accountTradeFields);
export const ACCOUNT_TRADE_LENGTH = lengthOf(accountTradeFields);
export const portfolioSlot = slotsOf(portfolioFields);
export const PORTFOLIO_LENGTH = lengthOf(portfolioFields);

export const summarySlot = {
  ...Object.fromEntries(figuresOf('summary').flatMap(({ field, slot }) => (slot === undefined ? [] : [[field, slot]]))),
  ...countedInSummary,
} as { readonly [K in SummarySlot]: number };
export const SUMMARY_LENGTH = lengthOf(summarySlot);

export const analysisSlot = Object.fromEntries(figuresOf('analysis').map(({ field }, slot) => [field, slot])) as Slots<
  FiguresOf<'analysis'>
>;
export const ANALYSIS_LENGTH = lengthOf(analysisSlot);

/** A class of the engine: its fields in order with their types and notes. */
export interface RecordClass {
  name: string;
  fields: { name: string; type: string; note: string }[];
}

const ofNumbers = (name: string, fields: Readonly<Record<string, string>>): RecordClass => ({
  name,
  fields: Object.entries(fields).map(([field, note]) => ({ name: field, type: 'f64', note })),
});

const ofAddresses = (name: string, fields: Readonly<Record<string, string>>): RecordClass => ({
  name,
  fields: Object.entries(fields).map(([field, type]) => ({ name: field, type, note: '' })),
});

/** Names by slot; throws when two share a slot or one is left out, because the host and the engine would disagree. */
function inOrder(slots: Readonly<Record<string, number>>): Record<string, string> {
  const names = Object.entries(slots).sort(([, a], [, b]) => a - b);
  names.forEach(([name, slot], i) => {
    if (slot !== i) throw new Error(`${name} has slot ${slot}, expected ${i}`);
  });
  return Object.fromEntries(names.map(([name]) => [name, '']));
}

export const recordClasses: readonly RecordClass[] = [
  ofNumbers('Rules', rulesFields),
  ofNumbers('Tier', tierFields),
  ofNumbers('Bar', barFields),
  ofNumbers('Position', positionFields),
  ofNumbers('Trade', tradeFields),
  ofNumbers('Summary', inOrder(summarySlot)),
  ofNumbers('Analysis', inOrder(analysisSlot)),
  ofNumbers('Clock', clockFields),
  ofNumbers('VoteParameters', Object.fromEntries(voteParameterSlots.map(({ field }) => [field, '']))),
  ofNumbers('SpreadTerms', spreadTermsFields),
  ofNumbers('Spread', spreadFields),
  ofAddresses('Frame', frameFields),
  ofAddresses('Market', marketFields),
  ofAddresses('RulesMarket', rulesMarketFields),
  ofAddresses('Sweep', sweepFields),
  ofAddresses('SweepNode', sweepNodeFields),
  ofNumbers('Limits', limitFields),
  ofNumbers('AccountTrade', accountTradeFields),
  ofAddresses('Member', memberFields),
  ofNumbers('Account', accountFields),
  ofAddresses('Portfolio', portfolioFields),
];
