/** More than any real notification needs. */
const DEPTH_MAX = 32;

/**
 * Parses JSON whose signature is computed over the parsed value. JSON.parse drops the first of two equal keys and rounds whole numbers
 * above 2^53, so the signed and the parsed content could differ: rejects such texts.
 * @throws SyntaxError
 */
export function parseStrictJson(text: string): unknown {
  const value = JSON.parse(text) as unknown;
  rejectDuplicates(text);
  return value;
}

/** Scans valid JSON token by token. */
function rejectDuplicates(text: string): void {
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d[\d.eE+-]*/g;
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (const [token] of text.matchAll(tokens)) {
    const keys = open.at(-1);
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : null);
      if (open.length > DEPTH_MAX) throw new SyntaxError('nested too deeply');
      isKeyNext = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      isKeyNext = false;
    } else if (token === ',') {
      isKeyNext = keys instanceof Set;
    } else if (token.startsWith('"')) {
      if (isKeyNext && keys instanceof Set) addKey(keys, JSON.parse(token) as string);
      isKeyNext = false;
    } else if (token !== ':' && /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) {
      throw new SyntaxError('a whole number beyond 2^53');
    }
  }
}

function addKey(keys: Set<string>, key: string): void {
  if (keys.has(key)) throw new SyntaxError('a key that is there twice');
  keys.add(key);
}
