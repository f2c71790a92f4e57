import { useQuery } from '@tanstack/react-query';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import { fetchProfile } from '../../api/profile.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Profile } from '../../api/types.ts';
import { navigation } from '../../state/navigation.ts';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { ErrorState, SkeletonRows } from '../../ui/Panel.tsx';
import { Overview } from './Overview.tsx';
import { ProfileSettings } from './ProfileSettings.tsx';

const TAB = 'profile';

/** A page is listed from the day it works. */
const pages = [
  { id: 'overview', label: 'Overview' },
  { id: 'settings', label: 'Profile Settings' },
] as const;
type PageId = (typeof pages)[number]['id'];

const views: Record<PageId, (props: { profile: Profile }) => React.ReactNode> = {
  overview: Overview,
  settings: ProfileSettings,
};

export function ProfileTab() {
  const saved = useSnapshot(navigation).pages[TAB];
  const page = pages.find(({ id }) => id === saved)?.id ?? 'overview';
  const profile = useQuery({ queryKey: queryKeys.profile, queryFn: fetchProfile });
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="Profile" pages={pages} page={page} layout="reading">
      {profile.data !== undefined && <View profile={profile.data} />}
      {profile.data === undefined && !profile.isError && <SkeletonRows rows={6} />}
      {profile.data === undefined && profile.isError && (
        <ErrorState
          text={messageOf(profile.error, 'The profile could not be read.')}
          onRetry={() => void profile.refetch()}
        />
      )}
    </PagedTab>
  );
}
