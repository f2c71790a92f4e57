import { QUESTION_MAX } from '@sextant/workers/src/core/limits.ts';
import { SendHorizontal, ThumbsDown, ThumbsUp, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import { useHelpRequest, useClearHelpChat, useHelpChat, useRateHelp } from '../../../api/help.ts';
import type { HelpChat, HelpMessage } from '../../../api/types.ts';
import { formatPercent } from '../../../format/number.ts';
import { helpPlace, keepHelp } from '../../../state/helpPlace.ts';
import { toastRejection } from '../../../state/toasts.ts';
import { ArticleLink } from '../../../ui/ArticleLink.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Loaded, Panel } from '../../../ui/Panel.tsx';
import { TextArea } from '../../../ui/Field.tsx';
import { quickQuestions } from '../quickQuestions.ts';
import { SignInNotice } from './SignInNotice.tsx';

const isSignedOut = (failure: unknown): boolean =>
  failure instanceof ApiFailure && failure.code === 'not_authenticated';

/** The assistant: messages, suggested questions, and a field for the next one. */
export function ChatPage() {
  const chat = useHelpChat();
  if (isSignedOut(chat.error)) return <SignInNotice />;
  return (
    <Loaded response={chat} failure="Could not load the chat." rows={6}>
      {(data) => <Chat chat={data} />}
    </Loaded>
  );
}

function Chat({ chat }: { chat: HelpChat }) {
  const ask = useHelpRequest();
  const { messages } = chat;
  const end = useRef<HTMLDivElement>(null);
  const waiting = ask.isPending ? ask.variables : null;
  useEffect(() => {
    // An empty chat starts at its top.
    if (messages.length > 0 || waiting !== null) end.current?.scrollIntoView({ block: 'nearest' });
  }, [messages.length, waiting]);
  return (
    <Panel
      title="Assistant"
      aside={<ClearButton isEmpty={messages.length === 0} />}
      bodyClassName="flex flex-col gap-3 p-3"
    >
      <Introduction chat={chat} />
      {messages.length === 0 && !ask.isPending && (
        <Questions label="Quick questions" questions={quickQuestions} onAsk={ask.mutate} />
      )}
      <div role="log" aria-label="Chat" tabIndex={0} className="max-h-[56dvh] max-md:max-h-[44dvh] overflow-y-auto">
        <ol className="flex flex-col gap-3">
          {messages.map((message, at) => (
            <Message
              key={message.id}
              message={message}
              onAsk={at === messages.length - 1 && !ask.isPending ? ask.mutate : undefined}
            />
          ))}
          {waiting !== null && (
            <>
              <Bubble role="user">{waiting}</Bubble>
              <Typing />
            </>
          )}
          {ask.isError && <Bubble role="user">{ask.variables}</Bubble>}
        </ol>
        <div ref={end} />
      </div>
      {ask.isError && <Failure failure={ask.error} onRetry={() => ask.mutate(ask.variables)} />}
      <Composer isBusy={ask.isPending} onSend={ask.mutate} />
      <Ratings {...chat.ratings} />
    </Panel>
  );
}

function Introduction({ chat: { has_model: hasModel, is_demo: isDemo } }: { chat: HelpChat }) {
  return (
    <p className="text-label text-muted">
      Answers cite these help articles and give no trading advice.{' '}
      {hasModel
        ? 'An AI model writes them; each is checked against its articles.'
        : 'No AI model is connected, so the assistant quotes the articles.'}
      {isDemo && ' This demo account and chat end a day after last use.'}
    </p>
  );
}

function Failure({ failure, onRetry }: { failure: Error; onRetry: () => void }) {
  if (isSignedOut(failure)) return <SignInNotice />;
  const reason = messageOf(failure, '');
  return (
    <Notice
      tone="error"
      action={
        <button type="button" className="btn btn-small" onClick={onRetry}>
          Try again
        </button>
      }
    >
      <p>Sorry, something went wrong. Please try again.</p>
      {reason !== '' && <p className="text-label text-muted">{reason}</p>}
    </Notice>
  );
}

function ClearButton({ isEmpty }: { isEmpty: boolean }) {
  const clear = useClearHelpChat();
  const [isAsking, setAsking] = useState(false);
  const confirm = () => {
    setAsking(false);
    clear.mutate(undefined, {
      onError: (failure) => toastRejection(messageOf(failure, 'Could not clear the chat. Try again.'), failure),
    });
  };
  return (
    <>
      <button
        type="button"
        className="btn btn-small btn-ghost"
        disabled={isEmpty || clear.isPending}
        onClick={() => setAsking(true)}
      >
        <Trash2 size={14} aria-hidden="true" /> Clear chat
      </button>
      <Dialog
        title="Clear the chat?"
        text="Delete your questions and answers for good. Your ratings still count."
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        <div className="flex justify-end gap-2">
          <button type="button" className="btn" onClick={() => setAsking(false)}>
            Keep it
          </button>
          <button type="button" className="btn btn-danger" onClick={confirm}>
            Delete all messages
          </button>
        </div>
      </Dialog>
    </>
  );
}

/** The measured share, or how many ratings are missing. */
function Ratings({ count, count_min: countMin, helpful_fraction: share }: HelpChat['ratings']) {
  return (
    <p className="text-label text-muted tabular-nums">
      {share === null
        ? `${count} of ${countMin} ratings. The share of helpful answers appears at ${countMin}.`
        : `${formatPercent(share)} of ${count} rated answers were helpful.`}
    </p>
  );
}

interface Props {
  /** A response is pending. */
  isBusy: boolean;
  onSend: (text: string) => void;
}

/** Enter sends, Shift+Enter breaks the line. */
function Composer({ isBusy, onSend }: Props) {
  const { draft } = useSnapshot(helpPlace);
  const hintId = useId();
  const text = draft.trim();
  const send = () => {
    if (text === '' || isBusy) return;
    keepHelp({ draft: '' });
    onSend(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms an input method's composition, which must not send.
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
        Enter sends, Shift+Enter starts a new line. Questions are free.
      </p>
    </form>
  );
}

const SUGGESTIONS_MAX = 6;

const looks = {
  user: 'self-end bg-accent-soft border-transparent',
  assistant: 'self-start bg-bg border-line',
};

function Bubble({ role, children }: { role: HelpMessage['role']; children: ReactNode }) {
  return (
    <li className={`max-w-[90%] rounded border px-3 py-2 whitespace-pre-wrap break-words ${looks[role]}`}>
      <span className="sr-only">{role === 'user' ? 'You: ' : 'Assistant: '}</span>
      {children}
    </li>
  );
}

function Typing() {
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

function Questions({ label, questions, onAsk }: QuestionsProps) {
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

interface MessageProps {
  message: HelpMessage;
  /** Set for the last message: its suggestions can be asked. */
  onAsk: ((question: string) => void) | undefined;
}

/** A message of the chat; a response with its sources, its rating, and suggested questions. Plain text throughout. */
function Message({ message, onAsk }: MessageProps) {
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
      { onError: (failure) => toastRejection(messageOf(failure, 'Could not save your rating. Try again.'), failure) },
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
