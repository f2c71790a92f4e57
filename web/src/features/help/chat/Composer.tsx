import { SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, type SubmitEvent, useId } from 'react';
import { useSnapshot } from 'valtio';
import { helpPlace, keepHelp } from '../../../state/helpPlace.ts';
import { TextArea } from '../../../ui/TextField.tsx';

/** The server takes so many characters. */
const QUESTION_MAX = 1000;

interface Props {
  /** An answer is on its way. */
  isBusy: boolean;
  onSend: (text: string) => void;
}

/** Enter sends, Shift+Enter breaks the line. */
export function Composer({ isBusy, onSend }: Props) {
  const { draft } = useSnapshot(helpPlace);
  const hintId = useId();
  const text = draft.trim();
  const send = () => {
    if (text === '' || isBusy) return;
    keepHelp({ draft: '' });
    onSend(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also takes a word of an input method, which is no sending.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <form className="flex flex-col gap-1" onSubmit={onSubmit}>
      <div className="flex items-end gap-2">
        <TextArea
          aria-label="Your question"
          aria-describedby={hintId}
          placeholder="Ask how something works"
          rows={2}
          maxLength={QUESTION_MAX}
          value={draft}
          onChange={(event) => keepHelp({ draft: event.target.value })}
          onKeyDown={onKeyDown}
        />
        <button type="submit" className="btn btn-primary" disabled={text === '' || isBusy}>
          <SendHorizontal size={14} aria-hidden="true" /> Send
        </button>
      </div>
      <p id={hintId} className="text-label text-muted">
        Enter sends, Shift+Enter begins a new line. A question costs no credit.
      </p>
    </form>
  );
}
