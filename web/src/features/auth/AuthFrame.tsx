import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAppInfo } from '../../api/useSession.ts';
import { Logo, ThemeToggle } from '../../ui/Bar.tsx';

/** Bar and ground of every page about getting in. */
export function AuthFrame({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-[var(--bar-height)] items-center justify-between px-4">
        <Link href="/" className="flex items-center gap-2 text-section font-semibold">
          <Logo /> Sextant
        </Link>
        <ThemeToggle />
      </header>
      <main className={`mx-auto w-full flex-1 content-center px-4 py-6 ${className}`}>{children}</main>
    </div>
  );
}

/** A card in the middle of the page. */
export function AuthCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <AuthFrame className="grid max-w-100">
      <div className="panel gap-4 p-4">
        <h1 className="text-page font-semibold">{title}</h1>
        {children}
      </div>
      <OutboxLink />
    </AuthFrame>
  );
}

/** In a demo, emails are delivered only to the outbox page. */
export function OutboxLink() {
  const app = useAppInfo();
  if (app.data?.outbox !== true) return null;
  return (
    <p className="mt-3 text-center text-label text-muted">
      This demo sends no real email.{' '}
      <a href="/outbox" target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
        Read its emails
      </a>
    </p>
  );
}
