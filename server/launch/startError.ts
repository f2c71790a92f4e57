import { DatabaseSetupError } from '@sextant/db/src/databaseSetupError.ts';
import { ConfigError } from '../src/config.ts';

/** A start problem that the operator can fix. The message is one line that says what and how. */
export class StartError extends Error {
  override name = 'StartError';
}

/** One line for the terminal. */
export function startMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const isExpected = error instanceof StartError || error instanceof ConfigError || error instanceof DatabaseSetupError;
  const line = text.replace(/\s*\n\s*/g, ' | ');
  return `Sextant cannot start: ${isExpected ? line : `${line} (unexpected; please report it)`}`;
}
