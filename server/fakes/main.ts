import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { startExchanges } from './exchanges/server.ts';
import { startFeeds } from './feeds/server.ts';
import { startPayments } from './payments/server.ts';
import { startMail } from './mail/server.ts';
import { startTelegram } from './telegram/server.ts';
import { startWebhookReceiver } from './webhook/server.ts';

/**
 * Starts the stand-ins of the outside services on loopback. As a child with IPC it reports its URLs as
 * `{ type: 'listening', exchanges, smtp, mailbox, telegram, webhooks, payments, news, feeds }` and ends with its parent; alone it prints them and ends on Ctrl-C.
 * Reads MARKET_REPLAY (folder of recorded candles), MARKET_REPLAY_QUOTE_VOLUME (symbols whose recorded volume is in USDT, comma
 * separated), EXCHANGES_SEED, EXCHANGES_START, EXCHANGES_WEIGHT, EXCHANGES_PORT, SMTP_PORT, MAILBOX_PORT, TELEGRAM_PORT, WEBHOOKS_PORT, PAYMENTS_PORT,
 * FEEDS_PORT and PAYMENTS_NOTIFY_URL (where webhooks of the card provider go).
 */
const env = process.env;
const text = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
const replayDir = text('MARKET_REPLAY');

try {
  const exchanges = await startExchanges({
    port: Number(text('EXCHANGES_PORT') ?? 0),
    quoteVolumeSymbols: (text('MARKET_REPLAY_QUOTE_VOLUME') ?? '').split(',').filter((symbol) => symbol !== ''),
    replayAtMs: Number(text('EXCHANGES_STARTED_AT') ?? Date.now()),
    ...withoutUndefined({ replayDir }),
  });
  const email = await startMail({ smtp: Number(text('SMTP_PORT') ?? 0), mailbox: Number(text('MAILBOX_PORT') ?? 0) });
  const telegram = await startTelegram(Number(text('TELEGRAM_PORT') ?? 0));
  const webhooks = await startWebhookReceiver(Number(text('WEBHOOKS_PORT') ?? 0));
  const cardNotifyUrl = text('PAYMENTS_NOTIFY_URL');
  const payments = await startPayments({
    port: Number(text('PAYMENTS_PORT') ?? 0),
    // Slow enough to be seen.
    stepMs: 700,
    ...withoutUndefined({ cardNotifyUrl }),
  });
  const { market, listings } = exchanges;
  const news = await startFeeds({
    port: Number(text('FEEDS_PORT') ?? 0),
    market: { market, listings: listings.binance, now: Date.now },
  });
  const urls = {
    exchanges: exchanges.url,
    smtp: email.smtpUrl,
    mailbox: email.mailboxUrl,
    telegram: telegram.url,
    webhooks: webhooks.origin,
    payments: payments.url,
    news: news.origin,
  };
  const stop = (): void => {
    const closed = [exchanges, email, telegram, webhooks, payments, news].map((fake) => fake.close());
    void Promise.all(closed).then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (process.send === undefined)
    process.stdout.write(
      Object.entries(urls)
        .map(([name, url]) => `${name} ${url}\n`)
        .join(''),
    );
  else {
    process.once('disconnect', stop);
    process.send({ type: 'listening', ...urls, feeds: news.feeds, replayWorld: exchanges.replayWorld });
  }
  await exchanges.warmUp();
} catch (error) {
  process.stderr.write(`fakes: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
