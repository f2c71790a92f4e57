import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, variableNames } from '../src/config.ts';
import { historySourceOf } from '../src/features/history/source.ts';
import { secretNames } from '../src/secretFiles.ts';

describe('the configuration', () => {
  it('has a default for everything: an empty environment is the demo on this machine', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      market: 'simulated',
      isDemoAccountOffered: true,
      trustProxy: false,
      dataDir: '.data',
    });
  });

  it('offers no demo account with an external database or a live market, unless requested', () => {
    const url = 'postgres://owner@127.0.0.1/sextant';
    expect(readConfig({ DATABASE_URL: url }).isDemoAccountOffered).toBe(false);
    expect(readConfig({ MARKET: 'live' }).isDemoAccountOffered).toBe(false);
    expect(readConfig({ DATABASE_URL: url, DEMO_ACCOUNT: 'on' }).isDemoAccountOffered).toBe(true);
  });

  it('replays when a folder is named', () => {
    expect(readConfig({ MARKET_REPLAY: '/candles' })).toMatchObject({ market: 'replay', marketReplayDir: '/candles' });
  });

  it('HIST-123 stores replayed candles under the world that they belong to', () => {
    const replay = { MARKET_REPLAY: '/candles', EXCHANGES_URL: 'http://127.0.0.1:9' };
    expect(historySourceOf(readConfig({ ...replay, MARKET_REPLAY_WORLD: 'ab12' }))).toBe('replay ab12 /candles');
    expect(historySourceOf(readConfig(replay))).toBe('replay http://127.0.0.1:9 /candles');
  });

  it('ignores the exchange address of the fakes when the market is live', () => {
    expect(readConfig({ MARKET: 'live', EXCHANGES_URL: 'http://127.0.0.1:1' }).exchangesUrl).toBeUndefined();
    expect(readConfig({ EXCHANGES_FUNDING: '5000' }).fundingLimit).toBe(5000);
    expect(readConfig({ MARKET: 'live', EXCHANGES_FUNDING: '5000' }).fundingLimit).toBeUndefined();
  });

  it.each([
    [{ PORT: '0' }, /^PORT: must be 1 to 65535$/],
    [{ PORT: 'web' }, /^PORT: must be a number$/],
    [{ MARKET: 'Live' }, /^MARKET: must be simulated or live$/],
    [{ DATABASE_URL: 'mysql://x/y' }, /^DATABASE_URL: must look like postgres:/],
    [{ PUBLIC_URL: 'sextant.example' }, /^PUBLIC_URL: /],
    [{ PUBLIC_URL: 'javascript:alert(1)' }, /^PUBLIC_URL: /],
    [{ AUTH_SECRET: 'short' }, /^AUTH_SECRET: must have at least 32 characters$/],
    [{ DEMO_ACCOUNT: 'yes' }, /^DEMO_ACCOUNT: /],
    [{ TRUST_PROXY: 'true' }, /^TRUST_PROXY: must be loopback/],
    [{ TRUST_PROXY: '1' }, /^TRUST_PROXY: /],
    [{ TRUST_PROXY: '0.0.0.0/0' }, /^TRUST_PROXY: /],
    [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY: /],
    [{ TRUST_PROXY: '127.0.0.1,proxy.example' }, /^TRUST_PROXY: /],
    [{ TRUST_PROXY: '10.0.0.0/8/8' }, /^TRUST_PROXY: /],
    [{ CONTACT_EMAIL: 'nobody' }, /^CONTACT_EMAIL: must be an email address$/],
    [{ CONTACT_PHONE: 'call me' }, /^CONTACT_PHONE: must be a phone number$/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL: /],
    [{ MARKET: 'live', MARKET_REPLAY: '/candles' }, /^MARKET_REPLAY: cannot be combined with MARKET=live$/],
    [{ NOWPAYMENTS_API_KEY: 'a long key' }, /^NOWPAYMENTS_IPN_SECRET: set it with NOWPAYMENTS_API_KEY/],
    [{ NOWPAYMENTS_IPN_SECRET: 'a secret' }, /^NOWPAYMENTS_API_KEY: is missing/],
    [{ MOONPAY_API_KEY: 'pk_test_1234' }, /^MOONPAY_API_KEY: also needs MOONPAY_SECRET_KEY/],
    [{ MOONPAY_SECRET_KEY: 'sk_test_1234' }, /^MOONPAY_API_KEY: is missing/],
    [{ MOONPAY_WEBHOOK_KEY: 'webhook-key' }, /^MOONPAY_API_KEY: is missing/],
  ])('rejects %j with one line that names the variable', (env, message) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(message);
  });

  it.each(['loopback', '127.0.0.1', '10.0.0.0/8, uniquelocal', '::1,fd00::/8'])('trusts the proxies %s', (value) => {
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toBe(value);
  });

  it('NODE-019 reads the hosts of each exchange, for a live market only', () => {
    const hosts = { OKX_URL: 'https://eea.okx.com/', OKX_STREAM_URL: 'wss://wseea.okx.com:8443/ws' };
    const { exchangeHosts } = readConfig({ MARKET: 'live', ...hosts });
    expect(exchangeHosts.okx).toEqual({ rest: 'https://eea.okx.com', stream: 'wss://wseea.okx.com:8443' });
    expect(exchangeHosts.bybit).toEqual({ rest: undefined, stream: undefined });
    expect(readConfig(hosts).exchangeHosts).toEqual({});
    expect(() => readConfig({ OKX_STREAM_URL: 'https://x' })).toThrow(/^OKX_STREAM_URL: must be a ws or wss URL$/);
  });

  it('NODE-004 NODE-008 has a probe port on loopback, and drains where an operator runs the database', () => {
    expect(readConfig({}).probes).toEqual({ host: '127.0.0.1', port: 9464, isChosen: false });
    expect(readConfig({ PROBE_PORT: '8081', PROBE_HOST: '0.0.0.0' }).probes).toEqual({
      host: '0.0.0.0',
      port: 8081,
      isChosen: true,
    });
    expect(readConfig({ PROBE_PORT: '0' }).probes).toBeUndefined();
    expect(readConfig({}).drainMs).toBe(0);
    expect(readConfig({ DATABASE_URL: 'postgres://owner@127.0.0.1/sextant' }).drainMs).toBe(5000);
    expect(readConfig({ DRAIN_S: '20' }).drainMs).toBe(20_000);
  });

  it('NODE-029 reads secrets from files, without the line end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sextant-secrets-'));
    try {
      const path = join(folder, 'secret');
      await writeFile(path, `${'s'.repeat(40)}\n`);
      expect(readConfig({ AUTH_SECRET_FILE: path }).authSecret).toBe('s'.repeat(40));
      expect(readConfig({ AUTH_SECRET_FILE: '' }).authSecret).toBeUndefined();
      for (const name of secretNames) expect(variableNames).toContain(name);
      // A value from a file is checked like any other.
      expect(() => readConfig({ DATABASE_URL_FILE: path })).toThrow(/^DATABASE_URL: must look like postgres:/);
      expect(() => readConfig({ AUTH_SECRET_FILE: path, AUTH_SECRET: 'x'.repeat(40) })).toThrow(
        /^AUTH_SECRET_FILE: AUTH_SECRET is set too; remove one of them$/,
      );
      expect(() => readConfig({ AUTH_SECRET_FILE: join(folder, 'none') })).toThrow(
        /^AUTH_SECRET_FILE: cannot read .*none \(ENOENT\)$/,
      );
      await writeFile(path, '\n');
      expect(() => readConfig({ AUTH_SECRET_FILE: path })).toThrow(/^AUTH_SECRET_FILE: .* is empty$/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('NODE-029 names every setting whose name or example is a secret', async () => {
    const text = await readFile(join(import.meta.dirname, '../../.env.example'), 'utf8');
    const secret = /(_KEY|_SECRET|_PASSWORD|_TOKEN|_KEY_ID|_HEADERS)$/;
    const withPassword = [...text.matchAll(/^# ([A-Z0-9_]+)=.*:\/\/[^/\s]*:[^/\s]*@/gm)].map(([, name]) => name ?? '');
    expect(withPassword).toContain('NATS_URL');
    const wanted = [...variableNames.filter((name) => secret.test(name)), ...withPassword];
    expect(wanted).toContain('OTEL_EXPORTER_OTLP_HEADERS');
    expect(wanted.filter((name) => !secretNames.some((each) => each === name))).toEqual([]);
  });

  it('NODE-028 has a URL each for requests, sessions and the owner', () => {
    const [pool, direct, owner] = ['postgres://pool:6432/s', 'postgres://db:5432/s', 'postgres://o:p@db:5432/s'];
    const urls = { DATABASE_URL: pool, DATABASE_SESSION_URL: direct, DATABASE_OWNER_URL: owner };
    expect(readConfig(urls)).toMatchObject({ databaseUrl: pool, databaseSessionUrl: direct, databaseOwnerUrl: owner });
    expect(() => readConfig({ DATABASE_SESSION_URL: direct })).toThrow(
      /^DATABASE_SESSION_URL: set it with DATABASE_URL$/,
    );
  });

  it('NODE-022 has days for each kind of data that is deleted', () => {
    expect(readConfig({}).retention).toEqual({ resultDays: 30, checkDays: 30, notificationDays: 30, skipDays: 30 });
    const { retention } = readConfig({ RETENTION_DAYS: 'results=7, skips=90' });
    expect(retention).toEqual({ resultDays: 7, checkDays: 30, notificationDays: 30, skipDays: 90 });
    for (const [text, message] of [
      ['results', /must look like results=30,checks=7, with results, checks, notifications, skips$/],
      ['ledger=3', /must look like/],
      ['results=0', /results must be 1 to 3650 days$/],
      ['skips=29', /skips must be 30 to 3650 days$/],
    ] as const)
      expect(() => readConfig({ RETENTION_DAYS: text }), text).toThrow(message);
  });

  it('NODE-056 reads the exchanges through the gateway on nodes of one role, unless that is off', () => {
    const isUsed = (env: Record<string, string>) => readConfig(env).isGatewayUsed;
    expect([isUsed({}), isUsed({ ROLE: 'all' })]).toEqual([false, false]);
    expect([isUsed({ ROLE: 'web' }), isUsed({ ROLE: 'worker' }), isUsed({ ROLE: 'market' })]).toEqual([
      true,
      true,
      true,
    ]);
    expect(isUsed({ ROLE: 'web', MARKET_GATEWAY: 'off' })).toBe(false);
    expect(() => readConfig({ MARKET_GATEWAY: 'on' })).toThrow(/^MARKET_GATEWAY: needs ROLE=web or ROLE=worker$/);
    expect(() => readConfig({ ROLE: 'market', MARKET_GATEWAY: 'off' })).toThrow(
      /^MARKET_GATEWAY: ROLE=market is the gateway$/,
    );
    const natsUrl = 'nats://a.example:4222,tls://b.example';
    expect(readConfig({ NATS_URL: natsUrl }).natsUrl).toBe(natsUrl);
    expect(readConfig({}).natsUrl).toBeUndefined();
    for (const wrong of ['http://a.example', 'a.example:4222', 'nats://a.example,'])
      expect(() => readConfig({ NATS_URL: wrong })).toThrow(
        /^NATS_URL: must be nats or tls URLs, separated by commas$/,
      );
  });

  it('NODE-074 makes traces only with an endpoint', () => {
    expect(readConfig({}).tracing).toBeUndefined();
    const endpoint = 'http://127.0.0.1:4318';
    const headers = 'authorization=Bearer%20x, x-tenant=7';
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers }).tracing).toEqual({
      endpoint,
      headers: { authorization: 'Bearer x', 'x-tenant': '7' },
      sampleFraction: 1,
    });
    const message = /^OTEL_EXPORTER_OTLP_HEADERS: must look like name=value/;
    for (const wrong of ['authorization', 'a=%zz', 'a=b c'])
      expect(() => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: wrong })).toThrow(message);
    expect(() => readConfig({ OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(/^OTEL_TRACES_SAMPLER_ARG: must be 0 to 1$/);
  });

  it('treats an empty variable as absent', () => {
    expect(readConfig({ PORT: '', MARKET: '' })).toMatchObject({ port: 3000, market: 'simulated' });
  });

  it('reads exactly the variables that .env.example explains', async () => {
    const text = await readFile(join(import.meta.dirname, '../../.env.example'), 'utf8');
    const explained = [...text.matchAll(/^# .+\n# ([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual([...variableNames].sort());
  });
});
