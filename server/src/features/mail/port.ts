/** A mail as a mail server takes it. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Why a letter was not taken. `isFinal`: the server will never take it, another attempt is pointless. */
export interface MailFailure {
  kind: 'unreachable' | 'deadline' | 'refused';
  isFinal: boolean;
  message: string;
}

export interface Mailer {
  /** Hands one letter to the mail server. `id` is the same for each attempt, so that a letter sent twice can be recognised. */
  send: (letter: Letter, id: string) => Promise<MailFailure | undefined>;
  /** Signs in to the mail server and sends nothing. */
  check: () => Promise<MailFailure | undefined>;
  close: () => void;
}
