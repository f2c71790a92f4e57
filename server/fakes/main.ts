import { startExchanges } from './exchanges/server.ts';
import { startMail } from './mail/server.ts';

/**
 * Starts the stand-ins of the outside services on loopback. As a child with IPC it reports its URLs as
 * `{ type: 'listening', exchanges, smtp, mailbox }` and ends with its parent; alone it prints them and ends on Ctrl-C.
 * Reads MARKET_REPLAY (folder of recorded candles), MARKET_REPLAY_QUOTE_VOLUME (symbols whose recorded volume is in USDT, comma
 * separated), EXCHANGES_SEED, EXCHANGES_PORT, SMTP_PORT and MAILBOX_PORT.
 */
const env = process.env;
const text = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
const replayDir = text('MARKET_REPLAY');

try {
  const exchanges = await startExchanges({
    port: Number(text('EXCHANGES_PORT') ?? 0),
    quoteVolumeSymbols: (text('MARKET_REPLAY_QUOTE_VOLUME') ?? '').split(',').filter((symbol) => symbol !== ''),
    ...(text('EXCHANGES_SEED') === undefined ? {} : { seed: Number(env['EXCHANGES_SEED']) }),
    ...(replayDir === undefined ? {} : { replayDir }),
  });
  const mail = await startMail({ smtp: Number(text('SMTP_PORT') ?? 0), mailbox: Number(text('MAILBOX_PORT') ?? 0) });
  const stop = (): void => {
    void Promise.all([exchanges.close(), mail.close()]).then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (process.send === undefined)
    process.stdout.write(`exchanges ${exchanges.url}\nsmtp ${mail.smtpUrl}\nmailbox ${mail.mailboxUrl}\n`);
  else {
    process.once('disconnect', stop);
    process.send({ type: 'listening', exchanges: exchanges.url, smtp: mail.smtpUrl, mailbox: mail.mailboxUrl });
  }
  await exchanges.warmUp();
} catch (error) {
  process.stderr.write(`fakes: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
