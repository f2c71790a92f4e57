import type { Config } from './config.ts';
import { nodeName } from './platform/jobs/leadership.ts';
import type { Tracing } from './platform/tracing/tracing.ts';

/** Spans for the collector; loaded only where there is one. */
export async function openTracing(
  { tracing, role }: Config,
  version: string,
  onError: (error: unknown) => void,
): Promise<Tracing | undefined> {
  if (tracing === undefined) return undefined;
  const { createTracing } = await import('./platform/tracing/tracing.ts');
  const resource = {
    'service.name': 'sextant',
    'service.version': version,
    'service.instance.id': nodeName(),
    'sextant.role': role,
  };
  return createTracing({ ...tracing, resource, onError });
}
