import { Activity, KeyRound, Rows3, Unplug } from 'lucide-react';
import { CallToAction } from './CallToAction.tsx';
import { type Card, Facts, PointList, RotatingCards, ROTATION_MS } from './PublicLists.tsx';
import { Measured } from './Measured.tsx';
import { PageHead } from './PageHead.tsx';

const cards: readonly Card[] = [
  {
    icon: Unplug,
    title: 'No way to your money',
    text: 'Sextant takes no exchange keys and reads public market data only. A break-in here cannot move your funds there.',
  },
  {
    icon: Rows3,
    title: 'Row-level security',
    text: 'The database limits each request to the rows of the signed-in user, even if a page or query is faulty.',
  },
  {
    icon: KeyRound,
    title: 'Multi-factor authentication',
    text: 'Authenticator codes, plus recovery codes for a lost phone. Passwords are stored as argon2id hashes. Guesses are limited per account and network.',
  },
  {
    icon: Activity,
    title: 'Watched around the clock',
    text: 'The server probes itself every minute. Uptime is counted from those probes.',
  },
];

const defences = [
  [
    'The page',
    'A content security policy without inline scripts or foreign hosts. Nothing is loaded from third parties.',
  ],
  [
    'The session',
    'A cookie that scripts cannot read, bound to our own origin; ended sessions stop on every node within seconds.',
  ],
  ['The logs', 'Passwords, tokens and keys are cut out before a line is written. Errors reveal no internal messages.'],
  ['The code', 'Run, read and test the whole product on your machine with one command.'],
] as const;

export function SecurityPage() {
  return (
    <>
      <PageHead
        title="The safest key is the one you never hand over"
        lead="Your funds stay in your own exchange accounts. Sextant places no orders, so it needs no exchange API keys and no withdrawal access."
      >
        <CallToAction to={['login', 'how']} className="mt-6" />
      </PageHead>
      <RotatingCards
        title="What protects you"
        cards={cards}
        everyMs={ROTATION_MS.security}
        columns="md:grid-cols-2 lg:grid-cols-4"
      />
      <section aria-labelledby="defences">
        <h2 id="defences" className="text-page font-semibold">
          And behind it
        </h2>
        <PointList points={defences} columns="md:grid-cols-2" />
      </section>
      <Facts />
      <Measured />
    </>
  );
}
