/**
 * The figures of the honesty panel: what each means, its formula, its source and when it is withheld. The panel, the hover
 * texts and docs/honesty.md are made from this list. Not compiled to WASM.
 */
export interface HonestyEntry {
  id: string;
  name: string;
  /** One or two sentences for a trader. */
  definition: string;
  formula: string;
  source: string;
  unit: 'probability' | 'fraction' | 'sharpe per bar' | 'sigma' | 'count' | 'years' | 'bars' | 'score';
  /** When there is no figure; `needs` below is the same rule in numbers. */
  notEnoughData: string;
  needs: { trials?: number; bars?: number; trades?: number };
}

/** Bars of returns below which no statistic of their shape is worth showing. */
const SHAPE_BARS_MIN = 30;
/** Closed trades below which a return column is mostly zeros. */
const TRADES_MIN = 10;
/** CSCV: even number of blocks, at most; fewer when a block would have fewer than CSCV_BLOCK_ROWS_MIN bars. */
export const CSCV_BLOCK_MAX = 10;
export const CSCV_BLOCK_MIN = 6;
export const CSCV_BLOCK_ROWS_MIN = 10;
export const CSCV_TRIALS_MIN = 10;
/** Confidence of every yes: a probability of luck below 5 %. Between 5 % and one half a test is inconclusive; above one half it is evidence for luck. */
export const HONESTY_CONFIDENCE = 0.95;

const shape = { bars: SHAPE_BARS_MIN, trades: TRADES_MIN };
const shapeText = `fewer than ${SHAPE_BARS_MIN} bars, fewer than ${TRADES_MIN} closed trades, or returns without variation`;

