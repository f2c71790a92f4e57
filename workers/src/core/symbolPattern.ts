/**
 * The one definition of a symbol: a USDT perpetual such as `BTCUSDT`. Before USDT stand 1 to 36 capital letters, digits or letters of the
 * Chinese, Japanese and Korean scripts, in which exchanges name coins too. Written as ranges, not as classes, so that JavaScript and
 * PostgreSQL read the same text alike; a database check repeats it and a test compares both.
 */
export const SYMBOL_PATTERN =
  '^[A-Z0-9\\u3041-\\u3096\\u30A1-\\u30FA\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uAC00-\\uD7A3]{1,36}USDT$';

const pattern = new RegExp(SYMBOL_PATTERN);

export const isSymbol = (text: string): boolean => pattern.test(text);

/**
 * Normalises typed symbols: `btcusdt` becomes `BTCUSDT`. ASCII only, because capitals of other letters can be ASCII (the German sharp s).
 */
export const toSymbolCase = (text: string): string => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
