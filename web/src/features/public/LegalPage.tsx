import { useState } from 'react';
import { useAppInfo } from '../../api/useSession.ts';
import { Tabs, useTabsId } from '../../ui/Tabs.tsx';
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

/** Sections to choose from, all of them in the page for readers without scripts, and how to reach the operator. */
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

/** From the configuration of this installation. One that is not configured is said to be missing, never invented. */
function ContactBlock() {
  const app = useAppInfo();
  const contact = app.data?.contact;
  return (
    <section aria-labelledby="contact" className="min-h-32">
      <h2 id="contact" className="text-page font-semibold">
        Contact
      </h2>
      {contact !== undefined && (
        <dl className="mt-3 grid grid-cols-[64px_1fr] gap-x-4 gap-y-2 text-section">
          <dt className="text-muted">Email</dt>
          <dd>
            <ContactLink kind="mailto" value={contact.email} />
          </dd>
          <dt className="text-muted">Phone</dt>
          <dd>
            <ContactLink kind="tel" value={contact.phone} />
          </dd>
        </dl>
      )}
      {app.isError && (
        <p className="mt-3 text-muted">The contact could not be read from the server. Reload the page.</p>
      )}
    </section>
  );
}

function ContactLink({ kind, value }: { kind: 'mailto' | 'tel'; value: string | null }) {
  if (value === null) return <span className="text-muted">not given by the operator of this installation</span>;
  const target = kind === 'tel' ? value.replace(/[^+\d]/g, '') : value;
  return (
    <a href={`${kind}:${target}`} className="break-words text-accent underline underline-offset-2">
      {value}
    </a>
  );
}
