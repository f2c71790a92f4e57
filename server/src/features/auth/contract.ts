import { z } from 'zod';

/** Trimmed, NFKC-normalised and lower-cased before it is validated, so that what is checked is what is stored. */
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

/** Kept exactly as it was typed. The upper bound limits the work of hashing. */
const Password = z
  .string('Password cannot be empty')
  .min(1, 'Password cannot be empty')
  .max(256, 'Password must be at most 256 characters');
export const NewPassword = Password.min(6, 'Password must be at least 6 characters');

export const SignUpRequest = z.strictObject({ email: Email, password: NewPassword });
export const SignInRequest = z.strictObject({ email: Email, password: Password });
export const UpdateUserRequest = z.strictObject({
  current_password: Password.meta({ description: 'Asked again, so that an open screen is not enough.' }),
  password: NewPassword,
});

export const User = z.object({ id: z.uuid(), email: z.string(), created_at: z.iso.datetime() });

/** A session just made. The cookie of the answer carries the same session for browsers. */
export const SessionAnswer = z.object({
  user: User,
  token: z.string().meta({ description: 'For API clients: `Authorization: Bearer <token>`. Shown once.' }),
  expires_at: z.iso.datetime(),
});

export const CurrentSessionAnswer = z
  .object({ user: User.nullable(), expires_at: z.iso.datetime().nullable() })
  .meta({ description: 'Both null when nobody is signed in.' });

export const SignedOutAnswer = z.object({ signed_out: z.literal(true) });
