import { Notice } from '../../../ui/Notice.tsx';

/** For visitors, and for users whose session has ended. */
export function SignInNotice() {
  return (
    <Notice
      tone="info"
      action={
        <a className="btn btn-small" href="/login">
          Sign in
        </a>
      }
    >
      Please sign in to use the assistant.
    </Notice>
  );
}
