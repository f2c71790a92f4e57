import type { KeyMode } from '@sextant/workers/src/core/apiAccess.ts';

export const keyModeNames: Record<KeyMode, string> = { live: 'Live', test: 'Test' };

/** The kind of a key, beside its name and beside each of its calls. */
export function KeyModeBadge({ mode }: { mode: KeyMode }) {
  const tone = mode === 'test' ? 'border-warn text-warn' : 'border-line text-muted';
  return (
    <span className={`inline-block rounded-sm border px-1.5 text-label font-semibold ${tone}`}>
      {keyModeNames[mode]}
    </span>
  );
}
