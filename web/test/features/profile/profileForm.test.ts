import { describe, expect, it } from 'vitest';
import { fileError, lengthOf, validateText } from '../../../src/features/profile/ProfileSettings.tsx';

describe('the profile form', () => {
  it('wants a name of at most 50 characters (PROF-003)', () => {
    expect(validateText({ display_name: '  ', bio: '' })).toEqual({ display_name: "Name can't be blank" });
    expect(validateText({ display_name: 'x'.repeat(51), bio: '' })).toEqual({ display_name: 'At most 50 characters' });
    expect(validateText({ display_name: 'x'.repeat(50), bio: 'anything' })).toEqual({});
    expect(lengthOf('🧭🧭')).toBe(2);
  });

  it('says what is wrong with a file before it is sent (CONST-017)', () => {
    const file = (size: number, type = 'image/png') => fileError({ size, type });
    expect(file(2 * 1024 * 1024)).toBeUndefined();
    expect(file(2 * 1024 * 1024 + 1)).toBe('The image is larger than 2 MB.');
    expect(file(0)).toBe('The file is empty.');
    expect(file(10, 'image/svg+xml')).toBe('Choose a PNG, JPEG or WebP image.');
  });
});
