/**
 * Buffers of the typed arrays in a task's result: moved between threads instead of copied. Lists hold no columns. Columns may share a
 * buffer; it is listed once, because listing one twice throws.
 */
export function transferablesOf(value: unknown): ArrayBuffer[] {
  return [...new Set(buffersOf(value))];
}

function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.values(value).flatMap(buffersOf);
}
