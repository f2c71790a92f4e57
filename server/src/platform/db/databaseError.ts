import { apiErrors } from '../errors.ts';
import { RejectionError } from '../http/rejectionError.ts';

/** SQLSTATE classes of an unavailable server or rejected connection: connection, resources, operator, system. */
const unavailableClasses = new Set(['08', '53', '57', '58']);
/** query_canceled belongs to class 57 but means our statement timeout: the database is available but overloaded. */
const queryCanceled = '57014';
const diskFull = '53100';
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
/** The driver reports these without a code. */
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after calling end)/;

/** Turns unavailability and timeouts of the database into errors for the API caller. Returns other errors unchanged. */
export function translateDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof RejectionError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === queryCanceled) return comeAgain('overloaded', 5, error);
  const isUnavailable =
    socketCodes.has(code) ||
    driverMessages.test(error.message) ||
    (code.length === 5 && unavailableClasses.has(code.slice(0, 2)));
  return isUnavailable ? comeAgain('database_unavailable', 2, error) : error;
}

const comeAgain = (code: 'overloaded' | 'database_unavailable', retryAfterS: number, cause: Error): RejectionError =>
  new RejectionError({ code, message: apiErrors[code].title, retryAfterS }, { cause });

/** Name of the constraint that an insert or update violated; undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return undefined;
  const isIntegrity = typeof error.code === 'string' && error.code.startsWith('23');
  return isIntegrity && typeof error.constraint === 'string' ? error.constraint : undefined;
}

/** The database found no room for a write; its transaction is rolled back. @param error translated or not */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === diskFull) || isDiskFull(error.cause));
