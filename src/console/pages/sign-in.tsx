import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../data/api.ts';
import {
  identityProviderHref,
  isConfirmed,
  readMethods,
  type SignedOutBecause,
  signIn,
  tellConfirmed,
} from '../data/operator/sign-in.ts';
import { Mark } from '../identity/mark.tsx';
import { Field } from '../parts/form/field.tsx';
import { Heading } from '../parts/frame/heading.tsx';
import { problemText } from '../parts/states.tsx';
import { words } from '../strings/index.ts';

interface KeyFormProps {
  submitLabel: string;
  hint?: string;
  onKey: (key: string) => Promise<void>;
  onCancel?: () => void;
}

/** Asks for an operator key. The key leaves this form only to the service, and is not kept. */
export function KeyForm({ submitLabel, hint, onKey, onCancel }: KeyFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useLayoutEffect(() => input.current?.focus(), []);

  async function submit(event: Event) {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    if (key === '') return input.current?.focus();
    setBusy(true);
    try {
      await onKey(key);
    } catch (error) {
      setProblem(error instanceof ApiError ? problemText(error) : words.value.errors.offline);
      setBusy(false);
      input.current?.select();
    }
  }

  return (
    <form onSubmit={submit} autocomplete="off">
      <Field label={words.value.signIn.key} {...(hint && { hint })}>
        {(ids) => (
          <input
            {...ids}
            ref={input}
            type="password"
            autocomplete="off"
            spellcheck={false}
            maxLength={200}
            required
          />
        )}
      </Field>
      {problem && (
        <p class="mistake" role="alert">
          {problem}
        </p>
      )}
      <div class="buttons">
        <button type="submit" class="button primary" disabled={busy}>
          {busy ? words.value.signIn.working : submitLabel}
        </button>
        {onCancel && (
          <button type="button" class="button" onClick={onCancel}>
            {words.value.common.cancel}
          </button>
        )}
      </div>
    </form>
  );
}

/** The other way to sign in, when the service has one. */
function ProviderLink() {
  const [host, setHost] = useState<string | null>(null);
  useEffect(() => {
    // The key still signs in if there is no response.
    readMethods().then(
      ({ identityProvider }) => setHost(identityProvider),
      () => undefined,
    );
  }, []);
  if (host === null) return null;
  const { signIn: text } = words.value;
  return (
    <>
      <a class="button primary wide" href={identityProviderHref(location.pathname + location.search)}>
        {text.withProvider(host)}
      </a>
      <p class="or quiet">{text.or}</p>
    </>
  );
}

const explain = (because: Exclude<SignedOutBecause, null>): string => {
  const { signIn: text } = words.value;
  return because === 'asked' || because === 'expired' || because === 'link'
    ? text[because]
    : text.failures[because];
};

export function SignInPage({ because }: { because: SignedOutBecause }) {
  const { signIn: text } = words.value;
  useEffect(() => {
    document.title = `${text.title} · Assize`;
  }, [text]);
  return (
    <main class="sign-in">
      <div class="card">
        <div class="brand">
          <Mark size={40} />
          <div>
            <p class="brand-name">Assize</p>
            <p class="quiet">{text.about}</p>
          </div>
        </div>
        <h1>{text.title}</h1>
        {because && (
          <p class="note" role="status">
            {explain(because)}
          </p>
        )}
        {!isSecureContext && <p class="mistake">{text.insecure}</p>}
        <ProviderLink />
        <KeyForm submitLabel={text.submit} hint={text.hint} onKey={signIn} />
      </div>
    </main>
  );
}

/** Where the identity provider leads who confirmed in a tab of its own. */
export function ConfirmedPage() {
  const { confirmation: text } = words.value;
  const done = isConfirmed();
  useEffect(() => {
    if (done) tellConfirmed();
  }, [done]);
  return (
    <>
      <Heading title={done ? text.confirmedTitle : text.unconfirmedTitle} />
      <p>{done ? text.confirmedText : text.unconfirmedText}</p>
    </>
  );
}
