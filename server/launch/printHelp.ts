import { readHelp } from '../src/features/help/articles.ts';

/** Prints the help as JSON on standard output: the build of the web writes its public pages from it. */
const { categories, articles } = await readHelp();
const titles = new Map(articles.map(({ slug, title }) => [slug, title]));
const book = {
  categories: categories.map((each) => ({
    ...each,
    article_count: articles.filter(({ category }) => category === each.slug).length,
  })),
  // In the shape of the API, so that one view shows both.
  articles: articles.map((article) => ({
    slug: article.slug,
    title: article.title,
    question: article.question,
    category: article.category,
    tags: article.tags,
    created_at: new Date(article.createdOn).toISOString(),
    content_md: article.contentMd,
    sections: article.sections.map(({ anchor, heading }) => ({ anchor, heading })),
    related: article.related.map((slug) => ({ slug, title: titles.get(slug) ?? slug })),
  })),
};
process.stdout.write(JSON.stringify(book));
