import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ChartCandlestick, Radar, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { finishSignIn, signIn, type SignInResult, signInToDemo, signUp } from '../../api/auth.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import type { User } from '../../api/types.ts';
import { useAppInfo } from '../../api/useSession.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TabPanel, Tabs, useTabsId } from '../../ui/Tabs.tsx';
import { TextField } from '../../ui/Field.tsx';
import { AuthFrame, OutboxLink } from './AuthFrame.tsx';
import {
  type AuthErrors,
  type AuthFields,
  type AuthMode,
  authTexts,
  cleanFields,
  isClean,
  validateAuth,
} from './authForm.ts';
import { storeResponse } from '../../api/storeResponse.ts';

/** Used when the server sends no message. */
const FALLBACK = 'Authentication failed';

type Way = AuthMode | 'demo' | 'code';

/** Links that promise an account open the form for one. */
const firstMode = (): AuthMode =>
  new URLSearchParams(window.location.search).get('mode') === 'signup' ? 'signup' : 'signin';

/** The form's draft, errors and sign-in methods. A success stores the user in the session query, and the shell follows. */
function useAuthForm() {
  const queryClient = useQueryClient();
  const [mode, setMode] = useState<AuthMode>(firstMode);
  const [fields, setFields] = useState<AuthFields>({ email: '', password: '' });
  const [errors, setErrors] = useState<AuthErrors>({});
  // What is still required: a code, or the link in an email.
  const [requested, setRequested] = useState<Exclude<SignInResult, { user: User }> | null>(null);
  const [code, setCode] = useState('');
  const challenge = requested !== null && 'challenge' in requested ? requested.challenge : null;

  const entry = useMutation({
    mutationFn: (way: Way): Promise<SignInResult> => {
      if (way === 'demo') return signInToDemo();
      if (way === 'code') return finishSignIn({ challenge: challenge ?? '', code: code.trim() });
      return way === 'signup' ? signUp(cleanFields(fields)) : signIn(cleanFields(fields));
    },
    onSuccess: async (result) => {
      if ('user' in result) await storeResponse(queryClient, queryKeys.session, result.user);
      else setRequested(result);
    },
    onError: (failure, way) => {
      // The step between password and code took too long: it restarts with the password.
      if (way === 'code' && failure instanceof ApiFailure && failure.code === 'link_invalid') setRequested(null);
      setCode('');
    },
  });

  const leaveCode = () => {
    setRequested(null);
    setCode('');
    entry.reset();
  };
  return {
    mode,
    fields,
    errors,
    code,
    /** Address to which the confirmation email was sent; null when none was. */
    mailedTo: requested !== null && 'mailedTo' in requested ? requested.mailedTo : null,
    isCodeStep: challenge !== null,
    isProcessing: entry.isPending,
    failure: entry.error === null ? null : messageOf(entry.error, FALLBACK),
    selectMode: (next: AuthMode) => {
      setMode(next);
      setErrors({});
      leaveCode();
    },
    edit: (change: Partial<AuthFields>) => {
      setFields((before) => ({ ...before, ...change }));
      setErrors({});
    },
    editCode: setCode,
    leaveCode,
    submit: () => {
      const result = validateAuth(mode, fields);
      setErrors(result);
      if (isClean(result)) entry.mutate(mode);
    },
    submitCode: () => {
      if (code.trim() !== '') entry.mutate('code');
    },
    tryDemo: () => entry.mutate('demo'),
  };
}

const modes = [
  { id: 'signin', label: 'Sign In' },
  { id: 'signup', label: 'Sign Up' },
] as const;

const features = [
  {
    icon: Radar,
    title: 'Real-time AI signals',
    text: 'Signals from weighted indicators, each with its reason and age.',
  },
  {
    icon: ShieldCheck,
    title: 'Enterprise security',
    text: 'No exchange keys, no withdrawal access. Only you can read your data.',
  },
  { icon: ChartCandlestick, title: 'Advanced analytics', text: 'Backtests with every cost, reproducible to the bit.' },
];

