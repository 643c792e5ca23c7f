import type { ComponentChildren } from 'preact';
import type { ApiError, ApiProblem } from '../data/api.ts';
import type { Resource } from '../data/resource.ts';
import { words } from '../strings/index.ts';
import { Visible } from './visible.tsx';

export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">{words.value.common.loading}</span>
      <span class="bar" />
      <span class="bar" />
      <span class="bar" />
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** The service's error, or that it could not be reached. */
export function problemText(error: ApiError): string {
  const { errors } = words.value;
  if (error.status === 0) return errors.offline;
  return error.message || errors.unexpected(error.status);
}

export function Problem({ error, retry }: { error: ApiError; retry?: (() => void) | undefined }) {
  return (
    <div class="problem" role="alert">
      <p>
        <Place of={error.problems[0]} />
        <Visible text={problemText(error)} />
      </p>
      {error.problems.slice(1).map((problem) => (
        <p key={`${problem.path} ${problem.message}`}>
          <Place of={problem} />
          <Visible text={problem.message} />
        </p>
      ))}
      {retry && (
        <button type="button" class="button" onClick={retry}>
          {words.value.common.retry}
        </button>
      )}
    </div>
  );
}

/** The field that is wrong: `settings/maxOpenSessions`. */
function Place({ of: problem }: { of: ApiProblem | undefined }) {
  if (!problem?.path) return null;
  return (
    <>
      <code>{problem.path.slice(1)}</code>:{' '}
    </>
  );
}

/** Shows what was loaded, and otherwise why it is not there. */
export function Show<T>({
  resource,
  children,
}: {
  resource: Resource<T>;
  children: (data: T) => ComponentChildren;
}) {
  const { state, reload } = resource;
  if (state.is === 'loading') return <Loading />;
  if (state.is === 'failed') {
    // An id that does not exist will not be there the next time either.
    return <Problem error={state.error} retry={state.error.status === 404 ? undefined : reload} />;
  }
  return (
    <>
      {state.stale && (
        <p class="stale" role="status">
          {state.stale.status === 0 ? words.value.errors.offline : words.value.errors.stale}
        </p>
      )}
      {children(state.data)}
    </>
  );
}
