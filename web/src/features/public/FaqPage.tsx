import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { CallToAction } from './CallToAction.tsx';
import { faq, type Question } from './faq.ts';
import { PageHead } from './PageHead.tsx';

/** At most one answer is open on the whole page. */
export function FaqPage() {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <>
      <PageHead
        title="Questions and answers"
        lead="Twelve exact answers. In the product, every figure opens its definition."
      >
        <CallToAction to={['login', 'features', 'how']} className="mt-6" />
      </PageHead>
      {faq.map(({ category, questions }) => (
        <section key={category} className="grid gap-4 lg:grid-cols-[280px_1fr]">
          <h2 className="text-page font-semibold">{category}</h2>
          <ul className="panel">
            {questions.map((each) => (
              <Answer
                key={each.question}
                {...each}
                isOpen={open === each.question}
                onToggle={() => setOpen(open === each.question ? null : each.question)}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

interface AnswerProps extends Question {
  isOpen: boolean;
  onToggle: () => void;
}

function Answer({ question, answer, isOpen, onToggle }: AnswerProps) {
  const id = useId();
  return (
    <li className="border-line not-first:border-t">
      <h3>
        <button
          type="button"
          id={`${id}-question`}
          aria-expanded={isOpen}
          aria-controls={id}
          className="flex min-h-12 w-full items-center justify-between gap-4 px-4 py-2 text-left text-section font-medium hover:bg-row-hover"
          onClick={onToggle}
        >
          {question}
          <ChevronDown
            size={16}
            aria-hidden="true"
            className={`shrink-0 text-muted transition-transform duration-150 ${isOpen ? 'rotate-180' : ''}`}
          />
        </button>
      </h3>
      <div id={id} role="region" aria-labelledby={`${id}-question`} hidden={!isOpen} className="px-4 pb-4 text-muted">
        <p className="max-w-150 text-section leading-[24px]">{answer}</p>
      </div>
    </li>
  );
}
