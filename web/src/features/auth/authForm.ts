import { PASSWORD_LENGTH_MIN } from '@sextant/workers/src/core/limits.ts';
export type AuthMode = 'signin' | 'signup';

export interface AuthFields {
  email: string;
  password: string;
}

export type AuthErrors = Partial<Record<keyof AuthFields, string>>;

/** One @ with text before it and a dotted name after it: the server's stricter rule decides. */
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const authTexts = {
  signin: {
    heading: 'Welcome Back',
    submit: 'Sign In',
    other: 'New to Sextant?',
    otherAction: 'Create an account',
    passwordHint: undefined,
  },
  signup: {
    heading: 'Join the Future',
    submit: 'Sign Up',
    other: 'Already have an account?',
    otherAction: 'Sign in instead',
    passwordHint: `At least ${PASSWORD_LENGTH_MIN} characters`,
  },
} as const;

/** Request body: the email without surrounding blanks, the password exactly as typed. */
export function cleanFields(fields: AuthFields): AuthFields {
  return { email: fields.email.trim(), password: fields.password };
}

/** Empty when the form may be sent. A sign-in applies no length rule: an old account must still get in. */
export function validateAuth(mode: AuthMode, fields: AuthFields): AuthErrors {
  const { email, password } = cleanFields(fields);
  const errors: AuthErrors = {};
  if (email === '') errors.email = 'Email cannot be empty';
  else if (!emailShape.test(email)) errors.email = 'Please enter a valid email address';
  if (password === '') errors.password = 'Password cannot be empty';
  else if (mode === 'signup' && password.length < PASSWORD_LENGTH_MIN)
    errors.password = `Password must be at least ${PASSWORD_LENGTH_MIN} characters`;
  return errors;
}

export const isClean = (errors: AuthErrors): boolean => Object.keys(errors).length === 0;
