import { useState } from 'react';
import { Tabs, useTabsId } from '../../ui/Tabs.tsx';
import { ContactBlock } from './ContactBlock.tsx';
import { PageHead } from './PageHead.tsx';

export interface LegalSection {
  id: string;
  label: string;
  paragraphs: readonly { title: string; text: string }[];
}

interface Props {
  title: string;
  lead: string;
  sections: readonly [LegalSection, LegalSection, LegalSection];
}

/** Sections to choose from, all of them in the page for whoever reads it without scripts, and how to reach the operator. */
export function LegalPage({ title, lead, sections }: Props) {
  const [active, setActive] = useState(sections[0].id);
  const idBase = useTabsId();
  return (
    <>
      <PageHead title={title} lead={lead} />
      <div className="grid items-start gap-10 lg:grid-cols-[1fr_300px]">
        <div className="panel">
          <Tabs
            label="Sections"
            items={sections}
            active={active}
            onSelect={setActive}
            idBase={idBase}
            className="h-11 overflow-x-auto overflow-y-hidden border-b border-line px-1"
          />
          {sections.map(({ id, paragraphs }) => (
            <div
              key={id}
              role="tabpanel"
              id={`${idBase}-panel-${id}`}
              aria-labelledby={`${idBase}-tab-${id}`}
              hidden={id !== active}
              className="p-5"
            >
              <dl className="flex flex-col gap-5">
                {paragraphs.map((each) => (
                  <div key={each.title}>
                    <dt className="text-section font-semibold">{each.title}</dt>
                    <dd className="mt-1 text-section leading-[24px] text-muted">{each.text}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </div>
        <ContactBlock />
      </div>
    </>
  );
}
