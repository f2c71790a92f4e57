import { Menu, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Logo } from '../../ui/Logo.tsx';
import { ThemeToggle } from '../../ui/ThemeToggle.tsx';
import { useBarVisibility } from '../../ui/useBarVisibility.ts';
import { loginHref, marketingLinks } from './links.ts';

/** Leaves while one reads on, comes back on any way up or near the pointer. */
export function MarketingBar() {
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
            <Link href={loginHref} className="btn btn-primary">
              Get Started
            </Link>
            {/* In a box of its own: a utility does not hide a button. */}
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
