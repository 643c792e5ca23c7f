import { useEffect, useState } from 'preact/hooks';
import type { PolicyCheck } from '../../features/policies/schema.ts';
import { type ApiError, apiErrorOf, call } from './api.ts';

export type Checked =
  | { is: 'checking'; last: PolicyCheck | null }
  | { is: 'checked'; last: PolicyCheck }
  | { is: 'failed'; error: ApiError; last: PolicyCheck | null };

/** How long nothing is typed before the document is checked, in milliseconds. */
const restMs = 250;

/** Checks the document on the service, and runs its tests, whenever typing rests. */
export function usePolicyCheck(document: string): Checked {
  const [state, setState] = useState<Checked>({ is: 'checking', last: null });
  useEffect(() => {
    const ended = new AbortController();
    setState(({ last }) => ({ is: 'checking', last }));
    const timer = setTimeout(() => {
      call<PolicyCheck>('/v1/policies/check', { method: 'POST', yaml: document, signal: ended.signal }).then(
        ({ data }) => setState({ is: 'checked', last: data }),
        (error: unknown) => {
          if (ended.signal.aborted) return;
          const known = apiErrorOf(error);
          setState(({ last }) => ({ is: 'failed', error: known, last }));
        },
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [document]);
  return state;
}
