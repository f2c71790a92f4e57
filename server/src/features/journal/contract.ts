import {
  isTag,
  JOURNAL_NOTE_MAX,
  JOURNAL_TAG_MAX,
  JOURNAL_TAGS_MAX,
  normaliseTag,
} from '@sextant/workers/src/core/journal.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { InstantOrNull } from '../../platform/instant.ts';
import { AnalyticsGroup, RiskMultiple } from '../positions/contract.ts';

export const JournalPath = z.strictObject({ id: z.uuid().meta({ description: 'Id of the position.' }) });

const Tag = Text.max(4 * JOURNAL_TAG_MAX, `must be at most ${JOURNAL_TAG_MAX} characters`)
  .transform(normaliseTag)
  .refine(isTag, `must be 1 to ${JOURNAL_TAG_MAX} letters, digits, spaces or _ + . / # -`);

export const JournalRequest = z.strictObject({
  note: Text.max(JOURNAL_NOTE_MAX, `must be at most ${JOURNAL_NOTE_MAX} characters`).meta({
    description: 'Plain text with line breaks.',
  }),
  tags: z
    .array(Tag)
    .max(JOURNAL_TAGS_MAX, `must hold at most ${JOURNAL_TAGS_MAX} tags`)
    .transform((tags) => [...new Set(tags)])
    .meta({ description: 'Stored in lower case, each once.' }),
  revision: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .meta({ description: 'The revision you read. Another one now: `conflict`, and nothing changes.' }),
});
export type JournalChange = z.output<typeof JournalRequest>;

export const JournalPicture = z.object({ width: z.int(), height: z.int(), created_at: z.iso.datetime() });

export const JournalEntry = z.object({
  position_id: z.uuid(),
  note: z.string(),
  tags: z.array(z.string()),
  revision: z.int().meta({ description: 'Rises with each change; 0: nothing was written.' }),
  updated_at: InstantOrNull,
  picture: JournalPicture.nullable(),
});
export type JournalEntryWire = z.input<typeof JournalEntry>;
export const JournalResponse = z.object({ entry: JournalEntry });

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Days of the calendar: whole weeks that cover a year. */
export const CALENDAR_DAYS_MAX = 371;

export const JournalStatisticsQuery = z.strictObject({
  zone: Text.max(60)
    .refine(isTimeZone, 'must be a time zone such as UTC or Europe/Berlin')
    .default('UTC')
    .meta({ description: 'Time zone of days and hours.' }),
});

export const JournalDay = z.object({
  day: z.iso.date(),
  trades: z.int().meta({ description: 'Positions closed on it.' }),
  wins: z.int(),
  net_pnl: z.number().meta({ description: 'USDT.' }),
  r_multiple: RiskMultiple.meta({ description: 'Sum; null when no position has one.' }),
});

export const JournalStatisticsResponse = z.object({
  zone: z.string(),
  today: z.iso.date().meta({ description: 'In the zone.' }),
  days: z
    .array(JournalDay)
    .meta({ description: `Days with a close among the last ${CALENDAR_DAYS_MAX}, oldest first.` }),
  by_tag: z.array(AnalyticsGroup).meta({
    description: 'A position counts for each of its tags; `name` is empty for those without. At most 50.',
  }),
  by_hour: z.array(AnalyticsGroup).meta({ description: 'By the hour of the opening in the zone, `00` to `23`.' }),
  by_symbol: z.array(AnalyticsGroup).meta({ description: 'At most 50.' }),
  by_setup: z.array(AnalyticsGroup).meta({
    description:
      '`strategy`: a saved strategy; `automatic`: opened by your rules; `signal`: by hand on a signal or a chart analysis; `order`: other orders.',
  }),
});
export type JournalStatistics = z.input<typeof JournalStatisticsResponse>;
