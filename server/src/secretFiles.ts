import { readFileSync } from 'node:fs';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';

/** Settings that are secrets or contain one. Each may be given by a file instead: `NAME_FILE=/run/secrets/name`. */
export const secretNames = [
  'DATABASE_URL',
  'DATABASE_SESSION_URL',
  'DATABASE_OWNER_URL',
  'NATS_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'AUTH_SECRET',
  'SMTP_URL',
  'BINANCE_API_KEY',
  'BINANCE_API_SECRET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'OPENAI_API_KEY',
  'X_BEARER_TOKEN',
  'TELEGRAM_BOT_TOKEN',
  'NOWPAYMENTS_API_KEY',
  'NOWPAYMENTS_IPN_SECRET',
  'NOWPAYMENTS_EMAIL',
  'NOWPAYMENTS_PASSWORD',
  'MOONPAY_API_KEY',
  'MOONPAY_SECRET_KEY',
  'MOONPAY_WEBHOOK_KEY',
] as const;

/** Values of the secrets that are given by files, without the line end. The error is one line that names the variable. */
export function readSecretFiles(env: Record<string, string | undefined>): Result<Record<string, string>, string> {
  const values: Record<string, string> = {};
  for (const name of secretNames) {
    const path = env[`${name}_FILE`] ?? '';
    if (path === '') continue;
    if ((env[name] ?? '') !== '') return failWith(`${name}_FILE: ${name} is set too; remove one of them`);
    try {
      values[name] = readFileSync(path, 'utf8').trimEnd();
    } catch (error) {
      return failWith(`${name}_FILE: cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
    }
    if (values[name] === '') return failWith(`${name}_FILE: ${path} is empty`);
  }
  return ok(values);
}
