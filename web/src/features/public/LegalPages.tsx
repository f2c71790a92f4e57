import { PURCHASE_MIN, USD_PER_CREDIT } from '@sextant/workers/src/core/creditPrices.ts';
import { useState } from 'react';
import { useAppInfo } from '../../api/useSession.ts';
import { Tabs, useTabsId } from '../../ui/Tabs.tsx';
import { PageHead } from './PageHead.tsx';

interface LegalSection {
  id: string;
  label: string;
  paragraphs: readonly { title: string; text: string }[];
}

interface Props {
  title: string;
  lead: string;
  sections: readonly [LegalSection, LegalSection, LegalSection];
}

/** Sections as tabs, all of them in the HTML for readers without scripts, and the operator's contact. */
function LegalPage({ title, lead, sections }: Props) {
  const [active, setActive] = useState(sections[0].id);
  const idBase = useTabsId();
  return (
    <>
      <PageHead title={title} lead={lead} />
      <div className="grid items-start gap-10 lg:grid-cols-[1fr_300px]">
        <div className="panel">
          <Tabs
            label="Sections"
            items={sections}
            active={active}
            onSelect={setActive}
            idBase={idBase}
            className="h-11 overflow-x-auto overflow-y-hidden border-b border-line px-1"
          />
          {sections.map(({ id, paragraphs }) => (
            <div
              key={id}
              role="tabpanel"
              id={`${idBase}-panel-${id}`}
              aria-labelledby={`${idBase}-tab-${id}`}
              hidden={id !== active}
              className="p-5"
            >
              <dl className="flex flex-col gap-5">
                {paragraphs.map((each) => (
                  <div key={each.title}>
                    <dt className="text-section font-semibold">{each.title}</dt>
                    <dd className="mt-1 text-section leading-[24px] text-muted">{each.text}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </div>
        <ContactBlock />
      </div>
    </>
  );
}

/** From the configuration of this installation; a missing entry is shown as missing. */
function ContactBlock() {
  const app = useAppInfo();
  const contact = app.data?.contact;
  return (
    <section aria-labelledby="contact" className="min-h-32">
      <h2 id="contact" className="text-page font-semibold">
        Contact
      </h2>
      {contact !== undefined && (
        <dl className="mt-3 grid grid-cols-[64px_1fr] gap-x-4 gap-y-2 text-section">
          <dt className="text-muted">Email</dt>
          <dd>
            <ContactLink kind="mailto" value={contact.email} />
          </dd>
          <dt className="text-muted">Phone</dt>
          <dd>
            <ContactLink kind="tel" value={contact.phone} />
          </dd>
        </dl>
      )}
      {app.isError && <p className="mt-3 text-muted">Could not load the contact. Reload the page.</p>}
    </section>
  );
}

function ContactLink({ kind, value }: { kind: 'mailto' | 'tel'; value: string | null }) {
  if (value === null) return <span className="text-muted">not given by the operator of this installation</span>;
  const target = kind === 'tel' ? value.replace(/[^+\d]/g, '') : value;
  return (
    <a href={`${kind}:${target}`} className="break-words text-accent underline underline-offset-2">
      {value}
    </a>
  );
}

const stored: LegalSection = {
  id: 'stored',
  label: 'What is stored',
  paragraphs: [
    {
      title: 'Your account',
      text: 'Email address, username and display name if you set them, and a password as an argon2id hash, never the password itself. With two-factor sign-in: its secret and the recovery codes.',
    },
    {
      title: 'Your sessions',
      text: 'For each sign-in a random token, when it started and ends, the network address and the browser’s name for itself, so that you can recognise a session that is not yours. A session ends after seven days without use and is deleted then.',
    },
    {
      title: 'What you set and make',
      text: 'Preferences, profile texts and pictures, the backtest form as you left it, and what the server made for you: backtests and searches with symbol, parameters, results and hashes, scans with their results and AI checks, simulated positions with all that happened to them, for 30 days what was not opened and why, and every entry of your credits.',
    },
    {
      title: 'The record of signals',
      text: 'Each signal that a scan finds is written to a public record. The record holds no user data, so it stays when an account is deleted. Verdicts of AI checks count in its figures until the account that requested them is deleted.',
    },
    {
      title: 'Where messages go',
      text: 'When you link a Telegram chat its number and name, when you set a webhook its URL and the sealed key that signs it, and for 30 days what was sent and what came of it.',
    },
    {
      title: 'To limit abuse',
      text: 'Counts of attempts and of costly calls by account or network address, an email address only as a hash, deleted when their window is over. Welcome credits come once to a mailbox: of the address you signed up with a hash under a key of this server stays, also after your account is deleted, with the day and nothing else. Without that key the address cannot be recovered. The server’s log holds times, paths, status codes and network addresses; passwords, tokens and keys are cut out before a line is written.',
    },
    {
      title: 'In your browser',
      text: 'One cookie that keeps you signed in, and in the browser’s own storage the theme, whether you were signed in, and the last candles and runs you viewed. No advertising and no tracking: there is no script of a third party on any page.',
    },
  ],
};

const others: LegalSection = {
  id: 'others',
  label: 'Who else sees it',
  paragraphs: [
    {
      title: 'The exchanges',
      text: 'The server queries Binance, Bybit and OKX for public market data, or a simulated market on its own machine. Your browser never talks to them, and the server sends them nothing about you.',
    },
    {
      title: 'An AI provider, if one is configured',
      text: 'Only features that name it send it anything, and only what they need: the picture you upload, the question you enter, or the figures of a signal, with a code in place of your name by which the provider can recognise misuse. Without a configured provider nothing is sent to any.',
    },
    {
      title: 'A payment provider, if one is configured',
      text: 'To buy credits the server creates an invoice there: the amount, the currency and a reference of the order. You pay the provider directly; this product sees the state of the payment, no card and no wallet key.',
    },
    {
      title: 'Telegram and your webhook, if you set them',
      text: 'Messages you switched on go through Telegram to the chat you linked, and to the URL you gave: what a scan found, credits left, and symbol, size, prices and result of a simulated position.',
    },
    {
      title: 'An email server',
      text: 'Emails about your account go through the mail server of the operator, to your address.',
    },
    {
      title: 'The operator',
      text: 'The operator of this installation can read its database. Other users cannot: the database shows a signed-in user their own rows only, and what you allow below. Nothing is sold, and nothing is shared beyond this page, unless a law demands it.',
    },
  ],
};

const choices: LegalSection = {
  id: 'choices',
  label: 'Your choices',
  paragraphs: [
    {
      title: 'See and correct',
      text: 'Preferences, profile and saved runs are on their screens and can be changed or removed there.',
    },
    {
      title: 'Export and deletion',
      text: 'The account settings export what is held about you as a JSON file, and delete your account. From the request on, other users do not see your profile, your pictures or your place in the ranking; an email states until when you can undo it. Where a screen of this installation does not offer it, write to the contact below.',
    },
    {
      title: 'What you allow',
      text: 'Under Account, Privacy & Data you choose: whether your browser reports loading times, whether your runs count in figures of at least five users together, whether you get news of the operator by email, whether others may see your profile, whether you have a place in the ranking of simulated results under your username, and whether others may follow you there.',
    },
    {
      title: 'Use without an account',
      text: 'These pages and the run on the home page need no account. Like any web server, this one sees your network address while it responds.',
    },
    {
      title: 'Leave no trace here',
      text: 'Sign out and clear the site data of your browser: that removes the cookie and all that this browser has stored.',
    },
    {
      title: 'Changes',
      text: 'This page describes the version of the software that serves it. When the software changes, this text changes with it, in the same commit.',
    },
  ],
};

export function PrivacyPage() {
  return (
    <LegalPage
      title="Privacy policy"
      lead="What this software stores, who else sees any of it, and what you can do about it. It describes what the code does; the operator of this installation is responsible for it."
      sections={[stored, others, choices]}
    />
  );
}

const service: LegalSection = {
  id: 'service',
  label: 'The service',
  paragraphs: [
    {
      title: 'What it is',
      text: 'Software that calculates indicators, backtests and simulated positions on market data of crypto perpetuals. It executes no orders, holds no client money and gives no investment advice.',
    },
    {
      title: 'Market data',
      text: 'Public data of exchanges, or a simulated or recorded market, which is labelled. It can be late, incomplete or wrong; age, source and gaps are shown where they are known.',
    },
    {
      title: 'Availability',
      text: 'No availability is promised. The uptime on these pages is what was measured, nothing more. The service may be changed or ended; results you saved can be exported before.',
    },
    {
      title: 'The software itself',
      text: 'It is open source under the MIT licence, which also says: without warranty of any kind. You may run your own installation.',
    },
  ],
};

const account: LegalSection = {
  id: 'account',
  label: 'Account and credits',
  paragraphs: [
    {
      title: 'Your account',
      text: 'One account per user. Keep your password secret. You are responsible for what is done with your session until you end it. You can leave at any time.',
    },
    {
      title: 'Fair use',
      text: 'Limits protect all users: requests, runs and uploads have bounds, and going around them, probing the accounts of others or reselling the exchanges’ data is not allowed.',
    },
    {
      title: 'Credits',
      text: `${USD_PER_CREDIT} USD is 1 credit. Credits pay for calls that name their price before you make them; a call that fails is not charged. They are no money, no investment and no trading capital, and cannot be withdrawn. The smallest purchase is ${PURCHASE_MIN}, where an installation sells them at all.`,
    },
    {
      title: 'Your content',
      text: 'What you upload or save stays yours. The product uses it only to give you the results you request.',
    },
  ],
};

const risk: LegalSection = {
  id: 'risk',
  label: 'Risk and liability',
  paragraphs: [
    {
      title: 'The risk is yours',
      text: 'Futures with leverage can lose the whole margin within minutes. Trade only what you can afford to lose, and only where the law lets you.',
    },
    {
      title: 'The past is not the future',
      text: 'A backtest shows what rules would have done on known candles, with assumptions about fees, slippage and order inside a candle. Real fills differ. The best of many tried settings is partly luck.',
    },
    {
      title: 'No liability for decisions',
      text: 'As far as the law allows, neither the operator nor the authors are liable for losses from decisions made with these figures, from wrong or late market data, or from the service not being there.',
    },
    {
      title: 'Your legal rights',
      text: 'Nothing on this page limits the rights that the law gives you as a consumer.',
    },
  ],
};

export function TermsPage() {
  return (
    <LegalPage
      title="Terms of service"
      lead="Short, and about this software. By using an account you agree to them."
      sections={[service, account, risk]}
    />
  );
}
