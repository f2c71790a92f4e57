import { NEWS_SYMBOLS_MAX } from '@sextant/workers/src/core/limits.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { saveNewsSettings, useNews, useNewsSettings } from '../../api/news.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { News, NewsSettings } from '../../api/types.ts';
import { symbolListError, symbolsOf } from '../../format/symbolList.ts';
import { createDraftForm } from '../../state/draftForm.ts';
import { tabPages, useOpenPage } from '../../state/tabPages.ts';
import { toast, toastRejection } from '../../state/toasts.ts';
import { Field, TextArea } from '../../ui/Field.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { SettingsForm } from '../../ui/SettingsForm.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Time } from '../../ui/Time.tsx';
import { AnalysisPage } from './analysis/AnalysisPage.tsx';
import { FeedPage } from './feed/FeedPage.tsx';
import { TrendsPage } from './trends/TrendsPage.tsx';
import { storeResponse } from '../../api/storeResponse.ts';

const TAB = 'news';

export function NewsTab() {
  const page = useOpenPage(TAB);
  return (
    <PagedTab
      tab={TAB}
      title="News"
      pages={tabPages[TAB]}
      page={page}
      layout={page === 'settings' ? 'reading' : 'full'}
    >
      {page === 'feed' && <FeedPage />}
      {page === 'analysis' && <AnalysisPage />}
      {page === 'trends' && <TrendsPage />}
      {page === 'settings' && <NewsSettingsPage />}
    </PagedTab>
  );
}

/** As typed: the symbols are one text. */
interface Draft extends Omit<NewsSettings, 'symbols'> {
  symbols: string;
}
const form = createDraftForm<Draft>();
const draftOf = (settings: NewsSettings): Draft => ({ ...settings, symbols: settings.symbols.join(', ') });

function useSettingsForm() {
  const client = useQueryClient();
  const settings = useNewsSettings();
  const { draft, isUnsaved } = form.useDraft();
  const [error, setError] = useState<string | undefined>();
  useEffect(() => {
    if (settings.data !== undefined) form.takeSaved(draftOf(settings.data));
  }, [settings.data]);
  const save = useMutation({
    mutationFn: ({ symbols, ...rest }: Draft) => saveNewsSettings({ ...rest, symbols: symbolsOf(symbols) }),
    onSuccess: async (response, sent) => {
      form.takeResponse(draftOf(response), sent);
      await storeResponse(client, queryKeys.news.settings, response);
      void client.invalidateQueries({ queryKey: queryKeys.news.all });
      toast('News settings saved', 'success');
    },
    onError: (failure) => toastRejection(messageOf(failure, 'Could not save news settings.'), failure),
  });
  const submit = () => {
    const typed = form.read();
    if (typed === null) return;
    const wrong = symbolsError(typed.draft.symbols);
    setError(wrong);
    if (wrong === undefined) save.mutate(typed.draft);
  };
  const edit = (change: Partial<Draft>) => {
    form.edit(change);
    setError(undefined);
  };
  return {
    draft,
    isUnsaved,
    error,
    isSaving: save.isPending,
    failure: draft === null ? settings.error : null,
    reload: () => void settings.refetch(),
    submit,
    edit,
    discard: form.discard,
  };
}

const symbolsError = (text: string): string | undefined =>
  symbolListError(text) ??
  (symbolsOf(text).length > NEWS_SYMBOLS_MAX ? `At most ${NEWS_SYMBOLS_MAX} symbols` : undefined);

function NewsSettingsPage() {
  const settings = useSettingsForm();
  const { edit, error } = settings;
  const news = useNews();
  return (
    <SettingsForm
      name="News Settings"
      settings={settings}
      unreadText={messageOf(settings.failure, 'Could not load news settings.')}
      isPage
    >
      {(draft) => (
        <Guarded>
          <SourcesPanel draft={draft} edit={edit} news={news.data} />
          <ShownPanel draft={draft} edit={edit} error={error} />
        </Guarded>
      )}
    </SettingsForm>
  );
}

interface PartProps {
  draft: Draft;
  edit: (change: Partial<Draft>) => void;
}

const states = { ok: 'read', down: 'cannot be read', waiting: 'not read yet' } as const;

function SourcesPanel({ draft, edit, news }: PartProps & { news: News | undefined }) {
  const hidden = new Set(draft.hidden_sources);
  const toggle = (name: string, isShown: boolean) =>
    edit({ hidden_sources: isShown ? [...hidden].filter((each) => each !== name) : [...hidden, name].sort() });
  return (
    <Panel title="Sources" bodyClassName="flex flex-col px-3">
      {news === undefined && <SkeletonRows rows={4} />}
      {news?.feeds.map(({ name, state, message, last_read_at: at, is_simulated: isSimulated }) => (
        <label key={name} className="flex items-center gap-3 border-b border-line py-2 last:border-b-0">
          <Switch label={name} isOn={!hidden.has(name)} onToggle={(isOn) => toggle(name, isOn)} />
          <span className="min-w-0 flex-1">
            <span className="font-medium">{name}</span>
            {isSimulated && (
              <span className="ml-2 rounded-sm border border-line px-1 text-label text-muted">simulated</span>
            )}
            <span className={`block text-label ${state === 'down' ? 'text-warn' : 'text-muted'}`}>
              {message ?? states[state]}
              {at !== null && (
                <>
                  {', '}last <Time at={at} />
                </>
              )}
            </span>
          </span>
        </label>
      ))}
    </Panel>
  );
}

function ShownPanel({ draft, edit, error }: PartProps & { error: string | undefined }) {
  const rows = [
    ['is_high_impact_only', 'High impact only', 'Show only stories with a high-impact keyword'],
    ['shows_posts', 'Show posts', 'Show social posts beside the stories'],
    ['shows_chart_marks', 'Show stories on charts', 'Marks on the candles of backtests, signals and positions'],
  ] as const;
  return (
    <Panel title="What is shown" bodyClassName="flex flex-col gap-3 p-3">
      <Field
        label="Only these symbols"
        hint={`Such as BTCUSDT, ETHUSDT; at most ${NEWS_SYMBOLS_MAX}. Empty: all stories.`}
        error={error}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            value={draft.symbols}
            onChange={(event) => edit({ symbols: event.target.value })}
          />
        )}
      </Field>
      {rows.map(([key, label, text]) => (
        <label key={key} className="flex items-center gap-3">
          <Switch label={label} isOn={draft[key]} onToggle={(isOn) => edit({ [key]: isOn })} />
          <span>
            <span className="font-medium">{label}</span>
            <span className="block text-label text-muted">{text}</span>
          </span>
        </label>
      ))}
    </Panel>
  );
}
