import { Menu, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Logo, ThemeToggle, useBarVisibility } from '../../ui/Bar.tsx';
import { footerLinks, marketingLinks, signUpHref } from './CallToAction.tsx';

/** The bar, the page, the footer. A change of page scrolls to the top and moves the focus there, also for screen readers. */
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
          <p className="max-w-105">
            Sextant calculates and simulates. It places no orders and gives no investment advice. Past results promise
            no future ones. Futures can lose more than you expect, and faster.
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

/** Hides on scrolling down, reappears on scrolling up or near the pointer. */
function MarketingBar() {
  const { isScrolled, isHidden } = useBarVisibility();
  const [isOpen, setIsOpen] = useState(false);
  const menuId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const close = () => setIsOpen(false);
  const isAway = isHidden && !isOpen;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    close();
    toggle.current?.focus();
  };
  return (
    <header
      data-scrolled={isScrolled}
      data-hidden={isAway}
      inert={isAway}
      onKeyDown={onKeyDown}
      className={`sticky top-0 z-20 border-b bg-bg transition-transform duration-150 ease-out ${
        isScrolled || isOpen ? 'border-line' : 'border-transparent'
      } ${isAway ? '-translate-y-full' : ''}`}
    >
      <nav aria-label="Main" className="mx-auto max-w-280 px-4">
        <div className="flex h-14 items-center gap-2">
          <Link href="/" onClick={close} className="flex items-center gap-2 text-section font-semibold">
            <Logo /> Sextant
          </Link>
          <ul className="mx-auto flex max-md:hidden">
            {marketingLinks.map(({ href, label }) => (
              <li key={href}>
                <BarLink href={href} label={label} className="px-2 py-1 lg:px-3" />
              </li>
            ))}
          </ul>
          <span className="flex items-center gap-2 max-md:ml-auto">
            <ThemeToggle />
            <Link href={signUpHref} className="btn btn-primary">
              Get Started
            </Link>
            {/* Wrapped in a span: the button's own display style would override the utility class. */}
            <span className="md:hidden">
              <button
                ref={toggle}
                type="button"
                aria-expanded={isOpen}
                aria-controls={menuId}
                aria-label="Menu"
                className="btn btn-ghost btn-icon"
                onClick={() => setIsOpen(!isOpen)}
              >
                {isOpen ? <X size={18} aria-hidden="true" /> : <Menu size={18} aria-hidden="true" />}
              </button>
            </span>
          </span>
        </div>
        <ul id={menuId} hidden={!isOpen} className="border-t border-line py-2 md:hidden">
          {marketingLinks.map(({ href, label }) => (
            <li key={href}>
              <BarLink href={href} label={label} onClick={close} className="flex h-11 items-center px-1 text-section" />
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

interface BarLinkProps {
  href: string;
  label: string;
  className: string;
  onClick?: () => void;
}

function BarLink({ href, label, className, onClick }: BarLinkProps) {
  const [path] = useLocation();
  const isHere = path === href;
  return (
    <Link
      href={href}
      {...(onClick === undefined ? {} : { onClick })}
      aria-current={isHere ? 'page' : undefined}
      className={`whitespace-nowrap ${isHere ? 'font-semibold text-text' : 'text-muted hover:text-text'} ${className}`}
    >
      {label}
    </Link>
  );
}
