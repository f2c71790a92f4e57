import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { endOtherSessions, endSession, fetchSessions } from '../../../api/security.ts';
import { toastFailure } from '../../../state/toastFailure.ts';
import { toast } from '../../../state/toasts.ts';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';

const browsers: [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: [RegExp, string][], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** `Chrome on Windows` from a User-Agent; its beginning for an unknown browser. A User-Agent can claim anything, so this is a hint. */
function deviceName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown device';
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser === undefined) return userAgent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}

type Session = Awaited<ReturnType<typeof fetchSessions>>[number];

/** The open sessions of the account; each can be ended. */
export function SessionsPanel() {
  const queryClient = useQueryClient();
  const sessions = useQuery({ queryKey: queryKeys.security.sessions, queryFn: ({ signal }) => fetchSessions(signal) });
  // Null ends all of them but this one.
  const end = useMutation({
    mutationFn: (id: string | null) => (id === null ? endOtherSessions() : endSession(id)),
    onSuccess: (_done, id) => toast(id === null ? 'All other sessions were ended' : 'The session was ended', 'success'),
    onError: (failure) => toastFailure('The session could not be ended', failure),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.security.sessions }),
  });
  const hasOthers = sessions.data?.some((session) => !session.is_current) === true;
  return (
    <Panel
      title="Sessions"
      className="lg:col-span-2"
      bodyClassName=""
      aside={
        hasOthers && (
          <button type="button" className="btn btn-small" disabled={end.isPending} onClick={() => end.mutate(null)}>
            End all others
          </button>
        )
      }
    >
      {sessions.isPending && <SkeletonRows rows={3} />}
      {sessions.error !== null && (
        <ErrorState failure={sessions.error} text={messageOf(sessions.error, 'The sessions could not be read')} />
      )}
      <ul>
        {sessions.data?.map((session) => (
          <SessionRow key={session.id} session={session} isBusy={end.isPending} onEnd={() => end.mutate(session.id)} />
        ))}
      </ul>
    </Panel>
  );
}

function SessionRow({ session, isBusy, onEnd }: { session: Session; isBusy: boolean; onEnd: () => void }) {
  const name = deviceName(session.user_agent);
  return (
    <li className="flex min-h-12 items-center gap-3 border-b border-line px-3 py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={session.user_agent ?? undefined}>
          {name}
          {session.is_current && <span className="ml-2 text-label font-normal text-accent">This session</span>}
        </p>
        <p className="text-label text-muted tabular-nums">
          {session.ip ?? 'Unknown address'} · signed in <Time at={session.created_at} /> · last seen{' '}
          <Time at={session.last_seen_at} />
        </p>
      </div>
      {!session.is_current && (
        <button
          type="button"
          className="btn btn-small"
          aria-label={`End the session of ${name}`}
          disabled={isBusy}
          onClick={onEnd}
        >
          End
        </button>
      )}
    </li>
  );
}
