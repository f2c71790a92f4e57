import type { z } from 'zod';

/** The first problem zod found, as a readable path: `candles.close[3]`. The path is '' for the input as a whole. */
export function firstIssue(error: z.ZodError): { field: string; message: string } {
  const issue = error.issues[0];
  const path = (issue?.path ?? []).map((key, i) => {
    if (typeof key === 'number') return `[${key}]`;
    return i === 0 ? String(key) : `.${String(key)}`;
  });
  return { field: path.join(''), message: issue?.message ?? error.message };
}
