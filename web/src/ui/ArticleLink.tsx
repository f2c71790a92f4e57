import type { MouseEvent, ReactNode } from 'react';
import { useSession } from '../api/useSession.ts';
import { openArticle } from '../state/helpPlace.ts';
import { isShareAddress } from '../state/shareAddress.ts';

interface Props {
  slug: string;
  /** Heading in the article; `top` is its start. */
  anchor?: string;
  className?: string | undefined;
  children: ReactNode;
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey;

/**
 * A link to an article of the help. In the signed-in product it opens in the help tab; for visitors, on the page of a shared run and in
 * another browser tab it is the public page.
 */
export function ArticleLink({ slug, anchor = 'top', className = 'text-accent underline', children }: Props) {
  const user = useSession().data ?? null;
  const onClick = (event: MouseEvent) => {
    const isInShell = user !== null && location.pathname === '/' && !isShareAddress(location.hash);
    if (!isInShell || !isPlainClick(event)) return;
    event.preventDefault();
    openArticle(slug, anchor);
  };
  return (
    <a href={`/help/${slug}${anchor === 'top' ? '' : `#${anchor}`}`} onClick={onClick} className={className}>
      {children}
    </a>
  );
}
