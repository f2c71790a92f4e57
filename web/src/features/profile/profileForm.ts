import type { Profile } from '../../api/types.ts';

export const NAME_MAX = 50;
export const BIO_MAX = 1000;
export const IMAGE_BYTES_MAX = 2 * 1024 * 1024;

export interface ProfileText {
  display_name: string;
  bio: string;
}

export type ProfileErrors = Partial<Record<keyof ProfileText, string>>;

export const textOf = ({ display_name, bio }: Profile): ProfileText => ({ display_name, bio: bio ?? '' });

/** Characters as people count them: one that takes two units is one. */
export const lengthOf = (text: string): number => Array.from(text.trim()).length;

export function validateText({ display_name: name, bio }: ProfileText): ProfileErrors {
  const errors: ProfileErrors = {};
  if (name.trim() === '') errors.display_name = "Name can't be blank";
  else if (lengthOf(name) > NAME_MAX) errors.display_name = `At most ${NAME_MAX} characters`;
  if (lengthOf(bio) > BIO_MAX) errors.bio = `At most ${BIO_MAX} characters`;
  return errors;
}

/** What is wrong with a chosen file, as far as can be said before it is sent. */
export function fileError({ size, type }: { size: number; type: string }): string | undefined {
  if (size === 0) return 'The file is empty.';
  if (size > IMAGE_BYTES_MAX) return 'The image is larger than 2 MB.';
  if (!['image/png', 'image/jpeg', 'image/webp'].includes(type)) return 'Choose a PNG, JPEG or WebP image.';
  return undefined;
}
