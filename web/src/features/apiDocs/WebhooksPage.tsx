import { openTab } from '../../state/navigation.ts';
import { ArticleLink } from '../../ui/ArticleLink.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { CallList } from './CallList.tsx';

const articles = [
  { slug: 'webhooks', name: 'How delivery, retries and sequence numbers work' },
  { slug: 'webhook-events', name: 'Events and their bodies' },
  { slug: 'webhook-signatures', name: 'Verify signatures, with programs and test vectors' },
  { slug: 'webhook-does-not-arrive', name: 'When a message does not arrive' },
];

/** Messages to programs: what to read first, and the calls that manage them. */
export function WebhooksPage() {
  return (
    <>
      <Panel
        title="Webhooks"
        aside={
          <button type="button" className="btn btn-small" onClick={() => openTab('api-manager', 'webhooks')}>
            Manage webhooks
          </button>
        }
      >
        <p>
          Your server gets a signed POST when a signal is found, a position changes, a payment completes, credits run
          low or a plan ends. Answer with 2xx; anything else is sent again for three days.
        </p>
        <ul className="mt-2 flex flex-col gap-1">
          {articles.map(({ slug, name }) => (
            <li key={slug}>
              <ArticleLink slug={slug}>{name}</ArticleLink>
            </li>
          ))}
        </ul>
      </Panel>
      <CallList page="webhooks" />
    </>
  );
}
