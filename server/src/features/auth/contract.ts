import { PASSWORD_LENGTH_MIN } from '@sextant/workers/src/core/limits.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { Text, textOr } from '../../platform/contract.ts';

/** Trimmed, NFKC-normalised and lower-cased before validation, so that the validated text is the stored one. */
const normalise = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim().normalize('NFKC').toLowerCase() : value;

export const Email = z.preprocess(
  normalise,
  z
    .string('Email cannot be empty')
    .min(1, 'Email cannot be empty')
    .max(254, 'Please enter a valid email address')
    .pipe(z.email('Please enter a valid email address')),
);

/** Display name of a new account. Never derived from the email address, which a public profile would reveal. */
export const newDisplayName = 'Trader';

/** Preserved exactly as typed. The upper bound limits the work of hashing. */
const Password = textOr('Password cannot be empty')
  .min(1, 'Password cannot be empty')
  .max(256, 'Password must be at most 256 characters');
export const NewPassword = Password.min(
  PASSWORD_LENGTH_MIN,
  `Password must be at least ${PASSWORD_LENGTH_MIN} characters`,
);

export const SignUpRequest = z.strictObject({ email: Email, password: NewPassword });
export const SignInRequest = z.strictObject({ email: Email, password: Password });
/** The token after # in an email link. */
const LinkToken = Text.min(1, 'Link must be the full address from the email').max(200);
const Code = textOr('Code cannot be empty')
  .trim()
  .min(1, 'Code cannot be empty')
  .max(40, 'Code must be at most 40 characters')
  .meta({ description: 'Six-digit authenticator code, or a recovery code.' });

export const ConfirmSignUpRequest = z.strictObject({ token: LinkToken, password: Password });
export const FinishSignInRequest = z.strictObject({ challenge: Text.min(1).max(200), code: Code });
export const ResetRequest = z.strictObject({ email: Email });
export const ResetPasswordRequest = z.strictObject({
  token: LinkToken,
  password: NewPassword,
  revoke_api_keys: z.boolean().default(true).meta({ description: 'Also revokes all API keys.' }),
});
export const EmailChangeRequest = z.strictObject({ email: Email });
export const ConfirmEmailRequest = z.strictObject({ token: LinkToken });
export const StepUpRequest = z.union([z.strictObject({ password: Password }), z.strictObject({ code: Code })]);
export const CodeRequest = z.strictObject({ code: Code });
export const SessionParams = z.strictObject({ id: z.uuid('must be the id of a session') });

export const UpdateUserRequest = z.strictObject({
  current_password: Password.meta({ description: 'Your current password, to confirm.' }),
  password: NewPassword,
  revoke_api_keys: z.boolean().default(false).meta({ description: 'Also revokes all API keys.' }),
});

export const User = z.object({ id: z.uuid(), email: z.string(), created_at: z.iso.datetime() });

/** A new session. The cookie of the response carries the same session for browsers. */
export const SessionResponse = z.object({
  user: User,
  token: z.string().meta({ description: 'For API clients: `Authorization: Bearer <token>`. Shown once.' }),
  expires_at: z.iso.datetime(),
});

/** The password is correct; a code is also required. */
export const ChallengeResponse = z.object({
  challenge: z
    .string()
    .meta({ description: 'Send it with a code to `POST /api/auth/second-factor` within 10 minutes.' }),
});
export const SignInResponse = z.union([SessionResponse, ChallengeResponse]);

/** The same whether or not the address has an account. */
export const ConfirmationSentResponse = z.object({ user: z.null(), confirmation_sent: z.literal(true) });
export const SignUpResponse = z.union([SessionResponse, ConfirmationSentResponse]);

export const MailRequestedResponse = z
  .object({ requested: z.literal(true) })
  .meta({ description: 'The same with and without an account.' });
export const DoneResponse = z.object({ done: z.literal(true) });
export const EmailResponse = z.object({ email: z.string() });

export const SecurityResponse = z.object({
  has_password: z.boolean().meta({ description: 'False for a demo account.' }),
  two_factor: z.boolean(),
  recovery_codes_left: z.int(),
  pending_email: z.string().nullable().meta({ description: 'Requested, not confirmed yet.' }),
});
export const TwoFactorSetupResponse = z.object({
  secret: z.string().meta({ description: 'base32, for typing by hand.' }),
  url: z.string().meta({ description: 'otpauth: URL for the QR code.' }),
});
export const RecoveryCodesResponse = z.object({
  recovery_codes: z.array(z.string()).meta({ description: 'Each works once. Shown only here.' }),
});
export const SessionsResponse = z.object({
  sessions: z.array(
    z.object({
      id: z.uuid(),
      user_agent: z.string().nullable(),
      ip: z.string().nullable(),
      created_at: z.iso.datetime(),
      last_seen_at: z.iso.datetime().meta({ description: 'To the minute.' }),
      is_current: z.boolean(),
    }),
  ),
});

/** Lower-cased before it is validated, so that `Ada` becomes `ada` instead of an error. */
export const Username = z.preprocess(
  normalise,
  z
    .string('Username cannot be empty')
    .min(1, 'Username cannot be empty')
    .regex(/^[a-z0-9_]{3,20}$/, 'Username must be 3 to 20 letters, digits or underscores'),
);
export const UsernameRequest = z.strictObject({ username: Username });
export const UsernameResponse = z.object({ username: z.string().nullable() });

export const CurrentSessionResponse = z
  .object({
    user: User.nullable(),
    expires_at: InstantOrNull,
    last_event_id: z.string().nullable().meta({
      description: 'Event id to start GET /api/events from without a gap; null while events are unavailable.',
    }),
  })
  .meta({ description: 'All null without a session.' });

export const SignedOutResponse = z.object({ signed_out: z.literal(true) });
