import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { publicPages } from './paths.ts';

/** Title, description and address of the page that is open: the first page brings its own, this follows the reader. */
export function useDocumentHead(): void {
  const [path] = useLocation();
  useEffect(() => {
    const page = publicPages.find((each) => each.path === path);
    if (page === undefined) return;
    document.title = page.title;
    set('meta[name="description"]', 'content', page.description);
    set('link[rel="canonical"]', 'href', new URL(path, location.origin).href);
  }, [path]);
}

function set(selector: string, attribute: string, value: string): void {
  document.querySelector(selector)?.setAttribute(attribute, value);
}
