/** The meanings of the exit code of every command. */
export const exitCodes = {
  /** Done, and so it is. */
  fine: 0,
  /** The question's answer is no, or the request was refused or failed. */
  failed: 1,
  /** The command line, a file or a setting cannot be used as it was given. */
  wrongUse: 2,
  /** The server cannot be reached, does not know the key, or will not answer now. */
  unreachable: 3,
  /** The service's event loop no longer turned: EX_SOFTWARE of sysexits.h. */
  stuck: 70,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with a code. The message, if any, is for the person; without one everything was said before. */
export class Exit extends Error {
  readonly code: ExitCode;
  constructor(code: ExitCode, message = '') {
    super(message);
    this.code = code;
  }
}
