import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';

/** Every page of the bar and the footer, in order. */
export const marketingLinks = [
  { href: '/', label: 'Home' },
  { href: '/features', label: 'Features' },
  { href: '/how', label: 'How it Works' },
  { href: '/security', label: 'Security' },
  { href: '/faq', label: 'FAQ' },
  { href: '/privacy-policy', label: 'Privacy' },
  { href: '/terms-of-service', label: 'Terms' },
] as const;

/** The footer has the scoreboard and the help too: the links of the bar are specified. */
export const footerLinks = [
  ...marketingLinks.slice(1),
  { href: '/scoreboard', label: 'Scoreboard' },
  { href: '/status', label: 'Status' },
  { href: '/help', label: 'Help' },
] as const;

/** `back=1` makes the sign-in screen show its Back button. */
export const loginHref = '/login?back=1';
/** The same page with its form for a new account. */
export const signUpHref = `${loginHref}&mode=signup`;

/** Targets of a call to action. */
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
