import { proxy } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { allNews, markNewsRead, type NewsFilter } from '../../../api/news.ts';
import { formatCount } from '../../../format/number.ts';
import { onUserReset } from '../../../state/userReset.ts';

/** How long a story that was marked as read takes to fade. */
export const FADE_MS = 180;

interface NewsState {
  filter: NewsFilter;
  /** Stories that were marked here. Not listed: unread. */
  phases: Record<string, 'unread' | 'fading' | 'gone'>;
  /** Id of the story whose details are open. */
  openId: string | null;
}

const first = (): NewsState => ({ filter: allNews, phases: {}, openId: null });

/** State of the news page; cleared with the user. */
export const newsState = proxy<NewsState>(first());
onUserReset(() => Object.assign(newsState, first()));

/** Fades the stories, removes them and saves that on the server. A failure restores them. @throws ApiFailure */
export async function fadeAndMark(ids: readonly string[], isAll: boolean): Promise<void> {
  const { phases } = newsState;
  for (const id of ids) phases[id] = 'fading';
  await new Promise((resolve) => setTimeout(resolve, FADE_MS));
  // Another user may have signed in meanwhile.
  if (newsState.phases !== phases) return;
  for (const id of ids) phases[id] = 'gone';
  try {
    await markNewsRead(isAll ? { all: true } : { ids: [...ids] });
  } catch (failure) {
    for (const id of ids) phases[id] = 'unread';
    throw failure;
  }
}

const LOAD_FAILED = 'Failed to load news';

/** `Failed to load news`, with the reason where the server gives one. */
export function loadFailure(failure: unknown): string {
  const why = messageOf(failure, '');
  return why === '' ? LOAD_FAILED : `${LOAD_FAILED}: ${why}`;
}

/** `1 story`, `12 stories` */
export const storiesText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'story' : 'stories'}`;
