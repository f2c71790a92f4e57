import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchPrivacy, savePrivacy } from '../../../api/account.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { Privacy } from '../../../api/types.ts';
import { toast } from '../../../state/toasts.ts';
import { ErrorState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { DeletionPanel } from './DeletionPanel.tsx';
import { ExportPanel } from './ExportPanel.tsx';

/** What each choice does, in so many words: none of them promises more than the product does. */
const choices: { key: keyof Privacy; label: string; text: string }[] = [
  {
    key: 'analytics',
    label: 'Analytics',
    text: 'Your browser reports loading times without your name; the figures are at /api/measured. Off: it reports nothing.',
  },
  {
    key: 'research_sharing',
    label: 'Research sharing',
    text: 'Your server backtests count in statistics over at least five users, by market and interval, at /api/research/backtests. Off: yours are excluded.',
  },
  {
    key: 'marketing',
    label: 'Marketing',
    text: 'Occasional news by mail from the operator of this installation. Off: none.',
  },
  {
    key: 'public_stats',
    label: 'Public stats',
    text: 'Anyone who knows your username sees your display name, bio, pictures and join date. Off: only you see them. Browsers may keep pictures for an hour.',
  },
  {
    key: 'leaderboard',
    label: 'Leaderboard',
    text: 'You appear in the ranking of simulated results under Profile once you have a username and ten closed positions. Off: you do not appear.',
  },
  {
    key: 'allow_follow',
    label: 'Allow follow',
    text: 'Other users may follow you in the ranking. Off: no one can follow you, and your current followers are removed.',
  },
];

export function PrivacySection() {
  return (
    <div className="flex flex-col gap-4">
      <Panel title="What you allow" bodyClassName="">
        <Choices />
      </Panel>
      <ExportPanel />
      <DeletionPanel />
    </div>
  );
}

function Choices() {
  const queryClient = useQueryClient();
  const privacy = useQuery({ queryKey: queryKeys.account.privacy, queryFn: fetchPrivacy });
  const show = (change: Partial<Privacy>) =>
    queryClient.setQueryData<Privacy>(queryKeys.account.privacy, (shown) =>
      shown === undefined ? shown : { ...shown, ...change },
    );
  const save = useMutation({
    mutationFn: savePrivacy,
    // Shown at once; put back when it could not be saved.
    onMutate: (change) => show(change),
    onSuccess: (saved) => queryClient.setQueryData(queryKeys.account.privacy, saved),
    onError: (_failure, change) => {
      show(Object.fromEntries(Object.entries(change).map(([key, value]) => [key, !value])));
      toast('Save failed', 'error');
    },
  });
  if (privacy.data === undefined) {
    if (!privacy.isError) return <SkeletonRows rows={6} />;
    return <ErrorState text="Failed to initialize" onRetry={() => void privacy.refetch()} />;
  }
  const shown = privacy.data;
  return (
    <ul>
      {choices.map(({ key, label, text }) => (
        <li key={key} className="flex items-center gap-4 border-b border-line px-3 py-2.5 last:border-b-0">
          <div className="min-w-0 flex-1">
            <p className="font-medium">{label}</p>
            <p className="text-label text-muted">{text}</p>
          </div>
          <Switch label={label} isOn={shown[key]} onToggle={(isOn) => save.mutate({ [key]: isOn })} />
        </li>
      ))}
    </ul>
  );
}
