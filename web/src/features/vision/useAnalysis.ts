import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { proxy, useSnapshot } from 'valtio';
import { useCredits } from '../../api/credits.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { LastVision, VisionAnalysis } from '../../api/types.ts';
import { askForAnalysisAgain, postChart, useLastVision, useVisionProgress } from '../../api/vision.ts';
import { createLatestTask } from '../../state/latestTask.ts';
import { toast } from '../../state/toasts.ts';
import { onUserReset } from '../../state/userReset.ts';

/** Every text of the tab that is said more than once or by the server too. */
export const texts = {
  drop: 'Drop your chart here',
  formats: 'PNG, JPG, WEBP, max 2MB',
  failed: 'Analysis failed',
  noCredits: 'Insufficient credits',
  openFailed: 'Auto position failed',
  notOpened: 'AI detected patterns. No position opened.',
  tooLarge: 'The image is larger than 2 MB.',
  empty: 'The file is empty.',
  otherType: 'The file is not a PNG, JPEG or WebP image.',
} as const;

const BYTES_MAX = 2 * 1024 * 1024;
export const acceptedTypes = ['image/png', 'image/jpeg', 'image/webp'];

/** What is wrong with a file, as far as can be said before it is sent. */
export function fileError({ size, type }: { size: number; type: string }): string | undefined {
  if (size === 0) return texts.empty;
  if (size > BYTES_MAX) return texts.tooLarge;
  return type === '' || acceptedTypes.includes(type) ? undefined : texts.otherType;
}

interface RunState {
  isSending: boolean;
  /** Why the newest analysis failed, in full; null when it did not. */
  failure: string | null;
}
const first = (): RunState => ({ isSending: false, failure: null });

/** Outlives the tab: an analysis that was started goes on while another tab is looked at. */
const runState = proxy<RunState>(first());
onUserReset(() => Object.assign(runState, first()));
const task = createLatestTask();

async function send(client: QueryClient, file: Blob): Promise<void> {
  runState.isSending = true;
  runState.failure = null;
  client.setQueryData(queryKeys.vision.progress, null);
  const isNewest = await task.run({
    work: (signal) => postChart(file, crypto.randomUUID(), signal),
    onDone: ({ analysis }) => {
      client.setQueryData<LastVision>(queryKeys.vision.last, (last) =>
        last === undefined ? last : { ...last, analysis, is_running: false },
      );
      tellOpening(analysis);
    },
    onFailed: (failure) => {
      const isBroke = failure instanceof ApiFailure && failure.code === 'insufficient_credits';
      const text = isBroke ? texts.noCredits : texts.failed;
      runState.failure = `${text}. ${messageOf(failure, '')}`.trim();
      toast(text, 'error');
    },
  });
  if (!isNewest) return;
  runState.isSending = false;
  await askForAnalysisAgain(client);
}

function tellOpening({ opening }: VisionAnalysis): void {
  if (opening === null) return;
  const tones = { opened: 'success', skipped: 'info', failed: 'error' } as const;
  toast(opening.message, tones[opening.outcome]);
}

/** The last analysis, one under way, and the way to start one. Use once, in the tab. */
export function useAnalysis() {
  const client = useQueryClient();
  const last = useLastVision();
  const progress = useVisionProgress();
  const credits = useCredits().data?.balance;
  const { isSending, failure } = useSnapshot(runState);
  const isBusy = isSending || last.data?.is_running === true;
  const isBroke = credits !== undefined && credits < 1;

  const start = (file: Blob): void => {
    if (isBusy) return;
    const problem = isBroke ? texts.noCredits : fileError(file);
    if (problem !== undefined) {
      runState.failure = problem;
      toast(problem, 'error');
      return;
    }
    void send(client, file);
  };
  return { last, progress, credits, isBusy, isBroke, failure, start };
}

export type AnalysisRun = ReturnType<typeof useAnalysis>;

/** Calls `take` with a picture that is pasted anywhere while the tab is open, unless into a field. */
export function usePastedPicture(take: (file: Blob) => void): void {
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (file === undefined) return;
      event.preventDefault();
      latest.current(file);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);
}
