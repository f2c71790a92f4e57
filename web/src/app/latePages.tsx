import type { ComponentType } from 'react';
import { type Late, late } from '../ui/late.tsx';
import { helpArticles, type PublicPath } from './paths.ts';

type LatePage = Late<object>;

/**
 * A page in a separate chunk, so that a visitor loads no other page. Its placeholder is as high as the window, so that the footer does not
 * jump.
 */
const latePage = (fetchPage: () => Promise<ComponentType>): LatePage =>
  late(fetchPage, <div aria-busy="true" className="min-h-dvh" />);

/** Pages without the marketing bar: sign-in, and targets of links in emails. Each has its row in paths.ts too. */
export const landingPages: Record<string, LatePage | undefined> = {
  '/login': latePage(async () => (await import('../features/auth/AuthPage.tsx')).AuthPage),
};

const marketingPages: Record<string, LatePage | undefined> = {
  '/': latePage(async () => (await import('../features/public/HomePage.tsx')).HomePage),
  '/features': latePage(async () => (await import('../features/public/FeaturesPage.tsx')).FeaturesPage),
  '/how': latePage(async () => (await import('../features/public/HowPage.tsx')).HowPage),
  '/security': latePage(async () => (await import('../features/public/SecurityPage.tsx')).SecurityPage),
  '/faq': latePage(async () => (await import('../features/public/FaqPage.tsx')).FaqPage),
  '/privacy-policy': latePage(async () => (await import('../features/public/LegalPages.tsx')).PrivacyPage),
  '/terms-of-service': latePage(async () => (await import('../features/public/LegalPages.tsx')).TermsPage),
  '/scoreboard': latePage(async () => (await import('../features/public/ScoreboardPage.tsx')).ScoreboardPage),
  '/status': latePage(async () => (await import('../features/public/StatusPage.tsx')).StatusPage),
  '/help': latePage(async () => (await import('../features/help/public/HelpHomePage.tsx')).HelpHomePage),
} satisfies Record<Exclude<PublicPath, '/login'>, LatePage>;

const helpArticle = latePage(async () => (await import('../features/help/public/HelpArticlePage.tsx')).HelpArticlePage);

/** The page with the marketing bar that a path names. */
export const marketingPage = (path: string): LatePage | undefined =>
  path.startsWith(helpArticles) ? helpArticle : marketingPages[path];

/** Loads the page of a path before it renders. Rejects as the import does; does nothing for a path that is no public page. */
export async function loadPage(path: string): Promise<void> {
  await (landingPages[path] ?? marketingPage(path))?.load();
}
