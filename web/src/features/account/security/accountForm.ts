const passwordLengthMin = 6;
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const usernameError = (username: string): string | undefined =>
  username.trim() === '' ? 'Username cannot be empty' : undefined;

export function emailError(email: string): string | undefined {
  if (email.trim() === '') return 'Email cannot be empty';
  return emailShape.test(email.trim()) ? undefined : 'Please enter a valid email address';
}

export function passwordError(password: string): string | undefined {
  if (password === '') return 'Password cannot be empty';
  return password.length < passwordLengthMin ? `Password must be at least ${passwordLengthMin} characters` : undefined;
}
