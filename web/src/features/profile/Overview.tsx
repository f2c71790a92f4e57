import type { Profile } from '../../api/types.ts';
import { formatDay, formatUtc } from '../../format/time.ts';
import { openPage } from '../../state/navigation.ts';
import { Picture } from './Picture.tsx';
import { RankingPanel } from './RankingPanel.tsx';

export function Overview({ profile }: { profile: Profile }) {
  return (
    <div className="flex flex-col gap-4">
      <Card profile={profile} />
      <RankingPanel />
    </div>
  );
}

function Card({ profile }: { profile: Profile }) {
  return (
    <article className="panel overflow-hidden">
      <Picture kind="cover" url={profile.cover_url} name={profile.display_name} className="border-b border-line" />
      <div className="flex flex-wrap items-start gap-4 p-4">
        <Picture
          kind="avatar"
          url={profile.avatar_url}
          name={profile.display_name}
          className="-mt-12 w-24 shrink-0 rounded border border-line"
        />
        <div className="min-w-0 flex-1 max-md:order-last max-md:basis-full">
          <h2 className="text-page font-semibold break-words">{profile.display_name}</h2>
          <p className="text-muted">
            {profile.username !== null && <>@{profile.username} · </>}
            Joined <time title={formatUtc(profile.created_at)}>{formatDay(profile.created_at)}</time>
          </p>
        </div>
        <button type="button" className="btn max-md:ml-auto" onClick={() => openPage('profile', 'settings')}>
          Edit profile
        </button>
      </div>
      {/* Plain text: React writes it as text, its line breaks are kept, and nothing in it is ever markup. */}
      {profile.bio !== null && <p className="px-4 pb-4 break-words whitespace-pre-line">{profile.bio}</p>}
    </article>
  );
}
