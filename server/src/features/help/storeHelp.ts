import { sql } from 'kysely';
import { type Db, type SystemTx, withSystem } from '../../platform/db/scope.ts';
import { type Article, type Help, hashOf, plainOf } from './articles.ts';

/**
 * Writes the content of the files into the tables, and deletes rows without a file. Several servers may start concurrently: the first
 * writes, the others find the same content. Returns how many articles were written or deleted: 0 when nothing has changed.
 */
export function storeHelp(db: Db, { categories, articles }: Pick<Help, 'categories' | 'articles'>): Promise<number> {
  return withSystem(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('help articles'))`.execute(tx);
    const stored = await tx.selectFrom('help_articles').select(['slug', 'content_hash']).execute();
    const hashes = new Map(stored.map(({ slug, content_hash: hash }) => [slug, hash]));
    const changed = articles.filter((article) => hashes.get(article.slug) !== hashOf(article));
    const retained = new Set(articles.map(({ slug }) => slug));
    const gone = stored.map(({ slug }) => slug).filter((slug) => !retained.has(slug));
    if (changed.length + gone.length === 0) return 0;
    for (const [place, { slug, name }] of categories.entries())
      await sql`insert into help_categories (slug, name, place) values (${slug}, ${name}, ${place})
        on conflict (slug) do update set name = excluded.name, place = excluded.place`.execute(tx);
    if (gone.length > 0) await tx.deleteFrom('help_articles').where('slug', 'in', gone).execute();
    for (const article of changed) await writeArticle(tx, article);
    await tx
      .deleteFrom('help_categories')
      .where(
        'slug',
        'not in',
        categories.map(({ slug }) => slug),
      )
      .execute();
    return changed.length + gone.length;
  });
}

async function writeArticle(tx: SystemTx, article: Article): Promise<void> {
  const { slug, category, title, question, tags, related, isFeatured, place, createdOn, contentMd, sections } = article;
  const body = plainOf(contentMd.replaceAll(/^## /gm, ''));
  await sql`
    insert into help_articles (slug, category_slug, title, question, tags, content_md, sections, related, is_featured, place,
      body_text, content_hash, created_at)
    values (${slug}, ${category}, ${title}, ${question}, ${tags}, ${contentMd}, ${JSON.stringify(sections)}::jsonb, ${related},
      ${isFeatured}, ${place}, ${body},
      ${hashOf(article)}, ${createdOn})
    on conflict (slug) do update set category_slug = excluded.category_slug, title = excluded.title, question = excluded.question,
      tags = excluded.tags, content_md = excluded.content_md, sections = excluded.sections, related = excluded.related,
      is_featured = excluded.is_featured, place = excluded.place, body_text = excluded.body_text,
      content_hash = excluded.content_hash, created_at = excluded.created_at, updated_at = now()`.execute(tx);
}
