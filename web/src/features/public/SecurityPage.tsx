import { Activity, KeyRound, Rows3, Unplug } from 'lucide-react';
import { CallToAction } from './CallToAction.tsx';
import { type Card, Facts, PointList, RotatingCards, ROTATION_MS } from './PublicLists.tsx';
import { Measured } from './Measured.tsx';
import { PageHead } from './PageHead.tsx';

const cards: readonly Card[] = [
  {
    icon: Unplug,
    title: 'No way to your money',
    text: 'No field, table or call takes exchange keys. Of the exchanges only public market data is read, so a break-in here could move nothing of yours there.',
  },
  {
    icon: Rows3,
    title: 'Row-level security',
    text: 'The database itself decides which rows a request may see, by the signed-in user. A faulty page or query gets no rows of other users.',
  },
  {
    icon: KeyRound,
    title: 'Multi-factor authentication',
    text: 'Codes from an authenticator app, with recovery codes for the day the phone is gone. Passwords are kept as argon2id hashes; guesses are limited per account and network.',
  },
  {
    icon: Activity,
    title: 'Watched around the clock',
    text: 'The server checks itself every minute and keeps the answers. What is shown as uptime is counted from them, with the window beside it.',
  },
];

const defences = [
  [
    'The page',
    'A content security policy without inline scripts or foreign hosts. Nothing is loaded from third parties.',
  ],
  [
    'The session',
    'A cookie that scripts cannot read, bound to our own origin; ended sessions are over on every node within seconds.',
  ],
  [
    'The logs',
    'Passwords, tokens and keys are cut out before a line is written. Error answers carry no inner message.',
  ],
  ['The code', 'One command starts the whole product on your own machine. You can read what it does, and test it.'],
] as const;

export function SecurityPage() {
  return (
    <>
      <PageHead
        title="The safest key is the one you never hand over"
        lead="Your funds stay in your own exchange accounts. Sextant needs no exchange API keys and no withdrawal access, because it trades nothing."
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
