import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { footerLinks } from './links.ts';
import { MarketingBar } from './MarketingBar.tsx';

/** The bar, the page, the footer. A change of page begins at its top, and a screen reader with it. */
export function PublicLayout({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#main" className="btn btn-primary sr-only z-50 focus:not-sr-only focus:fixed focus:top-2 focus:left-2">
        Skip to content
      </a>
      <MarketingBar />
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-280 flex-1 flex-col gap-16 px-4 pt-8 pb-16 outline-none md:pt-14"
      >
        {children}
      </main>
      <footer className="border-t border-line py-8 text-label text-muted">
        <div className="mx-auto flex max-w-280 flex-col gap-4 px-4 md:flex-row md:justify-between md:gap-10">
          <p className="max-w-130">
            Sextant calculates and simulates. It places no orders and gives no investment advice; a past result promises
            no future one. Futures can lose more than you expect, and faster.
          </p>
          <nav aria-label="Footer">
            <ul className="flex flex-wrap gap-x-4 gap-y-2">
              {footerLinks.map(({ href, label }) => (
                <li key={href}>
                  <Link href={href} className="hover:text-text hover:underline pointer-coarse:py-2">
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </footer>
    </div>
  );
}
