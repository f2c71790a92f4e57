/** One column from its parts, in order. */
export function joinParts(parts: readonly (Float64Array | undefined)[]): Float64Array<ArrayBuffer> {
  const whole = new Float64Array(parts.reduce((sum, part) => sum + (part?.length ?? 0), 0));
  let at = 0;
  for (const part of parts) {
    if (part === undefined) continue;
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
