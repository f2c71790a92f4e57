import { useQuery } from '@tanstack/react-query';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import { fetchProfile } from '../../api/profile.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { Profile } from '../../api/types.ts';
import { navigation, openPage } from '../../state/navigation.ts';
import { ErrorState, SkeletonRows } from '../../ui/Panel.tsx';
import { TabPanel, Tabs, useTabsId } from '../../ui/Tabs.tsx';
import { Overview } from './Overview.tsx';
import { ProfileSettings } from './ProfileSettings.tsx';

const TAB = 'profile';

/** PROF-001. A page is listed from the day it works. */
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
  const id = useTabsId();
  const profile = useQuery({ queryKey: queryKeys.profile, queryFn: fetchProfile });
  const View = views[page];
  return (
    <>
      <h1 className="sr-only">Profile</h1>
      <Tabs
        label="Profile"
        items={pages}
        active={page}
        idBase={id}
        onSelect={(next) => openPage(TAB, next)}
        className="h-10 shrink-0 border-b border-line bg-panel px-2"
      />
      <TabPanel idBase={id} id={page} className="mx-auto w-full max-w-240 p-4 max-md:p-3">
        {profile.data !== undefined && <View profile={profile.data} />}
        {profile.data === undefined && !profile.isError && <SkeletonRows rows={6} />}
        {profile.data === undefined && profile.isError && (
          <ErrorState
            text={messageOf(profile.error, 'The profile could not be read.')}
            onRetry={() => void profile.refetch()}
          />
        )}
      </TabPanel>
    </>
  );
}
