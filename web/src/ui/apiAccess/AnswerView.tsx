import type { TriedAnswer } from '../../api/tryCall.ts';
import { formatFixed } from '../../format/number.ts';
import { CodeBlock } from '../CodeBlock.tsx';

/** What came back, as a program would get it. */
export function AnswerView({ answer, label = 'Answer' }: { answer: TriedAnswer; label?: string }) {
  const { status, tookMs, text, remaining } = answer;
  const isGood = status >= 200 && status < 400;
  return (
    <div className="flex flex-col gap-1">
      <p role="status" className={`font-semibold ${isGood ? 'text-up' : 'text-down'}`}>
        {status === 0 ? 'No answer' : `${status} ${isGood ? 'OK' : 'Refused'}`}
        <span className="ml-2 font-normal text-muted tabular-nums">
          {formatFixed(tookMs, 0)} ms{remaining === null ? '' : `, ${remaining} calls left this hour`}
        </span>
      </p>
      <CodeBlock label={label} text={text.length > 20_000 ? `${text.slice(0, 20_000)}\n… cut here` : text} />
    </div>
  );
}
