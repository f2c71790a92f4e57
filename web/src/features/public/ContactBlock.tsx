import { useAppInfo } from '../../api/useSession.ts';

/** From the configuration of this installation. One that is not configured is said to be missing, never invented. */
export function ContactBlock() {
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
