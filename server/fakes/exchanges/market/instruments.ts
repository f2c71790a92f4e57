import type { VenueId } from './venues.ts';
import { hashText } from './hash.ts';

/** One simulated perpetual, as all three venues list it. */
export interface Instrument {
  base: string;
  seed: number;
  /** Level around which the price wanders, USDT per coin. */
  anchorPrice: number;
  /** USDT traded per day on the largest venue. */
  dailyTurnover: number;
  /** Sensitivity to BTC and own daily deviation, both of log returns. */
  beta: number;
  ownVolatility: number;
  listedAtMs: number;
  fundingHours: 4 | 8;
  /** Coins per listed unit where a venue lists 1000 of a very cheap coin as one. */
  unit: Record<VenueId, number>;
  ids: Partial<Record<VenueId, string>>;
  maxLeverage: number;
}

/** base, anchor price, daily turnover in million USDT, beta, own daily deviation in percent. */
type Row = readonly [base: string, price: number, turnover: number, beta: number, ownPct: number];

/** Names are real, levels are plausible, the path is invented: nothing here is a record of any market. */
const rows: readonly Row[] = [
  ['BTC', 96000, 18000, 1, 0],
  ['ETH', 3400, 14000, 1.15, 1.5],
  ['SOL', 185, 4200, 1.35, 2.4],
  ['XRP', 2.3, 2600, 1.05, 2.8],
  ['DOGE', 0.21, 1700, 1.35, 2.9],
  ['BNB', 690, 900, 0.85, 1.4],
  ['ADA', 0.78, 620, 1.2, 2.6],
  ['SUI', 3.4, 980, 1.4, 3.4],
  ['LINK', 18.5, 520, 1.25, 2.4],
  ['AVAX', 27, 430, 1.35, 2.6],
  ['TRX', 0.29, 190, 0.55, 1.6],
  ['TON', 3.3, 160, 1, 2.6],
  ['DOT', 4.6, 210, 1.2, 2.3],
  ['LTC', 104, 420, 1, 2.2],
  ['BCH', 510, 310, 1, 2.5],
  ['NEAR', 2.9, 240, 1.35, 2.8],
  ['APT', 5.2, 180, 1.3, 2.9],
  ['ARB', 0.41, 230, 1.4, 3.1],
  ['OP', 0.72, 170, 1.4, 3.1],
  ['FIL', 2.6, 150, 1.3, 2.6],
  ['ATOM', 4.5, 110, 1.2, 2.3],
  ['UNI', 9.4, 260, 1.3, 3.1],
  ['AAVE', 290, 310, 1.3, 3],
  ['ETC', 20, 130, 1.15, 2.1],
  ['XLM', 0.31, 190, 1.05, 2.9],
  ['HBAR', 0.19, 220, 1.2, 3.2],
  ['ICP', 5.4, 90, 1.2, 2.6],
  ['INJ', 13.5, 160, 1.45, 3.2],
  ['SEI', 0.3, 150, 1.4, 3.4],
  ['TIA', 1.9, 170, 1.4, 3.7],
  ['WLD', 1.1, 260, 1.4, 3.9],
  ['PEPE', 0.0000098, 1100, 1.45, 4.1],
  ['SHIB', 0.0000132, 240, 1.25, 2.8],
  ['BONK', 0.0000215, 310, 1.5, 4.3],
  ['FLOKI', 0.0000912, 90, 1.4, 3.8],
  ['SATS', 0.0000000425, 40, 1.3, 4.2],
  ['WIF', 0.82, 360, 1.55, 4.6],
  ['ORDI', 9.2, 140, 1.45, 3.9],
  ['FET', 0.68, 130, 1.45, 3.5],
  ['RENDER', 3.8, 120, 1.4, 3.2],
  ['TAO', 390, 210, 1.4, 3.6],
  ['ENA', 0.55, 380, 1.5, 4.1],
  ['ONDO', 0.92, 190, 1.3, 3.4],
  ['JUP', 0.48, 110, 1.4, 3.4],
  ['PYTH', 0.14, 60, 1.4, 3.6],
  ['JTO', 1.9, 50, 1.4, 3.7],
  ['LDO', 1.05, 130, 1.4, 3.5],
  ['MKR', 1750, 90, 1.1, 2.8],
  ['CRV', 0.71, 210, 1.35, 3.9],
  ['SNX', 0.66, 40, 1.3, 3.4],
  ['COMP', 48, 45, 1.2, 2.9],
  ['GMX', 14.2, 25, 1.2, 3.1],
  ['DYDX', 0.62, 70, 1.3, 3.3],
  ['1INCH', 0.24, 30, 1.2, 2.9],
  ['SUSHI', 0.72, 40, 1.3, 3.4],
  ['GRT', 0.095, 50, 1.25, 2.8],
  ['IMX', 0.55, 55, 1.35, 3.2],
  ['STX', 0.74, 60, 1.35, 3.2],
  ['ALGO', 0.21, 80, 1.15, 2.8],
  ['VET', 0.026, 45, 1.15, 2.5],
  ['SAND', 0.29, 70, 1.3, 2.9],
  ['MANA', 0.3, 50, 1.3, 2.8],
  ['AXS', 2.4, 50, 1.3, 3],
  ['GALA', 0.017, 90, 1.35, 3.3],
  ['APE', 0.66, 60, 1.35, 3.3],
  ['CHZ', 0.041, 50, 1.2, 3],
  ['ENJ', 0.076, 20, 1.2, 3],
  ['FLOW', 0.39, 25, 1.2, 2.7],
  ['EGLD', 15.5, 25, 1.2, 2.6],
  ['THETA', 0.79, 30, 1.25, 2.8],
  ['XTZ', 0.67, 30, 1.1, 2.6],
  ['EOS', 0.74, 60, 1.1, 2.7],
  ['NEO', 6.3, 30, 1.15, 2.5],
  ['QTUM', 2.2, 20, 1.15, 2.5],
  ['ZEC', 58, 110, 1, 3.6],
  ['DASH', 23, 25, 1, 2.9],
  ['XMR', 310, 80, 0.7, 2.2],
  ['KSM', 17, 15, 1.2, 2.6],
  ['ZIL', 0.013, 20, 1.2, 2.7],
  ['IOTA', 0.2, 25, 1.2, 2.8],
  ['ONE', 0.012, 15, 1.25, 3],
  ['KAVA', 0.42, 20, 1.1, 2.6],
  ['ROSE', 0.031, 20, 1.3, 3],
  ['CELO', 0.33, 15, 1.2, 2.9],
  ['MINA', 0.22, 20, 1.25, 2.9],
  ['ANKR', 0.017, 15, 1.2, 2.8],
  ['SKL', 0.022, 15, 1.25, 3.1],
  ['STORJ', 0.27, 15, 1.2, 3.1],
  ['BAT', 0.14, 15, 1.1, 2.5],
  ['ZRX', 0.25, 15, 1.2, 3],
  ['YFI', 5300, 25, 1.1, 2.6],
  ['RUNE', 1.6, 60, 1.35, 3.4],
  ['KAS', 0.085, 60, 1.2, 3.2],
  ['CFX', 0.11, 40, 1.3, 3.7],
  ['ARKM', 0.55, 50, 1.4, 4],
  ['BLUR', 0.1, 30, 1.35, 3.6],
  ['PENDLE', 3.9, 90, 1.4, 3.6],
  ['ETHFI', 1.2, 90, 1.5, 4.1],
  ['STRK', 0.14, 50, 1.4, 3.7],
  ['MANTA', 0.22, 30, 1.4, 3.8],
  ['ALT', 0.03, 25, 1.4, 3.9],
  ['DYM', 0.25, 20, 1.4, 4],
  ['PIXEL', 0.034, 20, 1.4, 4.1],
  ['PORTAL', 0.043, 15, 1.4, 4.2],
  ['AEVO', 0.1, 20, 1.4, 4],
  ['W', 0.08, 25, 1.4, 3.8],
  ['TNSR', 0.13, 20, 1.4, 4.4],
  ['SAGA', 0.24, 15, 1.4, 4],
  ['OMNI', 2.3, 15, 1.4, 4.2],
  ['REZ', 0.012, 15, 1.4, 4.3],
  ['NOT', 0.0021, 60, 1.4, 4.1],
  ['IO', 0.75, 40, 1.4, 4],
  ['ZK', 0.056, 50, 1.4, 3.7],
  ['ZRO', 2, 60, 1.35, 4.1],
  ['G', 0.02, 6, 1.3, 3.6],
  ['ON', 0.21, 6, 1.4, 4],
  ['币安人生', 0.12, 6, 1.5, 5],
  ['EIGEN', 1.3, 90, 1.45, 4.2],
  ['HYPE', 34, 780, 1.25, 4.3],
  ['MOVE', 0.16, 60, 1.4, 4.4],
  ['PENGU', 0.029, 320, 1.5, 5.2],
  ['VIRTUAL', 1.3, 140, 1.5, 5],
  ['AIXBT', 0.14, 60, 1.5, 5.4],
  ['FARTCOIN', 0.98, 260, 1.6, 6],
  ['TRUMP', 9.2, 280, 1.3, 4.6],
  ['KAITO', 1.1, 80, 1.4, 5],
  ['IP', 5.4, 70, 1.3, 5],
  ['BERA', 1.9, 40, 1.4, 4.6],
  ['LAYER', 0.58, 30, 1.3, 5.1],
  ['S', 0.31, 50, 1.4, 4],
  ['INIT', 0.41, 25, 1.4, 4.9],
  ['SPX', 1.2, 80, 1.5, 5.2],
  ['POL', 0.21, 70, 1.3, 2.9],
];

