import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../api/failure.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { fetchSecurity } from '../../../api/security.ts';
import { useSession } from '../../../api/useSession.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/Panel.tsx';
import { EmailPanel } from './EmailPanel.tsx';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { TwoFactorPanel } from './TwoFactorPanel.tsx';
import { UsernamePanel } from './UsernamePanel.tsx';

/** The Security tab of the account: who you are to others, and how the account is protected. */
export function SecuritySection() {
  const session = useSession();
  const security = useQuery({
    queryKey: queryKeys.security.state,
    queryFn: ({ signal }) => fetchSecurity(signal),
  });
  if (security.isPending) return <SkeletonRows rows={6} height={48} />;
  if (security.error !== null) {
    return (
      <ErrorState
        text={messageOf(security.error, 'The settings could not be read')}
        onRetry={() => void security.refetch()}
      />
    );
  }
  if (!security.data.has_password) {
    return (
      <Notice tone="info">
        The demo account is shared, so it has no username, password or sessions to manage. Sign up for your own account.
      </Notice>
    );
  }
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <UsernamePanel />
      <EmailPanel email={session.data?.email ?? ''} pendingEmail={security.data.pending_email} />
      <PasswordPanel email={session.data?.email ?? ''} />
      <TwoFactorPanel isOn={security.data.two_factor} codesLeft={security.data.recovery_codes_left} />
      <SessionsPanel />
    </div>
  );
}
