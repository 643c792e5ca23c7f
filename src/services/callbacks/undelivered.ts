/** Why a delivery failed. `message` is safe to store and show: it holds no content, header or address. */
export class Undelivered extends Error {
  /** True when trying again cannot help. */
  readonly permanent: boolean;

  constructor(message: string, options: { permanent?: boolean } = {}) {
    super(message);
    this.name = 'Undelivered';
    this.permanent = options.permanent ?? false;
  }
}

/** Keeps only the code of other errors (ECONNREFUSED, ERR_TLS_…): their messages may quote what the receiver sent. */
export function undeliveredFrom(error: unknown): Undelivered {
  if (error instanceof Undelivered) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code);
  return new Undelivered(isCode ? `connection failed: ${code}` : 'connection failed');
}
