import { describe, expect, it } from 'vitest';
import {
  ConfirmEmailRequest,
  CodeRequest,
  SignInRequest,
  UpdateUserRequest,
} from '../../src/features/auth/contract.ts';
import { Text } from '../../src/platform/contract.ts';

describe('free text of a request', () => {
  it.each(['', 'BTCUSDT', 'Grüße', '😀', 'two\nlines'])('%j is accepted unchanged', (text) => {
    expect(Text.parse(text)).toBe(text);
  });

  it.each(['\0', 'a\0b', '\ud800', 'a\udc00', '\ud83d \ude00'])(
    '%j is rejected: it cannot be stored unchanged',
    (text) => {
      const { error } = Text.min(1).max(64).safeParse(text);
      expect(error?.issues[0]?.message).toBe('must be text without NUL or unpaired surrogates');
    },
  );
});

describe('secrets of a request are free text too', () => {
  const email = 'anna@example.com';
  const requests = {
    'a password': (text: string) => SignInRequest.safeParse({ email, password: text }),
    'a new password': (text: string) =>
      UpdateUserRequest.safeParse({ current_password: 'secret-1', password: `${text}-long-enough` }),
    'the token of a link': (text: string) => ConfirmEmailRequest.safeParse({ token: text }),
    'a code': (text: string) => CodeRequest.safeParse({ code: text }),
  };

  it.each(Object.entries(requests))('%s without NUL or half a character, and of bounded length', (_name, parse) => {
    expect(parse('Grüße 😀').success).toBe(true);
    for (const text of ['a\0b', '\ud800']) {
      expect(parse(text).error?.issues[0]?.message).toBe('must be text without NUL or unpaired surrogates');
    }
    expect(parse('a'.repeat(300)).success).toBe(false);
  });
});
