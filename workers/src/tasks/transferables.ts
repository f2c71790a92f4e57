/**
 * Buffers of the typed arrays in a task's answer: moved between threads instead of copied. Lists hold no columns. Columns may
 * share a buffer; it is named once, because naming one twice is refused.
 */
export function transferablesOf(value: unknown): ArrayBuffer[] {
  return [...new Set(buffersOf(value))];
}

function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.values(value).flatMap(buffersOf);
}
