import { ThumbsDown, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { useRateHelp } from '../../../api/help.ts';
import type { HelpMessage } from '../../../api/types.ts';
import { toastRefusal } from '../../../state/toasts.ts';
import { ArticleLink } from '../../../ui/ArticleLink.tsx';

export const SUGGESTIONS_MAX = 6;

const looks = {
  user: 'self-end bg-accent-soft border-transparent',
  assistant: 'self-start bg-bg border-line',
};

export function Bubble({ role, children }: { role: HelpMessage['role']; children: ReactNode }) {
  return (
    <li className={`max-w-[90%] rounded border px-3 py-2 whitespace-pre-wrap break-words ${looks[role]}`}>
      <span className="sr-only">{role === 'user' ? 'You: ' : 'Assistant: '}</span>
      {children}
    </li>
  );
}

export function Typing() {
  return (
    <li className="flex items-center gap-2 self-start rounded border border-line bg-bg px-3 py-2 text-muted">
      <span aria-hidden="true" className="flex gap-1">
        {[0, 1, 2].map((dot) => (
          <span
            key={dot}
            className="size-1.5 animate-[pulse_1.2s_ease-in-out_infinite] rounded-full bg-muted"
            style={{ animationDelay: `${dot * 0.2}s` }}
          />
        ))}
      </span>
      The assistant is typing
    </li>
  );
}

interface QuestionsProps {
  label: string;
  questions: readonly string[];
  onAsk: (question: string) => void;
}

export function Questions({ label, questions, onAsk }: QuestionsProps) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {questions.map((question) => (
        <li key={question} className="max-w-full">
          <button type="button" className="btn btn-small btn-sentence" onClick={() => onAsk(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface Props {
  message: HelpMessage;
  /** Given for the last message: what it suggests can be asked. */
  onAsk: ((question: string) => void) | undefined;
}

/** A message of the chat; an answer with the passages it stands on, its rating, and what may be asked next. Plain text throughout. */
export function Message({ message, onAsk }: Props) {
  if (message.role === 'user') return <Bubble role="user">{message.text}</Bubble>;
  return (
    <Bubble role="assistant">
      {message.text}
      <div className="mt-2 flex flex-col gap-2 whitespace-normal">
        <Sources sources={message.sources} />
        <Rating message={message} />
        {onAsk !== undefined && message.suggested.length > 0 && (
          <Questions label="Suggestions" questions={message.suggested.slice(0, SUGGESTIONS_MAX)} onAsk={onAsk} />
        )}
      </div>
    </Bubble>
  );
}

function Sources({ sources }: Pick<HelpMessage, 'sources'>) {
  if (sources.length === 0) return null;
  return (
    <ul aria-label="Sources" className="flex flex-col gap-0.5 text-label">
      {sources.map(({ slug, anchor, title, heading }) => (
        <li key={`${slug}#${anchor}`} className="flex min-h-6 items-center">
          <ArticleLink slug={slug} anchor={anchor}>
            {heading === title ? title : `${title}: ${heading}`}
          </ArticleLink>
        </li>
      ))}
    </ul>
  );
}

const choices = [
  { isHelpful: true, name: 'Helpful', icon: ThumbsUp },
  { isHelpful: false, name: 'Not helpful', icon: ThumbsDown },
];

function Rating({ message: { id, is_helpful: rated } }: { message: HelpMessage }) {
  const rate = useRateHelp();
  const onRate = (isHelpful: boolean) =>
    rate.mutate(
      { id, isHelpful },
      { onError: (failure) => toastRefusal(messageOf(failure, 'Your rating was not saved. Try again.'), failure) },
    );
  return (
    <div role="group" aria-label="Did this answer help?" className="flex items-center gap-1">
      {choices.map(({ isHelpful, name, icon: Icon }) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          aria-pressed={rated === isHelpful}
          title={name}
          disabled={rate.isPending}
          className="btn btn-small btn-icon btn-ghost btn-choice"
          onClick={() => onRate(isHelpful)}
        >
          <Icon size={14} aria-hidden="true" />
        </button>
      ))}
      {rated !== null && <span className="text-label text-muted">Rated</span>}
    </div>
  );
}
