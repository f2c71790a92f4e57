import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { foreignCaller } from '../exchanges/control.ts';
import { type ParsedMail, parseMail } from './parseMail.ts';

export interface KeptMail extends ParsedMail {
  id: number;
  receivedAtMs: number;
}

/** `later`: 451, try again. `never`: 550, no such mailbox. `silent`: takes the mail and never answers. */
export type MailFault = 'later' | 'never' | 'silent';

export interface FakeMail {
  /** `smtp://127.0.0.1:port` */
  smtpUrl: string;
  /** Where the mails can be read: `GET /__control/mails`. */
  mailboxUrl: string;
  mails: () => KeptMail[];
  /** Fault for the next mails; undefined accepts them. */
  setFault: (fault: MailFault | undefined) => void;
  close: () => Promise<void>;
}

const keptMax = 200;
const bytesMax = 256 * 1024;

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const refusal = (status: number, text: string): Error => Object.assign(new Error(text), { responseCode: status });

/** A mail server on loopback that keeps what it is given in memory instead of sending it on. */
export async function startMail(ports: { smtp?: number; mailbox?: number } = {}): Promise<FakeMail> {
  const kept: KeptMail[] = [];
  let lastId = 0;
  let fault: MailFault | undefined;
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: bytesMax,
    logger: false,
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (fault === 'silent') return;
        if (fault !== undefined) {
          done(fault === 'later' ? refusal(451, 'try again later') : refusal(550, 'no such mailbox'));
          return;
        }
        kept.push({ ...parseMail(Buffer.concat(chunks).toString('utf8')), id: ++lastId, receivedAtMs: Date.now() });
        if (kept.length > keptMax) kept.shift();
        done();
      });
    },
  });
  smtp.on('error', () => undefined);
  const mailbox = createServer((request: IncomingMessage, response: ServerResponse) => {
    const foreign = foreignCaller(request);
    const isRead = request.method === 'GET' && request.url === '/__control/mails';
    const status = foreign === undefined ? (isRead ? 200 : 404) : 403;
    const body = status === 200 ? { mails: kept.toReversed() } : { error: foreign ?? 'there is nothing here' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const smtpPort = await listen(smtp.server, ports.smtp ?? 0);
  const mailboxPort = await listen(mailbox, ports.mailbox ?? 0);
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    mailboxUrl: `http://127.0.0.1:${mailboxPort}`,
    mails: () => [...kept],
    setFault: (next) => (fault = next),
    close: async () => {
      mailbox.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(resolve)),
        new Promise((resolve) => mailbox.close(resolve)),
      ]);
    },
  };
}
