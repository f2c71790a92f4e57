import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import { loginHref } from './links.ts';

/** Where a call to action may lead. */
const targets = {
  login: { href: `${loginHref}&to=backtest`, label: 'Run a backtest' },
  features: { href: '/features', label: 'See the features' },
  how: { href: '/how', label: 'How a run works' },
} as const;

type Target = keyof typeof targets;

/** One or two buttons; the first is the main one. */
export function CallToAction({ to, className = '' }: { to: readonly [Target, ...Target[]]; className?: string }) {
  return (
    <p data-testid="call-to-action" className={`flex flex-wrap gap-3 ${className}`}>
      {to.map((target, at) => (
        <Link key={target} href={targets[target].href} className={`btn btn-large ${at === 0 ? 'btn-primary' : ''}`}>
          {targets[target].label}
          {at === 0 && <ArrowRight size={16} aria-hidden="true" />}
        </Link>
      ))}
    </p>
  );
}
