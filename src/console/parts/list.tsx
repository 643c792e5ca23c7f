import type { ComponentChildren } from 'preact';
import type { Response } from '../data/api.ts';
import type { Resource } from '../data/resource.ts';
import { Pager } from './pager.tsx';
import { Empty, Show } from './states.tsx';

interface ListProps<T> {
  resource: Resource<Response<T[]>>;
  /** What an empty list means, and what to do about it. */
  none: string;
  hint?: string;
  children: (entries: readonly T[]) => ComponentChildren;
}

/** A page of a list in every state, with the way to its other pages. */
export function List<T>({ resource, none, hint, children }: ListProps<T>) {
  return (
    <Show resource={resource}>
      {({ data, pagination }) =>
        pagination.total === 0 ? (
          <Empty title={none}>{hint && <p>{hint}</p>}</Empty>
        ) : (
          <>
            {children(data)}
            <Pager pagination={pagination} />
          </>
        )
      }
    </Show>
  );
}