/** `back` shows the Back button: the page was opened from another one. */
export function AuthPage() {
  const wantsBack = new URLSearchParams(window.location.search).get('back') === '1';
  // The options of the installation decide the height of the form: waits for them, so that it does not jump.
  const app = useAppInfo();
  if (app.isPending && app.failureCount === 0) return <AuthFrame className="">{null}</AuthFrame>;
  return (
    <AuthFrame className="grid max-w-220 items-center gap-8 md:grid-cols-[1fr_360px] md:gap-16">
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
        <WayIn />
        <OutboxLink />
      </div>
    </AuthFrame>
  );
}

type Form = ReturnType<typeof useAuthForm>;

function WayIn() {
  const form = useAuthForm();
  const tabsId = useTabsId();
  const texts = authTexts[form.mode];
  if (form.isCodeStep) return <CodeStep form={form} />;
  if (form.mailedTo !== null) return <EmailStep form={form} email={form.mailedTo} />;
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
        <PasswordStep form={form} />
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

function PasswordStep({ form }: { form: Form }) {
  const texts = authTexts[form.mode];
  const app = useAppInfo();
  const isSignUp = form.mode === 'signup';
  return (
    <>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        {isSignUp && app.data?.signUpConfirmation === true && (
          <Notice tone="info">We email you a link. Open it to confirm your address.</Notice>
        )}
        <TextField
          label="Email"
          type="email"
          name="email"
          autoComplete="email"
          error={form.errors.email}
          value={form.fields.email}
          onChange={(email) => form.edit({ email })}
        />
        <PasswordField
          kind={isSignUp ? 'new' : 'current'}
          label="Password"
          hint={texts.passwordHint}
          error={form.errors.password}
          about={[form.fields.email]}
          value={form.fields.password}
          onChange={(password) => form.edit({ password })}
        />
        {form.failure !== null && <Notice tone="error">{form.failure}</Notice>}
        {isSignUp && <TermsNote />}
        <button type="submit" className="btn btn-primary mt-1" disabled={form.isProcessing}>
          {form.isProcessing ? 'Processing...' : texts.submit}
        </button>
      </form>
      {app.data?.demoAccount === true && (
        <button type="button" className="btn" disabled={form.isProcessing} onClick={form.tryDemo}>
          Try the demo account
        </button>
      )}
      {!isSignUp && app.data?.mail === true && (
        <Link href="/forgot-password" className="text-accent underline-offset-2 hover:underline">
          Forgot password?
        </Link>
      )}
    </>
  );
}

/** Both links open another browser tab: the input here stays. */
function TermsNote() {
  const pages = [
    { href: '/terms-of-service', label: 'Terms of Service' },
    { href: '/privacy-policy', label: 'Privacy Policy' },
  ];
  const [terms, privacy] = pages.map(({ href, label }) => (
    <a key={href} href={href} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
      {label}
    </a>
  ));
  return (
    <p className="text-label text-muted">
      By signing up you accept the {terms}. The {privacy} says what is stored.
    </p>
  );
}

/**
 * The same text for a new and a known address; only the email differs.
 *
 */
function EmailStep({ form, email }: { form: Form; email: string }) {
  return (
    <div className="panel gap-4 p-4">
      <h1 className="text-page font-semibold">Check your email</h1>
      <p role="status" className="break-words">
        We sent an email to <span className="font-medium">{email}</span>. Open the link in it to finish signing up.
      </p>
      <p className="text-muted">No email after a few minutes? Check spam and the address.</p>
      <button type="button" className="btn" onClick={() => form.selectMode('signup')}>
        Change the address
      </button>
      <button type="button" className="btn" onClick={() => form.selectMode('signin')}>
        Go to Sign In
      </button>
    </div>
  );
}

function CodeStep({ form }: { form: Form }) {
  return (
    <div className="panel gap-4 p-4">
      <h1 className="text-page font-semibold">Enter your code</h1>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          form.submitCode();
        }}
      >
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          hint="Six digits from your authenticator, or a recovery code"
          value={form.code}
          onChange={form.editCode}
        />
        {form.failure !== null && <Notice tone="error">{form.failure}</Notice>}
        <button type="submit" className="btn btn-primary" disabled={form.isProcessing || form.code.trim() === ''}>
          {form.isProcessing ? 'Processing...' : 'Continue'}
        </button>
        <button type="button" className="btn" onClick={form.leaveCode}>
          Use another account
        </button>
      </form>
    </div>
  );
}
