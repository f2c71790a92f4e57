import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import {
  deployPaths,
  exactImage,
  readText,
  readYaml,
  unknownVariables as unknown,
  type Values,
} from './support/deployFiles.ts';

interface Container {
  name: string;
  image: string;
  env: { name: string; value: string }[];
  envFrom: object[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  resources: { requests: Values; limits: Values };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
}
interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  failureThreshold: number;
}
interface Deployment {
  kind: string;
  metadata: { name: string };
  data?: Values;
  spec: {
    replicas: number;
    strategy: object;
    selector: { matchLabels: Values };
    template: {
      metadata: { labels: Values };
      spec: {
        terminationGracePeriodSeconds: number;
        securityContext: object;
        containers: Container[];
        volumes: { name: string }[];
      };
    };
  };
}

describe('kubernetes', () => {
  const paths = deployPaths('kubernetes/*.yaml');
  const objects = paths.flatMap((path) => readYaml(path)) as Deployment[];
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  const config = objects.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};

  it('NODE-085 lists every file, and each object has a version, a kind and a name', () => {
    const [list] = readYaml('deploy/kubernetes/kustomization.yaml') as { resources: string[] }[];
    expect(list?.resources.map((name) => `deploy/kubernetes/${name}`).sort()).toEqual(
      paths.filter((path) => !path.endsWith('kustomization.yaml')),
    );
    for (const object of objects.filter(({ kind }) => kind !== 'Kustomization'))
      expect(object).toMatchObject({
        apiVersion: expect.stringMatching(/^[\w./]*v1$/) as unknown,
        metadata: { name: expect.any(String) as unknown },
      });
  });

  it('NODE-085 runs nodes without rights, as a user who is not root, on a read-only tree', () => {
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual(['market', 'web', 'worker']);
    for (const { spec } of deployments) {
      const { template } = spec;
      expect(template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(template.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      const [container] = template.spec.containers;
      expect(container?.image).toMatch(exactImage);
      expect(container?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(Object.keys(container?.resources.requests ?? {})).toEqual(['cpu', 'memory']);
      expect(container?.resources.limits['memory']).toBe('1Gi');
      const volumes = template.spec.volumes.map(({ name }) => name);
      expect(container?.volumeMounts.map(({ name }) => name)).toEqual(volumes);
      const [data] = container?.volumeMounts ?? [];
      // A volume belongs to root: the server wants a folder of its own in it.
      expect(config['DATA_DIR']?.startsWith(`${data?.mountPath ?? ''}/`)).toBe(true);
    }
  });

  it('NODE-085 probes the probe port, takes a pod out before it stops, and kills none that drains', () => {
    const drainS = Number(config['DRAIN_S']);
    for (const { spec } of deployments) {
      expect(spec.strategy).toMatchObject({ rollingUpdate: { maxUnavailable: 0 } });
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      expect(terminationGracePeriodSeconds).toBe(drainS + 20);
      const [container] = containers;
      const port = container?.ports.find(({ name }) => name === 'probes')?.containerPort;
      expect(String(port)).toBe(config['PROBE_PORT']);
      const probes = { startupProbe: '/readyz', livenessProbe: '/livez', readinessProbe: '/readyz' } as const;
      for (const [kind, path] of Object.entries(probes))
        expect(container?.[kind as keyof typeof probes].httpGet).toEqual({ path, port: 'probes' });
      const { periodSeconds = 0, failureThreshold = 0 } = container?.readinessProbe ?? {};
      // Seen twice within the drain, with time left for the endpoints to change.
      expect(periodSeconds * failureThreshold).toBeLessThanOrEqual(drainS / 2);
    }
  });

  it('NODE-085 gives each node settings that it starts with', () => {
    expect(unknown(Object.keys(config))).toEqual([]);
    const secrets = {
      AUTH_SECRET: 'x'.repeat(32),
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
    };
    const stated = [...readText('deploy/kubernetes/config.yaml').matchAll(/--from-literal=([A-Z0-9_]+)/g)];
    expect(stated.map(([, name]) => name).sort()).toEqual(Object.keys(secrets).sort());
    for (const { metadata, spec } of deployments) {
      const [container] = spec.template.spec.containers;
      const own = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));
      expect(unknown(Object.keys(own))).toEqual([]);
      const read = readConfig({ ...config, ...secrets, ...own });
      expect(read.role).toBe(metadata.name);
      expect(read.probes).toEqual({ host: '0.0.0.0', port: 9464, isChosen: true });
      const http = container?.ports.find(({ name }) => name === 'http')?.containerPort;
      expect(http).toBe(read.role !== 'web' ? undefined : read.port);
    }
  });
});
