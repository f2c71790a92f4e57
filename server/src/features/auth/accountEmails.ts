import type { Message } from '../mail/letter.ts';

const notYou = 'Not you? Ignore this email; nothing has changed.';
const notYouNow =
  'Not you? Set a new password now with “Forgot password?” on the sign-in page; this ends all sessions.';

/** The token follows #, which browsers never send, so that no server or log sees it. */
const linkTo = (baseUrl: string, page: string, token: string): string => `${baseUrl}${page}#${token}`;

export const resetEmail = (baseUrl: string, to: string, token: string): Message => ({
  to,
  subject: 'Set a new password for Sextant',
  paragraphs: ['Use the link to set a new password. It works once, for one hour.', notYou],
  link: { label: 'Set a new password', url: linkTo(baseUrl, '/reset-password', token) },
});

export const confirmationEmail = (baseUrl: string, to: string, token: string): Message => ({
  to,
  subject: 'Confirm your email for Sextant',
  paragraphs: [
    'Confirm this address to open your Sextant account. Have your password ready; the link works for 24 hours.',
    'Did not sign up? Ignore this email; the account stays closed.',
  ],
  link: { label: 'Confirm this email', url: linkTo(baseUrl, '/confirm-email', token) },
});

export const alreadySignedUpEmail = (baseUrl: string, to: string): Message => ({
  to,
  subject: 'You have a Sextant account already',
  paragraphs: [
    'Someone signed up with this address, which already has an account. Nothing has changed.',
    'If it was you, sign in or use “Forgot password?”.',
  ],
  link: { label: 'Sign in', url: `${baseUrl}/login` },
});

export const emailChangeMessage = (baseUrl: string, to: string, token: string): Message => ({
  to,
  subject: 'Confirm your new email for Sextant',
  paragraphs: [
    'Confirm that this is the new address of your Sextant account. The link works once, for one hour.',
    notYou,
  ],
  link: { label: 'Use this email', url: linkTo(baseUrl, '/confirm-new-email', token) },
});

export const addressInUseEmail = (to: string): Message => ({
  to,
  subject: 'This email has a Sextant account already',
  paragraphs: ['Another account requested this address, which already has an account. Nothing has changed.'],
});

const notices = {
  passwordReset: [
    'Your Sextant password was changed',
    'A new password was set through an email link. All sessions were ended.',
  ],
  passwordChanged: [
    'Your Sextant password was changed',
    'The password was changed in the settings. All other sessions were ended.',
  ],
  emailRequested: [
    'Email change requested',
    'A new address for your Sextant account was requested. It takes effect once confirmed.',
  ],
  emailChanged: [
    'Your Sextant email was changed',
    'Your Sextant account has a new address. All other sessions were ended. We no longer send email here.',
  ],
  twoFactorOn: ['Two-factor sign-in is on', 'Sign-in now needs a code from your authenticator.'],
  twoFactorOff: ['Two-factor sign-in is off', 'Sign-in now needs only your password.'],
  codesRenewed: ['New recovery codes', 'Your Sextant account has new recovery codes. The old ones no longer work.'],
  recoveryUsed: [
    'A recovery code was used',
    'A recovery code was used to sign in to your Sextant account. Each code works once.',
  ],
} as const satisfies Record<string, readonly [string, string]>;

export type Notice = keyof typeof notices;

/** Sent with a password change: keys stay valid unless they were revoked. */
export const keysText = (areRevoked: boolean): string =>
  areRevoked ? ' Your API keys were revoked.' : ' Your API keys still work. Not you? Revoke them in the API Manager.';

/** Notifies the owner of a change. Contains no link that could be phished. */
export const noticeEmail = (to: string, notice: Notice, more = ''): Message => {
  const [subject, text] = notices[notice];
  // The old address can no longer reset the password.
  const advice = notice === 'emailChanged' ? 'Not you? Contact the operator of this installation.' : notYouNow;
  return { to, subject, paragraphs: [`${text}${more}`, advice] };
};
