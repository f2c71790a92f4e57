const MARK = '\u0001-0';
const marked = JSON.stringify(MARK);

/** JSON in which a negative zero keeps its sign: it is one of the bits that are hashed, and JSON.stringify drops it. */
export function exactJson(value: unknown, indent?: number): string {
  const keepSign = (_key: string, each: unknown): unknown => (Object.is(each, -0) ? MARK : each);
  return JSON.stringify(value, keepSign, indent).replaceAll(marked, '-0');
}
