import { FRESH_MINUTES } from '@sextant/workers/src/signals/newsVote.ts';
import { NEWS_ANALYSED, NEWS_SYMBOLS_MAX } from '@sextant/workers/src/core/limits.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { SymbolName } from '../market/contract.ts';
import { IN_TIME_MINUTES, timeBases } from './sourceTimes.ts';

/** Counts of the specification. */
export const NEWS_READ_DEFAULT = 50;
export const OVER_READ = 200;
export const READ_IDS_MAX = 1000;

const SourceName = Text.min(1).max(60);
const Direction = z.enum(['bullish', 'bearish', 'neutral']);
const Time = z.iso.datetime();

export const NewsQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1, 'must be at least 1').max(NEWS_READ_DEFAULT, `must be at most ${NEWS_READ_DEFAULT}`))
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: NEWS_READ_DEFAULT,
      description: 'Number of unread stories; 50 when absent.',
    })
    .optional()
    .transform((result) => result ?? NEWS_READ_DEFAULT),
  symbol: SymbolName.optional(),
  source: SourceName.optional().meta({ description: 'Only stories reported by this source.' }),
});

export const NewsReaction = z.object({
  symbol: z.string(),
  horizon_minutes: z.int().meta({ description: '15, 60 or 240 minutes after the story was first seen.' }),
  return: z.number().meta({ description: 'Fraction: 0.01 is 1 %.' }),
  z: z.number().meta({ description: 'Standard deviations from the usual move at this hour of the day.' }),
  sample_count: z.int().meta({ description: 'Usual moves it is compared with.' }),
  p: z.number().meta({ description: 'Share of usual moves at least this large.' }),
  volume_ratio: z.number().meta({ description: 'Volume over its usual volume at this hour.' }),
});

export const NewsStory = z.object({
  id: z.uuid(),
  created_at: Time,
  title: z.string(),
  link: z.url(),
  pub_date: Time.meta({ description: 'Date of the feed; never after `first_seen_at`.' }),
  latest_at: Time.meta({
    description: 'Date of the newest report; stories are sorted by it, newest first.',
  }),
  first_seen_at: Time.meta({ description: 'When this installation first saw it; not used before then.' }),
  is_late: z.boolean().meta({
    description: `First seen more than ${FRESH_MINUTES} minutes after \`pub_date\`: \`reactions\` are measured from the first sight.`,
  }),
  source: z.string(),
  author: z.string().nullable(),
  description: z.string(),
  content: z.string(),
  symbols: z.array(z.string()),
  keywords: z.array(z.string()),
  sentiment: Direction,
  is_high_impact: z.boolean(),
  is_simulated: z.boolean(),
  sources: z
    .array(z.object({ source: z.string(), title: z.string(), link: z.url(), first_seen_at: Time }))
    .meta({ description: 'Reports of the story, oldest first.' }),
  reactions: z.array(NewsReaction),
});

/** The news vote of a signal. workers/src/signals/newsVote.ts derives it from the stories. */
export const NewsSayWire = z.object({
  vote: z.enum(['LONG', 'SHORT']).nullable().meta({ description: 'null: no vote; the news weight is left out.' }),
  strength: z.number().meta({ description: 'Sum of the shares; a vote from 0.1 on, either way.' }),
  story_count: z.int().meta({
    description: 'Stories with a direction, first seen in the six hours before the close.',
  }),
  stories: z
    .array(
      z.object({
        id: z.uuid(),
        title: z.string(),
        source: z.string(),
        pub_date: Time,
        first_seen_at: Time,
        sentiment: z.enum(['bullish', 'bearish']),
        is_high_impact: z.boolean(),
        weight: z.number().meta({ description: 'Weight of its source from its track record at the close; 0 to 1.' }),
        share: z.number(),
      }),
    )
    .meta({ description: 'The latest ten with a source that has a track record.' }),
});

export const NewsFeedState = z.object({
  name: z.string(),
  is_simulated: z.boolean(),
  state: z.enum(['ok', 'down', 'waiting']).meta({ description: '`waiting`: not read yet.' }),
  message: z.string().nullable(),
  date_note: z.string().nullable().meta({ description: 'Why items use the time first seen; null: dates are read.' }),
  last_read_at: Time.nullable(),
});

const Social = z.object({
  is_connected: z.boolean(),
  name: z.string().nullable(),
  is_simulated: z.boolean(),
  message: z.string().nullable().meta({ description: 'Why the last read failed; null: it succeeded.' }),
});

export const NewsAnalysis = z
  .object({
    count: z.int(),
    bullish: z.int(),
    bearish: z.int(),
    neutral: z.int(),
    high_impact: z.int(),
    impact: z
      .enum(['high', 'medium', 'low'])
      .meta({ description: 'high above 3 high-impact stories, medium 1 to 3, low 0.' }),
    keywords: z.array(z.object({ phrase: z.string(), count: z.int(), direction: Direction })),
    symbols: z.array(z.object({ symbol: z.string(), count: z.int(), direction: Direction })),
    keyword_version: z.int(),
  })
  .meta({ description: `Keywords of the first ${NEWS_ANALYSED} stories, without an AI model.` });

export const NewsResponse = z.object({
  stories: z.array(NewsStory),
  unread_count: z.int().meta({ description: 'Unread stories among the latest, at most 250.' }),
  sources: z.array(z.string()).meta({ description: 'Names of the feeds.' }),
  feeds: z.array(NewsFeedState),
  social: Social,
  analysis: NewsAnalysis,
});

