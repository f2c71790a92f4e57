/** An email in the form a mail server accepts. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Why a letter was not accepted. `isFinal`: the error is permanent, a retry is pointless. */
export interface MailFailure {
  kind: 'unreachable' | 'deadline' | 'refused';
  isFinal: boolean;
  message: string;
}

export interface Mailer {
  /** Sends one letter to the mail server. `id` is the same for each attempt, so that duplicates can be recognised. */
  send: (letter: Letter, id: string) => Promise<MailFailure | undefined>;
  /** Signs in to the mail server without sending anything. */
  check: () => Promise<MailFailure | undefined>;
  close: () => void;
}
