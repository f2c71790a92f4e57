import type { Profile } from '../../api/types.ts';
import { Panel } from '../../ui/Panel.tsx';
import { PictureField } from './PictureField.tsx';
import { TextForm } from './TextForm.tsx';

export function ProfileSettings({ profile }: { profile: Profile }) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Panel title="About you">
        <TextForm profile={profile} />
      </Panel>
      <Panel title="Pictures" bodyClassName="flex flex-col gap-5 p-3">
        <PictureField kind="avatar" profile={profile} />
        <PictureField kind="cover" profile={profile} />
      </Panel>
    </div>
  );
}
