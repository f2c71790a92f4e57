import { coinNames } from './coinNames.ts';

export interface SymbolEntry {
  symbol: string;
  base: string;
}

/** Tickers that are also words or abbreviations: plain capitals do not name the coin. */
const commonWords = new Set(
  (
    'A ACE ACT ACH AI ALL ALPHA ALT AMP ANY APE APT ARC ARE ARK ASK ATM BAKE BAN BAND BAT BEST BIG BIO BLUR BOND BULL BEAR CAKE CAT CEO ' +
    'CHESS COMBO COOKIE COMP COW CPI CRO CTO CYBER DAO DASH DATA DENT DEX DODO DOG DOT DYM EDU ENS ETC ETF EU FED FIRE FIDA FLOW FLUX FOR ' +
    'FORM FORTH FUN GAS GDP GLM GMT GO GOLD GRASS HIGH HIVE HOME HOOK HOT ID IN IO IP IPO IRS IT JOE JUST KEY KNC LAYER LEVER LINK LISTA ' +
    'LOOM LPT MAGIC MAN MASK MAV ME MEME MINA MOVE MUBARAK NEAR NEIRO NEW NFT NOT NOW OF OM ON ONE ONG OP OR ORDER ORDI PEOPLE PIXEL ' +
    'PORTAL POWER PROM PUMP RARE RED REEF REZ RIF ROSE SAFE SAGA SAND SEC SKY SLP SOLV SPELL STEEM STG STORJ SUN SUPER SWELL THE TNSR TO ' +
    'TOKEN TOP TRB TRUMP TRUTH UK UMA UN UP US USD USTC USUAL VANA VANRY VOXEL WAVES WOO XAI YGG ZEN ZERO ZETA ZRO'
  ).split(' '),
);
const SYMBOLS_MAX = 5;
/** Contracts of a thousand or a million very cheap coins. */
const MULTIPLE = /^(1000000|1000|1M)(?=[A-Z])/;

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const isShouted = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu) ?? [];
  const capitals = text.match(/\p{Lu}/gu) ?? [];
  return letters.length > 12 && capitals.length > 0.7 * letters.length;
};

export type TagSymbols = (text: string) => string[];

/**
 * Finds the symbols of a text, in the order of their first mention: `$SOL`, `(SOL)`, `SOLUSDT`, `SOL/USDT`, the name of the
 * coin, or the ticker in capitals. Plain capitals do not count for tickers that are words (ONE, GAS, NEAR), for tickers of one or two
 * letters, nor in a text that is written in capitals.
 */
export function createTagger(universe: readonly SymbolEntry[]): TagSymbols {
  const byTicker = new Map<string, string>();
  for (const { symbol, base } of universe) byTicker.set(base.toUpperCase().replace(MULTIPLE, ''), symbol);
  const names = Object.entries(coinNames).flatMap(([base, own]) =>
    byTicker.has(base) ? own.map((name): [string, string] => [name, byTicker.get(base) ?? '']) : [],
  );
  // Longer names first: `Bitcoin Cash` is not Bitcoin.
  names.sort((a, b) => b[0].length - a[0].length);
  const named = new Map(names);
  const namePattern =
    names.length === 0
      ? undefined
      : new RegExp(`(?<![\\p{L}\\d])(${names.map(([name]) => escapePattern(name)).join('|')})(?![\\p{L}\\d])`, 'gu');

  const ofTicker = (ticker: string): string | undefined => byTicker.get(ticker);
  const forms: readonly { pattern: RegExp; symbolOf: (written: string) => string | undefined }[] = [
    { pattern: /\$([A-Za-z][A-Za-z\d]{0,11})(?![\p{L}\d])/gu, symbolOf: (written) => ofTicker(written.toUpperCase()) },
    {
      pattern: /(?<![\p{L}\d])([A-Z\d]{2,12})[/-]?(?:USDT|USDC|USD|PERP)(?![\p{L}\d])/gu,
      symbolOf: (written) => ofTicker(written.replace(MULTIPLE, '')),
    },
    { pattern: /\(([A-Z][A-Z\d]{1,11})\)/g, symbolOf: ofTicker },
    ...(namePattern === undefined ? [] : [{ pattern: namePattern, symbolOf: (name: string) => named.get(name) }]),
  ];
  const plain = {
    pattern: /(?<![\p{L}\d$.@#/-])([A-Z][A-Z\d]{2,11})(?![\p{L}\d/-])/gu,
    symbolOf: (written: string) => (commonWords.has(written) ? undefined : ofTicker(written)),
  };

  return (text) => {
    const matches = (isShouted(text) ? forms : [...forms, plain]).flatMap(({ pattern: form, symbolOf }) =>
      [...text.matchAll(form)].map((match) => ({ at: match.index, symbol: symbolOf(match[1] ?? '') })),
    );
    matches.sort((a, b) => a.at - b.at);
    const symbols = matches.flatMap(({ symbol }) => (symbol === undefined ? [] : [symbol]));
    return [...new Set(symbols)].slice(0, SYMBOLS_MAX);
  };
}