const DAY_MS = 86_400_000;
/** Start of all history. A constant: relative to the process start, history would change with every start. */
export const GENESIS_MS = Date.UTC(2022, 0, 1);
const cheapCoins = new Set(['PEPE', 'SHIB', 'BONK', 'FLOKI', 'SATS']);
const notOnOkx = new Set(['G', 'ON', '币安人生', 'REZ', 'PORTAL', 'OMNI', 'KAS', 'XMR', 'TNSR', 'SPX', 'ENJ', 'ANKR']);
const notOnBybit = new Set(['ON', '币安人生', 'PIXEL', 'DYM', 'VET', 'STORJ']);
const fourHourly = new Set(['TRUMP', 'FARTCOIN', 'LAYER', 'KAITO', 'PENGU', 'INIT', 'MOVE', 'AIXBT']);
/** The last sixteen rows are young listings: a scanner must cope with short histories. */
const youngCount = 16;

function listingOf(index: number): number {
  const young = index - (rows.length - youngCount);
  return young < 0 ? GENESIS_MS : Date.UTC(2024, 11, 10) + young * 23 * DAY_MS;
}

function idsOf(base: string): Partial<Record<VenueId, string>> {
  const thousand = cheapCoins.has(base);
  return {
    binance: thousand ? `1000${base}USDT` : `${base}USDT`,
    ...(notOnBybit.has(base) ? {} : { bybit: bybitId(base) }),
    ...(notOnOkx.has(base) ? {} : { okx: `${base}-USDT-SWAP` }),
  };
}

function bybitId(base: string): string {
  if (base === 'SHIB') return 'SHIB1000USDT';
  return cheapCoins.has(base) ? `1000${base}USDT` : `${base}USDT`;
}

function leverageOf(turnover: number): number {
  if (turnover >= 10_000) return 125;
  if (turnover >= 300) return 75;
  return turnover >= 60 ? 50 : 25;
}

export const instruments: readonly Instrument[] = rows.map(([base, price, turnover, beta, ownPct], index) => ({
  base,
  seed: hashText(base),
  anchorPrice: price,
  dailyTurnover: turnover * 1e6,
  beta,
  ownVolatility: ownPct / 100,
  listedAtMs: listingOf(index),
  fundingHours: fourHourly.has(base) ? 4 : 8,
  unit: { binance: cheapCoins.has(base) ? 1000 : 1, bybit: cheapCoins.has(base) ? 1000 : 1, okx: 1 },
  ids: idsOf(base),
  maxLeverage: leverageOf(turnover),
}));

export const bitcoin = instruments[0] as Instrument;
