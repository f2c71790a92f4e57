import type { Message } from '../mail/letter.ts';

const notYou = 'If this was not you, nothing has changed: you can ignore this mail.';
const notYouNow =
  'If this was not you, set a new password at once with “Forgot password?” on the sign-in page: this ends all sessions.';

/** The token follows #, which browsers never send, so that no server or log sees it. */
const linkTo = (baseUrl: string, page: string, token: string): string => `${baseUrl}${page}#${token}`;

export const resetMail = (baseUrl: string, to: string, token: string): Message => ({
  to,
  subject: 'Set a new password for Sextant',
  paragraphs: ['A new password was requested for your Sextant account. The link works once, for one hour.', notYou],
  link: { label: 'Set a new password', url: linkTo(baseUrl, '/reset-password', token) },
});

export const confirmMail = (baseUrl: string, to: string, token: string): Message => ({
  to,
  subject: 'Confirm your email for Sextant',
  paragraphs: [
    'Confirm this address to open your Sextant account. The link works for 24 hours and asks for the password you chose.',
    'If you did not sign up, ignore this mail: without the link the account stays closed.',
  ],
  link: { label: 'Confirm this email', url: linkTo(baseUrl, '/confirm-email', token) },
});

export const alreadySignedUpMail = (baseUrl: string, to: string): Message => ({
  to,
  subject: 'You have a Sextant account already',
  paragraphs: [
    'A sign-up for Sextant used this address, which already has an account. Nothing was changed.',
    'If it was you, sign in, or use “Forgot password?” there.',
  ],
  link: { label: 'Sign in', url: `${baseUrl}/login` },
});

export const changeEmailMail = (baseUrl: string, to: string, token: string): Message => ({
  to,
  subject: 'Confirm your new email for Sextant',
  paragraphs: [
    'Confirm that this is the new address of your Sextant account. The link works once, for one hour.',
    notYou,
  ],
  link: { label: 'Use this email', url: linkTo(baseUrl, '/confirm-new-email', token) },
});

export const addressInUseMail = (to: string): Message => ({
  to,
  subject: 'This email has a Sextant account already',
  paragraphs: [
    'Another Sextant account asked to use this address. It already belongs to an account, so nothing was changed.',
  ],
});

const notices = {
  passwordReset: [
    'Your Sextant password was changed',
    'A new password was set through a link in a mail, and every session was ended.',
  ],
  passwordChanged: [
    'Your Sextant password was changed',
    'The password was changed in the settings, and every other session was ended.',
  ],
  emailRequested: [
    'A new email was asked for',
    'A change of the address of your Sextant account was requested. It changes when the new address is confirmed.',
  ],
  emailChanged: [
    'Your Sextant email was changed',
    'Your Sextant account has a new address now, and every other session was ended. Mails no longer come here.',
  ],
  twoFactorOn: [
    'Two-factor sign-in is on',
    'Signing in to your Sextant account now asks for a code of your authenticator.',
  ],
  twoFactorOff: [
    'Two-factor sign-in is off',
    'Signing in to your Sextant account asks for the password alone from now on.',
  ],
  codesRenewed: [
    'New recovery codes',
    'New recovery codes were made for your Sextant account. The old ones no longer work.',
  ],
  recoveryUsed: [
    'A recovery code was used',
    'A recovery code was used to sign in to your Sextant account. It does not work again.',
  ],
} as const satisfies Record<string, readonly [string, string]>;

export type Notice = keyof typeof notices;

/** Sent with a password change: keys stay valid unless they were revoked. */
export const keysText = (areRevoked: boolean): string =>
  areRevoked
    ? ' Your API keys were revoked.'
    : ' Your API keys still work; revoke them in the API manager if you did not make this change.';

/** Notifies the owner of a change. Contains no link that could be phished. */
export const noticeMail = (to: string, notice: Notice, more = ''): Message => {
  const [subject, text] = notices[notice];
  // The old address can no longer reset the password.
  const advice =
    notice === 'emailChanged' ? 'If this was not you, write to the operator of this installation.' : notYouNow;
  return { to, subject, paragraphs: [`${text}${more}`, advice] };
};
