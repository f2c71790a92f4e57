import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { foreignCaller } from '../exchanges/control.ts';

export interface StoredMail extends ParsedMail {
  id: number;
  receivedAtMs: number;
}

/** `later`: 451, try again. `never`: 550, no such mailbox. `silent`: takes the email and never responds. */
export type MailFault = 'later' | 'never' | 'silent';

export interface FakeMail {
  /** `smtp://127.0.0.1:port` */
  smtpUrl: string;
  /** Where the emails can be read: `GET /__control/mails`. */
  mailboxUrl: string;
  mails: () => StoredMail[];
  /** Fault for the next emails; undefined accepts them. */
  setFault: (fault: MailFault | undefined) => void;
  close: () => Promise<void>;
}

const cachedMax = 200;
const bytesMax = 256 * 1024;

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

const rejection = (status: number, text: string): Error => Object.assign(new Error(text), { responseCode: status });

/** An SMTP server on loopback that stores emails in memory instead of sending them. */
export async function startMail(ports: { smtp?: number; mailbox?: number } = {}): Promise<FakeMail> {
  const retained: StoredMail[] = [];
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
          done(fault === 'later' ? rejection(451, 'try again later') : rejection(550, 'no such mailbox'));
          return;
        }
        retained.push({ ...parseMail(Buffer.concat(chunks).toString('utf8')), id: ++lastId, receivedAtMs: Date.now() });
        if (retained.length > cachedMax) retained.shift();
        done();
      });
    },
  });
  smtp.on('error', () => undefined);
  const mailbox = createServer((request: IncomingMessage, response: ServerResponse) => {
    const foreign = foreignCaller(request);
    const isRead = request.method === 'GET' && request.url === '/__control/mails';
    const status = foreign === undefined ? (isRead ? 200 : 404) : 403;
    const body = status === 200 ? { mails: retained.toReversed() } : { error: foreign ?? 'there is nothing here' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const smtpPort = await listen(smtp.server, ports.smtp ?? 0);
  const mailboxPort = await listen(mailbox, ports.mailbox ?? 0);
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    mailboxUrl: `http://127.0.0.1:${mailboxPort}`,
    mails: () => [...retained],
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

interface ParsedMail {
  from: string;
  to: string;
  subject: string;
  messageId: string;
  text: string;
  html: string;
}

interface Part {
  headers: Map<string, string>;
  body: string;
}

/** Header lines unfolded, names in lower case, and what follows the empty line. */
function split(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n');
  const head = (end < 0 ? raw : raw.slice(0, end)).replace(/\r\n[ \t]+/g, ' ');
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: end < 0 ? '' : raw.slice(end + 4) };
}

/** RFC 2045, 6.7: soft line breaks go, `=C3=A9` becomes bytes. */
function quotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function decode({ headers, body }: Part): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  if (encoding === 'quoted-printable') return quotedPrintable(body);
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return body;
}

/** RFC 2047 words, decoded as an email client shows them. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, data: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(data, 'base64').toString('utf8')
        : quotedPrintable(data.replaceAll('_', ' ')),
    );

/** Reads what our own mailer writes: text, or text and HTML as alternatives. */
function parseMail(raw: string): ParsedMail {
  const whole = split(raw);
  const type = whole.headers.get('content-type') ?? 'text/plain';
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  const parts =
    boundary === undefined
      ? [whole]
      : whole.body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => split(part.replace(/^\r\n/, '')));
  const partOf = (wanted: string): string => {
    const match = parts.find(({ headers }) => (headers.get('content-type') ?? 'text/plain').startsWith(wanted));
    return match === undefined ? '' : decode(match).replaceAll('\r\n', '\n').trim();
  };
  const header = (name: string): string => decodeWords(whole.headers.get(name) ?? '');
  return {
    from: header('from'),
    to: header('to'),
    subject: header('subject'),
    messageId: header('message-id'),
    text: partOf('text/plain'),
    html: partOf('text/html'),
  };
}
