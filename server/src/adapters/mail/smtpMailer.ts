import type { Transporter } from 'nodemailer';
import type { Mailer, MailFailure } from '../../features/mail/port.ts';
import { observe } from '../../platform/observe.ts';
import { once } from '../../platform/once.ts';

export interface SmtpOptions {
  /** `smtp://user:password@host:587` (STARTTLS is required) or `smtps://...:465`; without TLS on loopback only. */
  url: string;
  /** `Sextant <no-reply@sextant.example>` */
  from: string;
}

/** For a whole attempt. nodemailer's timers only measure silence, so a server that drips bytes would never time out. */
const deadlineMs = 20_000;
const silenceMs = 8000;
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

function describe(error: unknown): MailFailure {
  const message = error instanceof Error ? error.message.slice(0, 300) : String(error);
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  if (status >= 400) {
    // 535 and similar codes concern our own login: after a fix the email can still be sent.
    const isAboutUs = error instanceof Error && 'code' in error && error.code === 'EAUTH';
    return { kind: 'refused', isFinal: status >= 500 && !isAboutUs, message };
  }
  const isTimeout = error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT';
  return { kind: isTimeout ? 'deadline' : 'unreachable', isFinal: false, message };
}

/** Sends through one SMTP server, one connection per email. @throws at start, not at the first email, when the URL is unusable */
export function createSmtpMailer({ url, from }: SmtpOptions): Mailer {
  const { hostname, port, protocol, username, password } = new URL(url);
  const isTls = protocol === 'smtps:';
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port === '' ? (isTls ? 465 : 587) : port),
    secure: isTls,
    requireTLS: !isTls && !loopbackNames.has(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    // Emails are our own text: nodemailer must not read files or URLs for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  let transport: Transporter | undefined;
  const open = once(async () => {
    const { createTransport } = await import('nodemailer');
    return (transport = createTransport(options));
  });
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'sextant.local';
  function within(work: (opened: Transporter) => Promise<unknown>): Promise<MailFailure | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<MailFailure>((resolve) => {
      const failure = { kind: 'deadline', isFinal: false, message: `no response within ${deadlineMs} ms` } as const;
      timer = setTimeout(() => resolve(failure), deadlineMs);
    });
    const done = open()
      .then(work)
      .then(() => undefined, describe);
    const isFailure = (failure: MailFailure | undefined): boolean => failure !== undefined;
    return observe({ kind: 'outside', name: 'email', isFailure }, () => Promise.race([done, tooLate])).finally(() =>
      clearTimeout(timer),
    );
  }

  return {
    send: async (letter, id) => {
      const mail = { from, ...letter, messageId: `<${id}@${domain}>`, headers: { 'Auto-Submitted': 'auto-generated' } };
      return within((opened) => opened.sendMail(mail));
    },
    check: () => within((opened) => opened.verify()),
    close: () => transport?.close(),
  };
}
