import type { Passwords } from '../../../../src/features/auth/passwordHash.ts';

export interface CountedPasswords extends Passwords {
  /** Every call since `forget`, with the cost parameter of the compared hash. */
  calls: () => string[];
  forget: () => void;
}

/** Counts the calls of `passwords`: the hashing work of a request, without a clock. */
export function countPasswords(passwords: Passwords): CountedPasswords {
  const calls: string[] = [];
  return {
    hash: (password) => {
      calls.push('hash');
      return passwords.hash(password);
    },
    verify: (hash, password) => {
      calls.push(`verify ${hash.split('$').slice(1, 4).join(' ')}`);
      return passwords.verify(hash, password);
    },
    calls: () => [...calls],
    forget: () => void calls.splice(0),
  };
}
