import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Db } from '../../platform/db/scope.ts';
import type { ModelAnalyst } from '../aicheck/port.ts';
import type { Mailer } from '../mail/port.ts';
import { readFeedsState } from '../news/feedHealth.ts';
import type { TelegramBot } from '../notifications/port.ts';
import type { CardProvider, CoinProvider, PaymentProvider } from '../payments/port.ts';
import type { FileStore } from '../profile/files/port.ts';
import type { StatusPart } from './contract.ts';

/** Resolves with an error code, null on success, undefined when there is no result yet. */
export type ProbeDependency = (signal: AbortSignal) => Promise<string | null | undefined>;

type PartConfig = Pick<Config, 'market' | 'smtpUrl' | 'nowPayments' | 'moonPay' | 'openai' | 'telegram' | 'news'>;

/** Services this installation is configured with. */
export interface Dependencies {
  config: PartConfig;
  db: Db;
  mailer: Pick<Mailer, 'check'> | undefined;
  coins: Pick<CoinProvider, 'readStatus'> | undefined;
  cards: Pick<CardProvider, 'readStatus'> | undefined;
  model: Pick<ModelAnalyst, 'check'> | undefined;
  telegram: Pick<TelegramBot, 'check'> | undefined;
  files: Pick<FileStore, 'write' | 'read' | 'remove'>;
}

/** The probed parts of this installation, in page order. Parts that are not configured are left out. */
export function configuredParts({ smtpUrl, nowPayments, moonPay, openai, telegram, news }: PartConfig): StatusPart[] {
  const optional: [StatusPart, unknown][] = [
    ['mail', smtpUrl],
    ['coins', nowPayments],
    ['cards', moonPay],
    ['ai', openai],
    ['feeds', news.feeds[0]],
    ['telegram', telegram],
  ];
  const configured = optional.filter(([, value]) => value !== undefined).map(([part]) => part);
  return ['signals', 'database', ...venueIds, ...configured, 'storage'];
}

const unavailable = 'upstream_unavailable';
/** HTTP 429. */
const TOO_MANY_REQUESTS = 429;

/** Requests a payment that does not exist: the error proves that the provider responds and accepts our key. */
const probeProvider =
  (provider: Pick<PaymentProvider, 'readStatus'>, noPayment: string): ProbeDependency =>
  async () => {
    const read = await provider.readStatus(noPayment);
    if (read.ok || read.error.kind === 'refused') return null;
    // Wrong keys and an unreachable provider are retryable too: only HTTP 429 means that the provider limits us.
    const isLimited = read.error.kind === 'busy' && read.error.status === TOO_MANY_REQUESTS;
    return isLimited ? 'upstream_rate_limited' : unavailable;
  };

const probeFile = `00000000-0000-0000-0000-000000000000/probe-${randomUUID()}`;

/** Writes a small file, reads it back and removes it. */
const probeStorage =
  (files: Dependencies['files']): ProbeDependency =>
  async () => {
    const bytes = Buffer.from(probeFile);
    await files.remove(probeFile);
    const written = await files.write(probeFile, bytes);
    if (!written.ok) return written.error.code;
    const read = (await files.read(probeFile)) ?? Readable.from([]);
    const isSame = (await buffer(read)).equals(bytes);
    await files.remove(probeFile);
    return isSame ? null : 'storage_unavailable';
  };

/** The probe of each configured service. */
export function dependencyProbes(deps: Dependencies): Partial<Record<StatusPart, ProbeDependency>> {
  const { config, db, mailer, coins, cards, model, telegram, files } = deps;
  const { market, news } = config;
  const probes: Partial<Record<StatusPart, ProbeDependency>> = { storage: probeStorage(files) };
  if (mailer !== undefined) probes.mail = async () => ((await mailer.check()) === undefined ? null : unavailable);
  if (coins !== undefined) probes.coins = probeProvider(coins, '1');
  if (cards !== undefined) probes.cards = probeProvider(cards, '00000000-0000-4000-8000-000000000000');
  if (model !== undefined)
    probes.ai = async (signal) => ((await model.check(signal)) === undefined ? null : unavailable);
  if (telegram !== undefined) probes.telegram = async () => ((await telegram.check()).ok ? null : unavailable);
  if (news.feeds.length > 0)
    probes.feeds = async () => {
      const names = news.feeds.map(({ name }) => name);
      const state = await readFeedsState(db, market, names);
      return state === undefined ? undefined : state === 'ok' ? null : unavailable;
    };
  return probes;
}
