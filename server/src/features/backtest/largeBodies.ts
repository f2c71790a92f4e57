import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/app.ts';
import { createJsonParser } from '../../platform/http/jsonBody.ts';
import { holdSlot } from '../../platform/http/holdSlot.ts';
import { rejectionError } from '../../platform/http/rejectionError.ts';
import { countHit } from '../../platform/limits/countHit.ts';
import { createSlots } from '../../platform/limits/slots.ts';
import type { RateLimiter } from '../../platform/limits/rateLimiter.ts';

/**
 * 200,000 candles as JSON columns: some 55 bytes a candle for prices and volumes as exchanges write them (an estimate from
 * files of about 50 bytes a row), with room for 20,000 fundings.
 */
export const RUN_BODY_BYTES_MAX = 12 * 1024 * 1024;

/** Larger bodies are admitted one by one: reading, parsing and computing one of the largest takes some 100 MB. */
const LARGE_BYTES = 1024 * 1024;
const largeBodySlots = { slotCount: 2, perKey: 1, queueMaxPerKey: 1, waitMsMax: 5000 };

/** Runs per user: enough for manual use and most scripts, too few to occupy every thread permanently. */
const runLimit = { hitMax: 120, windowS: 60 };
const tooOften = 'At most 120 runs a minute. Run in the browser, or wait.';

/** Hook after `requireUser` and before the body is read: counts the run, and lets few large bodies in at once. */
export function createRunAdmission(limiter: RateLimiter) {
  const slots = createSlots(largeBodySlots);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { id } = request.user;
    await countHit(limiter, { key: `backtest:${id}`, ...runLimit }, tooOften);
    if (!isLarge(request)) return;
    await holdSlot(slots, id, reply);
  };
}

/** A body without a declared length counts as large. */
function isLarge({ headers }: FastifyRequest): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : !(Number(length) <= LARGE_BYTES);
}

/** More than any run has, with 100 leverage tiers; far less than would take long to build in memory. */
const BRACKETS_MAX = 1000;
const QUOTES_MAX = 5000;

/**
 * Parses JSON that is mostly plain numbers. Millions of empty objects or texts in a few MiB cost seconds and hundreds of MB before the
 * schema check, so they are counted in the bytes first.
 */
export function parseMostlyNumbers(app: App): void {
  const parseJson = createJsonParser(app);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const brackets = countOf(body, '{', BRACKETS_MAX) + countOf(body, '[', BRACKETS_MAX);
    if (brackets > BRACKETS_MAX || countOf(body, '"', QUOTES_MAX) > QUOTES_MAX) {
      done(rejectionError('validation_failed', 'The body has too many objects or strings for a backtest.'));
      return;
    }
    parseJson(request, body.toString('utf8'), done);
  });
}

/** Occurrences of the character; counting stops above `most`. */
function countOf(body: Buffer, character: string, most: number): number {
  let count = 0;
  for (let at = body.indexOf(character); at >= 0 && count <= most; at = body.indexOf(character, at + 1)) count++;
  return count;
}
