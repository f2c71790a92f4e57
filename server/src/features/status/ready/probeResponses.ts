import type { App } from '../../../platform/http/app.ts';
import type { ProbeResponder, ProbeResponse } from '../../../platform/http/probeServer.ts';
import type { Metrics } from '../metrics/createMetrics.ts';
import { type ReadinessDeps, readReadiness } from './readiness.ts';

const json = (status: number, body: unknown): ProbeResponse => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

/** The process is alive when it responds at all: an orchestrator restarts it otherwise. */
export const livezResponse = (): ProbeResponse => json(200, { status: 'ok' });

export function readyzResponse(deps: ReadinessDeps): ProbeResponse {
  const readiness = readReadiness(deps);
  return json(readiness.status === 'not_ready' ? 503 : 200, readiness);
}

/** Everything that the probe port serves. */
export function createProbeResponder(deps: ReadinessDeps & { metrics: Pick<Metrics, 'read'> }): ProbeResponder {
  return async (path) => {
    if (path === '/livez') return livezResponse();
    if (path === '/readyz') return readyzResponse(deps);
    if (path !== '/metrics') return undefined;
    const { type, body } = await deps.metrics.read();
    return { status: 200, type, body };
  };
}

/** Probes on the port of the product, for load balancers that see no other one. Metrics are not public. */
export function probeRoutes(app: App, deps: ReadinessDeps): void {
  const responses = { '/livez': livezResponse, '/readyz': () => readyzResponse(deps) };
  for (const [path, respond] of Object.entries(responses))
    app.get(path, { schema: { hide: true } }, (_request, reply) => {
      const { status, type, body } = respond();
      return reply.code(status).type(type).header('cache-control', 'no-store').send(body);
    });
}
