import { dictionary } from '@zxcvbn-ts/language-common';

/** About 49,000 of the passwords that are guessed first, in lower case (public leaks, by way of zxcvbn). */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common']);

export const commonPasswordCount = common.size;
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase());
