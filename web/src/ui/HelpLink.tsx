import { CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { ArticleLink } from './ArticleLink.tsx';
import { helpTopics } from './helpTopics.gen.ts';

/** A thing of the product that the help explains: a metric, `honesty.luckCeiling`, `vote.rsi`, `error.rate_limited`, `setting.leverage`. */
export type HelpTopic = keyof typeof helpTopics;

export const isTopic = (id: string): id is HelpTopic => Object.hasOwn(helpTopics, id);

interface Props {
  topic: HelpTopic;
  className?: string;
  children: ReactNode;
}

/** Leads to where the help explains a thing. */
export function HelpLink({ topic, className, children }: Props) {
  const [slug = '', anchor = 'top'] = helpTopics[topic].split('#');
  return (
    <ArticleLink slug={slug} anchor={anchor} className={className}>
      {children}
    </ArticleLink>
  );
}

/** The same as a sign beside the name of a setting. */
export function SettingHelp({ topic }: { topic: HelpTopic }) {
  return (
    <HelpLink topic={topic} className="inline-grid size-6 shrink-0 place-items-center text-muted hover:text-text">
      <CircleHelp size={13} aria-hidden="true" />
      <span className="sr-only">Explain this setting</span>
    </HelpLink>
  );
}

/** Help on an error of the server; nothing for a code without an article. */
export function ErrorHelp({ code }: { code: string }) {
  const topic = `error.${code}`;
  if (!isTopic(topic)) return null;
  return <HelpLink topic={topic}>What to do</HelpLink>;
}