export const honestyRegistry = [
  {
    id: 'luckCeiling',
    name: 'Luck ceiling',
    definition:
      'How good the luckiest of this many random strategies usually looks, in standard deviations. A best result below it may be luck.',
    formula:
      'E[max] = (1 - g) z(1 - 1/N) + g z(1 - 1/(N e)), g = 0.5772, z = normal quantile, N = all trials incl. earlier ones',
    source: 'Bailey, Lopez de Prado, The Deflated Sharpe Ratio (2014), eq. 6',
    unit: 'sigma',
    notEnoughData: 'fewer than 2 trials',
    needs: { trials: 2 },
  },
  {
    id: 'sharpe',
    name: 'Sharpe per bar',
    definition: 'Mean return per bar over its deviation, with its standard error. Not annualised.',
    formula: 'SR = mean / s; error = sqrt((1 - skew SR + (kurtosis - 1) SR^2 / 4) / (T - 1))',
    source: 'Mertens (2002); Bailey, Lopez de Prado, The Sharpe Ratio Efficient Frontier (2012), eq. 8',
    unit: 'sharpe per bar',
    notEnoughData: shapeText,
    needs: shape,
  },
  {
    id: 'probabilisticSharpe',
    name: 'Probabilistic Sharpe ratio',
    definition: 'Probability that the true Sharpe ratio is above zero, if this were the only strategy tried.',
    formula: 'PSR = cdf(SR / error)',
    source: 'Bailey, Lopez de Prado, The Sharpe Ratio Efficient Frontier (2012), eq. 9',
    unit: 'probability',
    notEnoughData: shapeText,
    needs: shape,
  },
  {
    id: 'deflatedSharpe',
    name: 'Deflated Sharpe ratio',
    definition:
      'Probability of beating the luckiest of all trials. 95 % or more: good sign. Below 50 %: likely luck. Between: unclear.',
    formula:
      'DSR = cdf((SR - SR0) / error), SR0 = d x luck ceiling, d = sqrt((1 - r) / (T - 1)): what noise alone spreads the Sharpe ratios of trials with mean correlation r',
    source: 'Bailey, Lopez de Prado, The Deflated Sharpe Ratio (2014), eq. 8 and 9',
    unit: 'probability',
    notEnoughData: `${shapeText}, or fewer than 2 trials`,
    needs: { ...shape, trials: 2 },
  },
  {
    id: 'realityCheck',
    name: 'Reality check',
    definition:
      'How often luck alone makes one of these trials look this good. Accounts for similar trials. Small is good.',
    formula:
      'p = (1 + number at least as good) / (1 + 1,000); means removed, signs of blocks of T^(1/3) bars drawn again',
    source: 'White, A Reality Check for Data Snooping (2000); Hansen (2005); random signs after Wu (1986)',
    unit: 'probability',
    notEnoughData: `${shapeText}, or fewer than 2 trials`,
    needs: { ...shape, trials: 2 },
  },
  {
    id: 'effectiveTrials',
    name: 'Effective trials',
    definition: 'How many independent strategies the trials count as. Similar sets count less.',
    formula: 'N_eff = r + (1 - r) N, r = mean correlation of the trials',
    source: 'Bailey, Lopez de Prado, The Deflated Sharpe Ratio (2014), appendix 3',
    unit: 'count',
    notEnoughData: 'fewer than 2 trials that traded, or fewer than 30 bars',
    needs: { trials: 2, bars: SHAPE_BARS_MIN },
  },
  {
    id: 'minimumTrackRecord',
    name: 'Minimum track record',
    definition: 'Bars this result needs before its Sharpe ratio is above zero at 95 %.',
    formula: 'minTRL = 1 + (1 - skew SR + (kurtosis - 1) SR^2 / 4) (z(0.95) / SR)^2',
    source: 'Bailey, Lopez de Prado, The Sharpe Ratio Efficient Frontier (2012), eq. 11',
    unit: 'bars',
    notEnoughData: `${shapeText}, or a Sharpe ratio at or below zero`,
    needs: shape,
  },
  {
    id: 'minimumBacktest',
    name: 'Minimum backtest length',
    definition: 'With fewer years of data, the luckiest of this many trials usually shows this Sharpe ratio.',
    formula: 'bars = (E[max] / SR)^2, given as years; nothing is annualised',
    source: 'Bailey, Borwein, Lopez de Prado, Zhu, Pseudo-Mathematics and Financial Charlatanism (2014)',
    unit: 'years',
    notEnoughData: `${shapeText}, fewer than 2 trials, or a Sharpe ratio at or below zero`,
    needs: { ...shape, trials: 2 },
  },
  {
    id: 'overfitting',
    name: 'Probability of overfitting',
    definition:
      'How often the best set of one half of history ranks in the lower half of the other. 50 % is pure chance. The band is typical for such histories.',
    formula:
      'CSCV: share of the C(S, S/2) halvings with rank / (N + 1) <= 1/2. Band: 5th to 95th percentile of the share on 100 histories with the same shocks, block signs redrawn and luck taken out of the means',
    source:
      'Bailey, Borwein, Lopez de Prado, Zhu, The Probability of Backtest Overfitting (2014); band: docs/honesty.md',
    unit: 'probability',
    notEnoughData: `fewer than ${CSCV_TRIALS_MIN} trials that traded, or fewer than ${CSCV_BLOCK_MIN * CSCV_BLOCK_ROWS_MIN} bars`,
    needs: { trials: CSCV_TRIALS_MIN, bars: CSCV_BLOCK_MIN * CSCV_BLOCK_ROWS_MIN },
  },
  {
    id: 'holdout',
    name: 'On unseen candles',
    definition:
      'Probability of beating luck on candles the search never used. Each result you view there counts as a try.',
    formula:
      'DSR = cdf((SR - SR0) / error) of the scored window, SR0 = luck ceiling of the looks / sqrt(T - 1); one look: SR0 = 0',
    source: 'Bailey, Lopez de Prado, The Deflated Sharpe Ratio (2014), eq. 8 and 9',
    unit: 'probability',
    notEnoughData: `${shapeText}; or the search ran on the scored candles`,
    needs: shape,
  },
  {
    id: 'bothWindows',
    name: 'Both windows together',
    definition: 'How often a random search looks this good on training and unseen candles together. Small is good.',
    formula:
      'p = q (1 - ln q), q = p1 x p2; p1 = the larger of 1 - DSR and the reality check, p2 = 1 - On unseen candles',
    source: 'R. A. Fisher, Statistical Methods for Research Workers, 4th ed. (1932), section 21.1, for two tests',
    unit: 'probability',
    notEnoughData: 'one of the three tests has no figure; or the search ran on the scored candles',
    needs: {},
  },
  {
    id: 'randomEntry',
    name: 'Random entries',
    definition:
      'Share of runs with random entries that earned at least as much. Exits, costs, entry rate and long share stay. Small is good.',
    formula: 'p = (1 + number at least as good) / (1 + number of runs); after n looks 1 - (1 - p)^n',
    source:
      'Davison, Hinkley, Bootstrap Methods (1997), eq. 4.11; Masters, Testing and Tuning Market Trading Systems (2018)',
    unit: 'probability',
    notEnoughData: `fewer than ${TRADES_MIN} closed trades, or no candles to trade on`,
    needs: { trades: TRADES_MIN },
  },
  {
    id: 'equityBootstrap',
    name: 'Resampled equity',
    definition:
      'Profit after shuffling and repeating blocks of bars: median and 5 to 95 % band, fraction of the starting equity.',
    formula:
      'circular block bootstrap of the bar returns, 1,000 paths, block = max(T^(1/3), mean bars held), at most T / 5',
    source: 'Politis, Romano, A Circular Block-Resampling Procedure for Stationary Data (1992)',
    unit: 'fraction',
    notEnoughData: shapeText,
    needs: shape,
  },
  {
    id: 'resampledDrawdown',
    name: 'Resampled drawdown',
    definition: 'Max drawdown on the same resampled paths: median and 5 to 95 % band, fraction of the peak.',
    formula: 'max over the path of (peak - equity) / peak',
    source: 'as Resampled equity',
    unit: 'fraction',
    notEnoughData: shapeText,
    needs: shape,
  },
  {
    id: 'plateau',
    name: 'Plateau',
    definition: 'Lead over a random set that remains after small parameter changes. 1 is a plateau, 0 a lone spike.',
    formula: '(median of the neighbours - median of the random sets) / (best - median of the random sets), within 0..1',
    source: 'own definition, after Pardo, The Evaluation and Optimization of Trading Strategies (2008), ch. 10',
    unit: 'score',
    notEnoughData: `fewer than ${TRADES_MIN} closed trades, fewer than 6 neighbours, or a best set without a lead`,
    needs: { trades: TRADES_MIN, trials: 6 },
  },
  {
    id: 'buyAndHold',
    name: 'Against buy and hold',
    definition: 'Net profit minus buy and hold at the same size, fraction of the starting equity.',
    formula: '(net PnL of the strategy - net PnL of holding) / starting equity',
    source: 'own definition; holding pays the taker fee twice, no funding',
    unit: 'fraction',
    notEnoughData: 'no candles to hold through',
    needs: {},
  },
  {
    id: 'breakEvenFee',
    name: 'Break-even fee',
    definition:
      'Fee per fill at which these trades break even. Good: above your fee. Negative: loses even without fees.',
    formula: '(gross PnL - funding) / sum of the notionals of all fills',
    source: 'own definition; the path of the trades is held fixed',
    unit: 'fraction',
    notEnoughData: 'no closed trade',
    needs: { trades: 1 },
  },
] as const satisfies readonly HonestyEntry[];

export type HonestyId = (typeof honestyRegistry)[number]['id'];
