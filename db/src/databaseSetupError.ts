/** The database cannot be used. The message is one line for the operator. */
export class DatabaseSetupError extends Error {
  override name = 'DatabaseSetupError';
}
