import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { facts } from './facts.ts';
import { glossary } from './glossary.ts';

/** A heading with the text up to the next heading: the unit of quotes and links. */
export interface Section {
  anchor: string;
  heading: string;
  /** Without markup. */
  text: string;
}

export interface Article {
  slug: string;
  category: string;
  title: string;
  /** The trader's question that the article covers. */
  question: string;
  tags: string[];
  /** Slugs of other articles. */
  related: string[];
  isFeatured: boolean;
  /** Order within its category. */
  place: number;
  /** ISO date. */
  createdOn: string;
  contentMd: string;
  sections: Section[];
}

/** The article and anchor that explain an item of the product: `netPnl`, `honesty.luckCeiling`, `error.rate_limited`. */
export type Topics = Record<string, string>;

export interface Help {
  categories: { slug: string; name: string }[];
  articles: Article[];
  topics: Topics;
}

export const helpFolder = join(import.meta.dirname, '../../../../docs/help');

/** In screen order. Every article belongs to one category. */
export const categories = [
  { slug: 'getting-started', name: 'Getting Started' },
  { slug: 'trading', name: 'Trading' },
  { slug: 'backtesting', name: 'Backtesting' },
  { slug: 'figures', name: 'Figures and glossary' },
  { slug: 'credits', name: 'Credits and payments' },
  { slug: 'account', name: 'Account and security' },
  { slug: 'api', name: 'API' },
  { slug: 'troubleshooting', name: 'Troubleshooting' },
] as const;

/** An article before its text is split into sections. */
export type Draft = Omit<Article, 'sections'> & {
  /** Topics explained by the whole article. */
  topics: string[];
  /** Topics explained by single headings, by heading text. */
  topicOfHeading?: Readonly<Record<string, string>>;
};

/** An error in a file of docs/help: the server does not start with one, and a test reads all files. */
class ArticleError extends Error {}

const headPattern = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/;

function headOf(file: string, lines: string): Map<string, string> {
  return new Map(
    lines.split('\n').map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw new ArticleError(`${file}: "${line}" is no "name: value"`);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Replaces `{{scanCredits}}` by the figure from its source. */
function fillFacts(file: string, text: string): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    const value = (facts as Record<string, string | number>)[name];
    if (value === undefined) throw new ArticleError(`${file}: {{${name}}} has no owner in facts.ts`);
    return String(value);
  });
}

function draftOf(file: string, source: string): Draft {
  const [, head = '', body] = headPattern.exec(source) ?? [];
  if (body === undefined) throw new ArticleError(`${file}: it starts with front matter between two lines of ---`);
  const fields = headOf(file, head);
  const need = (name: string): string => {
    const value = fields.get(name);
    if (value === undefined || value === '') throw new ArticleError(`${file}: "${name}" is missing`);
    return value;
  };
  return {
    slug: file.replace(/\.md$/, ''),
    category: need('section'),
    title: need('title'),
    question: need('question'),
    tags: listOf(need('tags')),
    related: listOf(fields.get('related')),
    isFeatured: fields.get('featured') === 'yes',
    place: Number(fields.get('place') ?? 100),
    createdOn: need('created'),
    contentMd: fillFacts(file, body).trim(),
    topics: [
      ...listOf(fields.get('metrics')),
      ...listOf(fields.get('errors')).map((code) => `error.${code}`),
      ...listOf(fields.get('settings')).map((id) => `setting.${id}`),
    ],
  };
}

/** Markdown as plain text. Table rows become lines. */
export function plainOf(markdown: string): string {
  return markdown
    .replaceAll(/^\|[\s:|-]+\|$/gm, '')
    .replaceAll(/^\|(.*)\|$/gm, (_all, row: string) =>
      row
        .split('|')
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '')
        .join(' · '),
    )
    .replaceAll(/^```.*$/gm, '')
    .replaceAll(/^(?:[-*]|\d+\.) /gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}

export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

function sectionsOf({ slug, title, contentMd }: Draft): Section[] {
  const [intro = '', ...parts] = contentMd.split(/^## /m);
  const sections = [{ anchor: 'top', heading: title, text: plainOf(intro) }];
  for (const part of parts) {
    const end = part.indexOf('\n');
    const heading = plainOf(end < 0 ? part : part.slice(0, end));
    const anchor = anchorOf(heading);
    if (sections.some((each) => each.anchor === anchor))
      throw new ArticleError(`${slug}: two headings have the anchor #${anchor}`);
    sections.push({ anchor, heading, text: end < 0 ? '' : plainOf(part.slice(end)) });
  }
  return sections;
}

function topicsOf(drafts: readonly Draft[]): Topics {
  const topics: Topics = {};
  const claim = (topic: string, target: string) => {
    if (topics[topic] !== undefined)
      throw new ArticleError(`${topic} is explained at ${topics[topic]} and at ${target}`);
    topics[topic] = target;
  };
  for (const { slug, topics: own, topicOfHeading = {} } of drafts) {
    // `samples#how-many-samples` is explained below a heading, `samples` by the article as a whole.
    for (const topic of own) {
      const [id = '', anchor] = topic.split('#');
      claim(id, anchor === undefined ? slug : `${slug}#${anchor}`);
    }
    for (const [heading, topic] of Object.entries(topicOfHeading)) claim(topic, `${slug}#${anchorOf(heading)}`);
  }
  return topics;
}

/** Checks that every link between articles has a target. */
function checkLinks(articles: readonly Article[]): void {
  const anchors = new Map(articles.map(({ slug, sections }) => [slug, new Set(sections.map(({ anchor }) => anchor))]));
  for (const { slug, related, category, contentMd } of articles) {
    if (!categories.some((each) => each.slug === category)) throw new ArticleError(`${slug}: no section ${category}`);
    const missing = related.find((each) => !anchors.has(each));
    if (missing !== undefined) throw new ArticleError(`${slug}: the related article ${missing} does not exist`);
    for (const [, target = '', anchor] of contentMd.matchAll(/\]\(\/help\/([a-z0-9-]+)(?:#([a-z0-9-]+))?\)/g))
      if (anchors.get(target)?.has(anchor ?? 'top') !== true)
        throw new ArticleError(`${slug}: the link to ${target}#${anchor ?? ''} leads nowhere`);
  }
}

/** Builds the help centre from the files and the registries; deterministic. */
export async function readHelp(folder = helpFolder): Promise<Help> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).sort();
  const written = await Promise.all(
    files.map(async (file) => draftOf(file, await readFile(join(folder, file), 'utf8'))),
  );
  const drafts = [...written, ...(await glossary())];
  const articles = drafts
    .map(({ topics: _own, topicOfHeading: _headings, ...draft }): Article => ({ ...draft, sections: [] }))
    .map((article, at) => ({ ...article, sections: sectionsOf(drafts[at] as Draft) }))
    .sort((a, b) => a.place - b.place || (a.slug < b.slug ? -1 : 1));
  checkLinks(articles);
  return { categories: [...categories], articles, topics: topicsOf(drafts) };
}

/** Hash of the content. */
export const hashOf = (article: Article): string => createHash('sha256').update(JSON.stringify(article)).digest('hex');
