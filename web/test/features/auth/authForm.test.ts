import { describe, expect, it } from 'vitest';
import { cleanFields, isClean, validateAuth } from '../../../src/features/auth/authForm.ts';

const good = { email: 'ada@example.com', password: 'secret' };

describe('sign-up', () => {
  it('takes an email and six characters', () => expect(isClean(validateAuth('signup', good))).toBe(true));

  it('requires at least six characters', () =>
    expect(validateAuth('signup', { ...good, password: '12345' })).toEqual({
      password: 'Password must be at least 6 characters',
    }));
});

describe('sign-in', () => {
  it('applies no length rule: an old account must still get in', () =>
    expect(isClean(validateAuth('signin', { ...good, password: 'x' }))).toBe(true));
});

describe('both', () => {
  it.each(['signin', 'signup'] as const)('%s wants both fields', (mode) =>
    expect(validateAuth(mode, { email: '  ', password: '' })).toEqual({
      email: 'Email cannot be empty',
      password: 'Password cannot be empty',
    }),
  );

  it.each(['ada', 'ada@', '@example.com', 'ada@example', 'a da@example.com', 'ada@exa mple.com'])(
    'reject %s',
    (email) =>
      expect(validateAuth('signin', { ...good, email })).toEqual({ email: 'Please enter a valid email address' }),
  );

  it('trim the email and keep the password as it was typed', () =>
    expect(cleanFields({ email: ' ada@example.com ', password: ' secret ' })).toEqual({
      email: 'ada@example.com',
      password: ' secret ',
    }));
});
