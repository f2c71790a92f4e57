import { type ReactNode, useState } from 'react';
import { bookOfBuild, type HelpBook } from './book.ts';

interface Props {
  /** Name of the part: one already in the page under this name is left unchanged. */
  name: string;
  /** Renders the part during prerendering. */
  write: (book: HelpBook) => ReactNode;
  /** Renders the part in a browser that navigated here from another page, without prerendered content. */
  children: ReactNode;
}

const isThere = (name: string): boolean =>
  typeof document !== 'undefined' && document.querySelector(`[data-written="${name}"]`) !== null;

/**
 * A prerendered part of a public page, which the browser leaves unchanged. Its rendering code, above all the Markdown parser, is not
 * loaded.
 */
export function Written({ name, write, children }: Props) {
  const book = bookOfBuild();
  const [isStored] = useState(() => isThere(name));
  if (book !== null) return <div data-written={name}>{write(book)}</div>;
  if (!isStored) return children;
  // React leaves the content of such an element unchanged on hydration; the empty text is never written.
  return <div data-written={name} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />;
}
