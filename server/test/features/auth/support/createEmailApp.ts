import type { LightMyRequestResponse } from 'fastify';
import { type FakeMail, type StoredMail, startMail } from '../../../../fakes/mail/server.ts';
import { createTestApp, ownOrigin, type TestApp, type TestAppOptions } from '../../../support/createTestApp.ts';

export interface EmailApp extends TestApp {
  mail: FakeMail;
  /** Sends due emails and returns all that arrived for this address, oldest first. */
  mailsTo: (address: string) => Promise<StoredMail[]>;
  /** The token in the link of the newest email to this address. */
  tokenTo: (address: string) => Promise<string>;
  post: (
    url: string,
    payload?: Record<string, unknown>,
    headers?: Record<string, string>,
  ) => Promise<LightMyRequestResponse>;
}

/** The app with an SMTP server that stores what it receives. */
export async function createEmailApp({ env, ...options }: TestAppOptions = {}): Promise<EmailApp> {
  const email = await startMail();
  const test = await createTestApp({ ...options, env: { SMTP_URL: email.smtpUrl, ...env } });
  const emailsTo = async (address: string) => {
    await test.deps.outbox.sendDue();
    return email.mails().filter(({ to }) => to === address);
  };
  return {
    ...test,
    mail: email,
    mailsTo: emailsTo,
    tokenTo: async (address) => {
      const text = (await emailsTo(address)).at(-1)?.text ?? '';
      const token = /#([\w-]{43})/.exec(text)?.[1];
      if (token === undefined) throw new Error(`no link in the newest email to ${address}: ${text}`);
      return token;
    },
    post: (url, payload, headers = { origin: ownOrigin }) =>
      test.app.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) }),
    close: async () => {
      await test.close();
      await email.close();
    },
  };
}
