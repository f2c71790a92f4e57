import { Notice } from '../../../ui/Notice.tsx';

/** To visitors, and to users whose session has ended. */
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
