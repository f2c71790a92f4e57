import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readConfig, variableNames } from '../../src/config.ts';
import {
  deployPaths,
  exactImage,
  readText,
  readYaml,
  unknownVariables as unknown,
  type Values,
} from './support/deployFiles.ts';

const variables = new Set(variableNames);

/** `NAME=value` lines without comments. */
const envOf = (text: string): Values =>
  Object.fromEntries([...text.matchAll(/^([A-Z_0-9]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

/** Secrets that an operator fills in, so that the rest can be checked. */
const filled = (values: Values): Values => ({
  ...Object.fromEntries(Object.entries(values).filter(([name]) => variables.has(name))),
  AUTH_SECRET: 'x'.repeat(32),
});

describe('every YAML file', () => {
  it.each(deployPaths('**/*.yaml'))('NODE-083 %s parses, without a key twice', (path) => {
    for (const document of readYaml(path)) expect(document).toBeTypeOf('object');
  });
});

describe('the image', () => {
  /** Instructions, with continued lines joined. */
  const instructions = readText('deploy/docker/Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line !== '');
  const stages = instructions.reduce<string[][]>((all, line) => {
    if (line.startsWith('FROM ')) all.push([line]);
    else all.at(-1)?.push(line);
    return all;
  }, []);
  const last = stages.at(-1) ?? [];

  it('NODE-083 has several stages on exact images of the Node version of package.json', () => {
    expect(stages.length).toBeGreaterThan(1);
    const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: { node: string } };
    for (const [from = ''] of stages) {
      const [, image = ''] = /^FROM (\S+)(?: AS \w+)?$/.exec(from) ?? [];
      expect(image).toMatch(exactImage);
      expect(image).toContain(`node:${dependencies.node}-`);
    }
  });

  it('NODE-083 runs as a user who is not root, without development packages, and starts a program, no shell', () => {
    const at = (name: string): number => last.findIndex((line) => line.startsWith(`${name} `));
    expect(last[at('USER')]).toMatch(/^USER [1-9]\d*:[1-9]\d*$/);
    // Nothing after it writes as root.
    expect(last.slice(at('USER') + 1).some((line) => /^(?:RUN|COPY|ADD|USER) /.test(line))).toBe(false);
    expect(last[at('CMD')]).toMatch(/^CMD \["node", .+ "server\/src\/main\.ts"\]$/);
    expect(last[at('HEALTHCHECK')]).toContain('/livez');
    expect(last.filter((line) => line.startsWith('COPY ') && !line.includes('--from='))).toEqual([]);
    expect(stages[1]?.some((line) => line.includes('npm ci --omit=dev'))).toBe(true);
    expect(instructions.some((line) => /^ADD |\bcurl\b|\bsudo\b|apt-get/.test(line))).toBe(false);
    expect(instructions.every((line) => !/^(?:ENV|ARG) .*(?:SECRET|PASSWORD|_KEY)/.test(line))).toBe(true);
  });

  it('NODE-083 has the flags of npm start, and settings that the product knows', () => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: { start: string } };
    const flags = scripts.start.match(/--max-[\w-]+=\d+/g) ?? [];
    expect(flags.length).toBe(2);
    for (const flag of flags) expect(last.find((line) => line.startsWith('CMD '))).toContain(`"${flag}"`);
    const env = last.find((line) => line.startsWith('ENV ')) ?? '';
    expect(unknown([...env.matchAll(/([A-Z_0-9]+)=/g)].map(([, name = '']) => name))).toEqual([]);
  });

  it('NODE-083 is built without secrets, local data and git', () => {
    const ignored = readText('deploy/docker/Dockerfile.dockerignore').split('\n');
    for (const path of ['.git', '.env', '.env.*', '**/.data', '**/node_modules']) expect(ignored).toContain(path);
  });
});

interface Service {
  image: string;
  environment?: Values;
  ports?: string[];
  volumes?: string[];
  stop_grace_period?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
}

describe('compose', () => {
  const [file] = readYaml('deploy/docker/compose.yaml') as { services: Record<string, Service>; volumes: object }[];
  const services = file?.services ?? {};
  const nodes = Object.entries(services).filter(([, { environment }]) => environment?.['ROLE'] !== undefined);

  it('NODE-083 has exact images, and opens ports on loopback only', () => {
    for (const [name, { image, ports = [] }] of Object.entries(services)) {
      expect([name, image]).toEqual([name, expect.stringMatching(exactImage)]);
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('NODE-083 runs a node of each role on a read-only tree without rights, and drains it before a kill', () => {
    expect(nodes.map(([, { environment }]) => environment?.['ROLE']).sort()).toEqual(['market', 'web', 'worker']);
    for (const [, { environment = {}, ...service }] of nodes) {
      expect(unknown(Object.keys(environment))).toEqual([]);
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        stop_grace_period: `${Number(environment['DRAIN_S']) + 20}s`,
      });
    }
  });

  it('NODE-083 gives each node settings that it starts with', () => {
    const given = {
      ...envOf(readText('deploy/docker/example.env')),
      POSTGRES_PASSWORD: 'abc',
      AUTH_SECRET: 'x'.repeat(32),
    };
    const fill = (text: string): string =>
      text.replaceAll(/\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, usual?: string) => {
        const value = (given as Values)[name] ?? '';
        return value === '' && kind === '-' ? (usual ?? '') : value;
      });
    for (const [, { environment = {} }] of nodes) {
      const config = readConfig(
        Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fill(text)])),
      );
      expect(config.databaseUrl).toBe('postgres://postgres:5432/sextant');
      expect(config.market).toBe('live');
    }
    const requested = readText('deploy/docker/compose.yaml').matchAll(/\$\{([A-Z_]+)/g);
    for (const [, name = ''] of requested) expect(Object.keys(given)).toContain(name);
  });
});

