/** A database we cannot use. The message is one line for the person who set it up. */
export class DatabaseSetupError extends Error {
  override name = 'DatabaseSetupError';
}
