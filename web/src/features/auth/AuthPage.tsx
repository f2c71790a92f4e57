import { ArrowLeft, ChartCandlestick, Radar, ShieldCheck } from 'lucide-react';
import { Link } from 'wouter';
import { useAppInfo } from '../../api/useSession.ts';
import { Field } from '../../ui/Field.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TabPanel, Tabs, useTabsId } from '../../ui/Tabs.tsx';
import { ThemeToggle } from '../../ui/ThemeToggle.tsx';
import { authTexts } from './authForm.ts';
import { useAuthForm } from './useAuthForm.ts';

const modes = [
  { id: 'signin', label: 'Sign In' },
  { id: 'signup', label: 'Sign Up' },
] as const;

const features = [
  { icon: Radar, title: 'Real-time AI signals', text: 'Votes of the engine, each with its reason and its age.' },
  {
    icon: ShieldCheck,
    title: 'Enterprise security',
    text: 'No exchange keys, no withdrawal access, rows only you can read.',
  },
  { icon: ChartCandlestick, title: 'Advanced analytics', text: 'Backtests with every cost, reproducible to the bit.' },
];

/** `back` asks for the Back button (AUTH-005): the page was opened from another one. */
export function AuthPage() {
  const wantsBack = new URLSearchParams(window.location.search).get('back') === '1';
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-[var(--bar-height)] items-center justify-between px-4">
        <Link href="/" className="flex items-center gap-2 text-section font-semibold">
          <Logo /> Sextant
        </Link>
        <ThemeToggle />
      </header>
      <main className="mx-auto grid w-full max-w-220 flex-1 content-center items-center gap-8 px-4 py-6 md:grid-cols-[1fr_360px] md:gap-16">
        <section className="max-md:order-last">
          <ul className="flex flex-col gap-5">
            {features.map(({ icon: Icon, title, text }) => (
              <li key={title} className="flex gap-3">
                <span className="grid size-8 shrink-0 place-items-center rounded border border-line bg-panel text-accent">
                  <Icon size={16} aria-hidden="true" />
                </span>
                <span>
                  <span className="block text-section font-semibold">{title}</span>
                  <span className="text-muted">{text}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
        <div className="min-w-0">
          {wantsBack && (
            <Link href="/" className="btn btn-ghost btn-small mb-2 -ml-2">
              <ArrowLeft size={14} aria-hidden="true" /> Back
            </Link>
          )}
          <AuthCard />
        </div>
      </main>
    </div>
  );
}

function AuthCard() {
  const form = useAuthForm();
  const tabsId = useTabsId();
  const texts = authTexts[form.mode];
  const app = useAppInfo();
  return (
    <div className="panel">
      <Tabs
        label="Way in"
        items={modes}
        active={form.mode}
        onSelect={form.selectMode}
        idBase={tabsId}
        className="h-10 border-b border-line px-1"
      />
      <TabPanel idBase={tabsId} id={form.mode} className="flex flex-col gap-4 p-4">
        <h1 className="text-page font-semibold">{texts.heading}</h1>
        <form
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            form.submit();
          }}
        >
          <Field label="Email" error={form.errors.email}>
            {(ids) => (
              <input
                {...ids}
                className="input"
                type="email"
                name="email"
                autoComplete="email"
                required
                value={form.fields.email}
                onChange={(event) => form.edit({ email: event.target.value })}
              />
            )}
          </Field>
          <Field label="Password" hint={texts.passwordHint} error={form.errors.password}>
            {(ids) => (
              <input
                {...ids}
                className="input"
                type="password"
                name="password"
                autoComplete={texts.passwordAutocomplete}
                required
                value={form.fields.password}
                onChange={(event) => form.edit({ password: event.target.value })}
              />
            )}
          </Field>
          {form.failure !== null && <Notice tone="error">{form.failure}</Notice>}
          <button type="submit" className="btn btn-primary mt-1" disabled={form.isProcessing}>
            {form.isProcessing ? 'Processing...' : texts.submit}
          </button>
        </form>
        {app.data?.demoAccount === true && (
          <button type="button" className="btn" disabled={form.isProcessing} onClick={form.tryDemo}>
            Try the demo account
          </button>
        )}
        <p className="text-muted">
          {texts.other}{' '}
          <button
            type="button"
            className="font-medium text-accent underline-offset-2 hover:underline"
            onClick={() => form.selectMode(form.mode === 'signin' ? 'signup' : 'signin')}
          >
            {texts.otherAction}
          </button>
        </p>
      </TabPanel>
    </div>
  );
}
