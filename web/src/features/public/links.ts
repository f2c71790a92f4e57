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

/** The footer has the scoreboard too: the links of the bar are specified. */
export const footerLinks = [...marketingLinks.slice(1), { href: '/scoreboard', label: 'Scoreboard' }] as const;

/** With the way back that the sign-in screen offers to those who came from here. */
export const loginHref = '/login?back=1';