export const NewsReadBody = z.union([
  z.strictObject({
    ids: z
      .array(z.uuid('must be the id of a story'))
      .min(1, 'must name at least one story')
      .max(READ_IDS_MAX, `must name at most ${READ_IDS_MAX} stories`),
  }),
  z.strictObject({ all: z.literal(true) }),
]);
export const NewsReadResponse = z.object({ marked: z.int().meta({ description: 'Stories newly marked as read.' }) });

export const TweetsResponse = z.object({
  ...Social.shape,
  posts: z.array(
    z.object({
      id: z.uuid(),
      text: z.string(),
      link: z.url(),
      author: z.string().nullable(),
      posted_at: Time,
      symbols: z.array(z.string()),
      sentiment: Direction,
    }),
  ),
});

export const NewsMarketResponse = z.object({
  rows: z
    .array(
      z.object({
        symbol: z.string(),
        story_count: z.int(),
        bullish: z.int(),
        bearish: z.int(),
        last: z.number().nullable(),
        change_24h: z.number().nullable().meta({ description: 'Fraction over 24 closed hours; null without candles.' }),
      }),
    )
    .meta({ description: 'Symbols with the most stories of the last 24 hours.' }),
});

const Counts = z.object({ count: z.int(), bullish: z.int(), bearish: z.int(), neutral: z.int() });
export const NewsSentimentResponse = z.object({
  hours: z.int(),
  articles: Counts,
  posts: Counts.nullable().meta({ description: 'null: no social source.' }),
  by_hour: z.array(z.object({ at: Time, bullish: z.int(), bearish: z.int() })),
});

export const NewsTrendingResponse = z.object({
  hours: z.int(),
  topics: z.array(
    z.object({
      kind: z.enum(['symbol', 'keyword']),
      name: z.string(),
      count: z.int(),
      count_before: z.int().meta({ description: 'In the 24 hours before.' }),
    }),
  ),
});

const recordFigures = {
  count: z.int(),
  hit_count: z.int(),
  hit_share: z
    .number()
    .nullable()
    .meta({ description: 'Share of stories whose price moved in their direction after 1 hour; null below 30.' }),
  mean_z: z.number().nullable(),
  significant_share: z.number().nullable().meta({ description: 'About 0.05 when the stories have no effect.' }),
  is_below_min: z.boolean(),
  weight: z.number().meta({ description: 'Weight that follows from it, 0 to 1.' }),
};

export const NewsRecordRow = z.object({ name: z.string(), ...recordFigures });

const SourceTimes = z.object({
  basis: z.enum(timeBases).meta({
    description:
      'Whether its dates can be trusted. `same_machine`: simulated, until enough stories are checked; `unchecked`: too few checked; `untrusted`: too many first seen late.',
  }),
  checked_count: z.int().meta({ description: 'Latest stories added while it was read every few minutes.' }),
  in_time_count: z.int().meta({ description: `First seen within ${IN_TIME_MINUTES} minutes of their date.` }),
  delay_s: z
    .number()
    .nullable()
    .meta({ description: 'Added to the date of a replayed story; null: its archive is not replayed.' }),
});

export const NewsSourceRow = NewsRecordRow.extend({
  weight: z.number().meta({ description: 'Weight of its stories in the news vote, 0 to 1.' }),
  weight_origin: z.enum(['live', 'replayed']).meta({
    description: 'The record that gives the weight: `live` from `min_count` live stories on, before that `replayed`.',
  }),
  replayed: z
    .object({
      ...recordFigures,
      day_count: z.int().meta({ description: 'Days (UTC) of its stories; below `min_days` its weight is 0.' }),
      delay_s_min: z.number().meta({ description: 'Least delay after the dates that it was measured with.' }),
      delay_s_max: z.number(),
    })
    .nullable()
    .meta({
      description:
        'Stories published before the first sight, as of their dates, one per symbol and hour; null: none. Never mixed with live.',
    }),
  times: SourceTimes,
});
export const NewsRecordsResponse = z.object({
  min_count: z.int(),
  min_checks: z.int().meta({ description: 'Checked stories needed to trust the dates of a source.' }),
  min_days: z.int().meta({ description: 'Days (UTC) that a replayed record must cover to weigh.' }),
  horizon_minutes: z.int(),
  sources: z.array(NewsSourceRow),
  keywords: z.array(NewsRecordRow).meta({ description: 'Live stories only.' }),
});

const epochMs = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().max(8.64e15, 'must be a moment'))
  .meta({ type: 'integer', minimum: 0, description: 'Epoch ms.' });
export const NewsMarksQuery = z
  .strictObject({ symbol: SymbolName, from: epochMs, to: epochMs })
  .refine(({ from, to }) => from <= to, { path: ['from'], error: 'must not be after `to`' });
export const NewsMarksResponse = z.object({
  marks: z
    .array(
      z.object({
        id: z.uuid(),
        title: z.string(),
        source: z.string(),
        first_seen_at: Time,
        sentiment: Direction,
        is_simulated: z.boolean(),
      }),
    )
    .meta({ description: 'At most 200, newest first; empty when your settings hide them.' }),
});

export const NewsSettings = z.strictObject({
  hidden_sources: z.array(SourceName).max(60, 'must name at most 60 sources'),
  symbols: z
    .array(SymbolName)
    .max(NEWS_SYMBOLS_MAX, `must name at most ${NEWS_SYMBOLS_MAX} symbols`)
    .meta({ description: 'Only stories about these; empty: all.' }),
  is_high_impact_only: z.boolean(),
  shows_posts: z.boolean(),
  shows_chart_marks: z.boolean(),
});
export type NewsSettingsValue = z.infer<typeof NewsSettings>;
