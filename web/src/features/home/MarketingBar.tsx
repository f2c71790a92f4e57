import { Link } from 'wouter';
import { Logo } from '../../ui/Logo.tsx';
import { ThemeToggle } from '../../ui/ThemeToggle.tsx';
import { useBarVisibility } from '../../ui/useBarVisibility.ts';

/** Leaves while one reads on, comes back on any way up or near the pointer (PUB-012 to PUB-015). */
export function MarketingBar() {
  const { isScrolled, isHidden } = useBarVisibility();
  return (
    <header
      data-scrolled={isScrolled}
      data-hidden={isHidden}
      inert={isHidden}
      className={`sticky top-0 z-20 border-b bg-bg transition-transform duration-150 ease-out ${
        isScrolled ? 'border-line' : 'border-transparent'
      } ${isHidden ? '-translate-y-full' : ''}`}
    >
      <nav aria-label="Main" className="mx-auto flex h-12 max-w-280 items-center gap-2 px-4">
        <Link href="/" className="mr-auto flex items-center gap-2 text-section font-semibold">
          <Logo /> Sextant
        </Link>
        <ThemeToggle />
        <Link href="/login?back=1" className="btn btn-primary">
          Get Started
        </Link>
      </nav>
    </header>
  );
}
