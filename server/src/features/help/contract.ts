import { QUESTION_MAX } from '@sextant/workers/src/core/limits.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';

const At = z.iso.datetime();
const Slug = z.string().meta({ description: 'Name in the address: `/help/<slug>`.' });

/** Minimum number of ratings for a share to be shown. */
export const RATINGS_MIN = 30;

export const HelpCategory = z.object({ slug: z.string(), name: z.string(), article_count: z.int().min(0) });
export const HelpCategoriesAnswer = z.object({
  categories: z.array(HelpCategory).meta({ description: 'In the order of the screen.' }),
});

const articleFields = {
  id: z.uuid(),
  slug: Slug,
  title: z.string(),
  question: z.string().meta({ description: 'The question that the article answers.' }),
  category: z.string(),
  tags: z.array(z.string()),
  created_at: At,
};

export const HelpArticleCard = z.object({
  ...articleFields,
  featured: z.boolean(),
  snippet: z
    .array(z.object({ text: z.string(), is_hit: z.boolean() }))
    .meta({ description: 'Part of the text; `hit` marks matches. Plain text.' }),
});
export type HelpArticleCardWire = z.input<typeof HelpArticleCard>;

export const HelpArticlesQuery = z.strictObject({
  q: Text.max(200).optional().meta({ description: 'Search words; the last may be incomplete. Default: all articles.' }),
});
export const HelpArticlesAnswer = z.object({
  articles: z.array(HelpArticleCard),
  corrected_to: z.string().nullable().meta({ description: 'The query with typos corrected.' }),
  nearest: z.array(HelpArticleCard).meta({ description: 'Nearest articles when nothing matches.' }),
  is_other_language: z.boolean().meta({ description: 'The query is not English; see `nearest`.' }),
});

export const HelpArticleParams = z.strictObject({ slug: Text.max(64) });
export const HelpArticle = z.object({
  ...articleFields,
  content_md: z.string().meta({ description: 'Markdown without HTML.' }),
  sections: z.array(z.object({ anchor: z.string(), heading: z.string() })),
  related: z.array(z.object({ slug: Slug, title: z.string() })),
});

export const HelpSource = z.object({
  slug: Slug,
  anchor: z.string().meta({ description: 'Heading in the article; `top` is its start.' }),
  title: z.string(),
  heading: z.string(),
});
const answerFields = {
  written_by: z.enum(['model', 'quotes', 'nothing_found', 'other_language', 'advice']).meta({
    description:
      '`model`: AI text from the sources; `quotes`: the sources verbatim; `nothing_found`: not in the help; `other_language`: not English, nearest sources; `advice`: trading advice, declined.',
  }),
  sources: z.array(HelpSource),
  suggested: z.array(z.string()).max(6),
};

const Question = Text.trim()
  .min(1, 'must not be empty')
  .max(QUESTION_MAX, `must have at most ${QUESTION_MAX} characters`);

export const AskHelpRequest = z.strictObject({ question: Question });
export const AskHelpAnswer = z.object({ answer: z.string(), ...answerFields });

export const HelpMessage = z.object({
  id: z.uuid(),
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  created_at: At,
  written_by: answerFields.written_by.nullable().meta({ description: 'Null on messages of the user.' }),
  sources: answerFields.sources,
  suggested: answerFields.suggested,
  is_helpful: z.boolean().nullable().meta({ description: 'Your rating of the answer.' }),
});
export type HelpMessageWire = z.input<typeof HelpMessage>;

export const HelpRatings = z.object({
  count: z.int().min(0),
  count_min: z.int(),
  helpful_fraction: z
    .number()
    .nullable()
    .meta({ description: 'Share of all ratings; null below `count_min` of them.' }),
});
export const HelpChatAnswer = z.object({
  messages: z.array(HelpMessage).meta({ description: 'The newest 100, oldest first.' }),
  is_demo: z
    .boolean()
    .meta({ description: 'True in a demo account; it ends, with this chat, a day after its last use.' }),
  has_model: z
    .boolean()
    .meta({ description: 'Whether an AI model writes the answers; otherwise passages are quoted.' }),
  ratings: HelpRatings,
});
export const SendHelpRequest = z.strictObject({ text: Question });
export const HelpMessagesAnswer = z.object({ messages: z.array(HelpMessage) });
export const HelpMessageParams = z.strictObject({ id: z.uuid() });
export const RateHelpRequest = z.strictObject({ helpful: z.boolean() });
export const RatedHelpAnswer = z.object({ ratings: HelpRatings });
