import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import { AuthFrame } from './AuthFrame.tsx';

const refreshMs = 2000;

/** The emails of a demo: it has no mail server, so they arrive here. */
export function OutboxPage() {
  const emails = useQuery({
    queryKey: queryKeys.outbox,
    queryFn: ({ signal }) => dataOf(api.GET('/api/outbox', { signal })),
    refetchInterval: refreshMs,
    retry: false,
  });
  return (
    <AuthFrame className="flex max-w-180 flex-col content-start gap-4">
      <div>
        <h1 className="text-page font-semibold">Demo emails</h1>
        <p className="text-muted">Stored in memory until the product stops. Nothing leaves this machine.</p>
      </div>
      {emails.isPending && <SkeletonRows rows={4} />}
      {emails.error !== null && (
        <ErrorState failure={emails.error} text={messageOf(emails.error, 'Could not load the emails')} />
      )}
      {emails.data?.mails.length === 0 && <EmptyState text="No emails yet. Sent ones appear within seconds." />}
      {emails.data?.mails.map(({ id, to, subject, text, receivedAtMs }) => (
        <Panel key={id} title={subject} aside={<Time at={receivedAtMs} />}>
          <p className="mb-2 text-label text-muted">To {to}</p>
          <div className="break-words whitespace-pre-wrap">{withLinks(text)}</div>
        </Panel>
      ))}
    </AuthFrame>
  );
}

/** Links of our own pages become links; everything else stays text. */
function withLinks(text: string) {
  return text.split(/(https?:\/\/\S+)/).map((part, at) =>
    at % 2 === 1 && URL.canParse(part) ? (
      <a key={at} href={toHere(part)} className="break-all text-accent underline underline-offset-2">
        {part}
      </a>
    ) : (
      part
    ),
  );
}

/** The email contains the URL of the installation; this page may be open under another name of the same machine. */
const toHere = (link: string): string => {
  const { pathname, hash } = new URL(link);
  return `${pathname}${hash}`;
};