describe('systemd', () => {
  const unit = readText('deploy/systemd/sextant@.service');
  const values = (key: string): string[] =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

  it('NODE-084 runs as its own user with the flags of npm start, and drains before a kill', () => {
    expect(values('User')).toEqual(['sextant']);
    expect(values('ExecStart')[0]).toMatch(
      /node --max-old-space-size=320 --max-semi-space-size=8 server\/src\/main\.ts$/,
    );
    const env = envOf(
      values('Environment')
        .flatMap((line) => line.split(' '))
        .join('\n'),
    );
    expect(unknown(Object.keys(env))).toEqual([]);
    expect(env['ROLE']).toBe('%i');
    expect(Number(values('TimeoutStopSec')[0])).toBe(Number(env['DRAIN_S']) + 20);
    for (const key of ['NoNewPrivileges', 'PrivateTmp', 'ProtectHome']) expect(values(key)).toEqual(['yes']);
    expect(values('ProtectSystem')).toEqual(['strict']);
    expect(values('CapabilityBoundingSet')).toEqual(['']);
    // Compiled code is written and run.
    expect(values('MemoryDenyWriteExecute')).toEqual([]);
  });

  it('NODE-084 names settings that the product knows, and two nodes do not share a probe port', () => {
    const common = envOf(readText('deploy/systemd/common.env'));
    const worker = envOf(readText('deploy/systemd/worker.env'));
    expect(unknown([...Object.keys(common), ...Object.keys(worker)])).toEqual([]);
    expect(readConfig({ ...filled(common), ...worker, ROLE: 'worker' }).probes?.port).not.toBe(
      readConfig({ ...filled(common), ROLE: 'web' }).probes?.port,
    );
  });
});

describe('proxies', () => {
  it('NODE-086 pass event streams on at once, with a timeout of minutes, and never metrics', () => {
    const nginx = readText('deploy/proxy/nginx.conf');
    const [, streams = ''] = /location ~ \^\/api\/\(events\|stream\)\$ \{([^}]*)\}/.exec(nginx) ?? [];
    for (const line of ['proxy_buffering off;', 'proxy_cache off;', 'gzip off;', 'proxy_read_timeout 1h;'])
      expect(streams).toContain(line);
    expect(streams).toContain('proxy_set_header Upgrade $http_upgrade;');
    expect(nginx).toContain('http2 on;');
    expect(nginx).toMatch(/location = \/metrics \{\s+return 404;/);
    // A client's own header would be believed.
    expect(nginx).not.toContain('$proxy_add_x_forwarded_for');
    const caddy = readText('deploy/proxy/Caddyfile');
    expect(caddy).toContain('flush_interval -1');
    expect(caddy).toMatch(/handle \/metrics \{\s+respond 404/);
    for (const path of ['/api/events', '/api/stream']) expect(caddy).toContain(path);
  });

  it('NODE-086 take bodies as large as the product does, and close idle connections before a node does', () => {
    const nginx = readText('deploy/proxy/nginx.conf');
    const bodyMib = Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]);
    const limits = [...readText('server/src/features/backtest/largeBodies.ts').matchAll(/(\d+) \* 1024 \* 1024/g)];
    for (const [, mib] of limits) expect(bodyMib).toBeGreaterThanOrEqual(Number(mib));
    const idleS = Number(/keepalive_timeout (\d+)s;/.exec(nginx)?.[1]);
    const ownS = Number(
      /keepAliveTimeout: (\d+) \* second/.exec(readText('server/src/platform/http/createServer.ts'))?.[1],
    );
    expect(idleS).toBeLessThan(ownS);
  });
});

describe('CI of a public host', () => {
  it('NODE-087 runs what .ci/run runs, with pinned actions and read-only rights', () => {
    const [file] = readYaml('deploy/ci/github.yaml') as {
      permissions: Values;
      jobs: Record<string, { 'timeout-minutes': number; steps: { uses?: string; run?: string }[] }>;
    }[];
    expect(file?.permissions).toEqual({ contents: 'read' });
    const jobs = Object.values(file?.jobs ?? {});
    const steps = jobs.flatMap((job) => job.steps);
    expect(steps.some(({ run }) => run === '.ci/run')).toBe(true);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    for (const job of jobs) expect(job['timeout-minutes']).toBeGreaterThan(0);
    const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: { node: string } };
    expect(readText('deploy/ci/github.yaml')).toContain(`node-version: ${dependencies.node}`);
  });
});

const shell = spawnSync('bash', ['--version']).status === 0;
it.skipIf(!shell)('NODE-083 shell commands of docs/deploy.md parse', () => {
  const [...blocks] = readText('docs/deploy.md').matchAll(/^```sh\n([\s\S]*?)^```$/gm);
  expect(blocks.length).toBeGreaterThan(2);
  for (const [, text = ''] of blocks) expect(spawnSync('bash', ['-n'], { input: text }).status).toBe(0);
});
