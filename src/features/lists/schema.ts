import { type Static, Type } from '@sinclair/typebox';
import { KeptText, Nullable, NullableText, Omitted, Timestamp, Uuid } from '../../schemas/values.ts';
import { type ListKind as ListKinds, listKinds } from './words.ts';

export const ListKind = Type.Unsafe<ListKinds>({
  type: 'string',
  enum: [...listKinds],
  description:
    'what the entries are: host names (kept in lower case), accounts, names of tools, or other texts',
});
export type ListKind = ListKinds;

/** Entries of one list, and characters of all of them together. */
export const mostListEntries = 10_000;
export const mostListCharacters = 500_000;

const summary = {
  id: Uuid,
  name: Type.String({ description: 'policies read it as `lists.NAME`' }),
  kind: ListKind,
  description: Nullable(Type.String()),
  version: Type.Integer({ minimum: 1, description: 'increases with each change' }),
  entryCount: Type.Integer({ minimum: 0 }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
export const SharedListSummary = Type.Object(summary);
export type SharedListSummary = Static<typeof SharedListSummary>;

export const SharedList = Type.Object({
  ...summary,
  entries: Type.Array(Type.String(), { description: 'in alphabetical order' }),
});
export type SharedList = Static<typeof SharedList>;

export const ListChange = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  author: Nullable(
    Type.Object({
      id: Type.String({ description: 'of the operator; `local` on the command line of the database file' }),
      name: Type.String(),
    }),
  ),
  note: Nullable(Type.String()),
  added: Type.Array(Type.String()),
  removed: Type.Array(Type.String()),
  createdAt: Timestamp,
  omitted: Omitted,
});
export type ListChange = Static<typeof ListChange>;

const entries = Type.Array(KeptText(512, { minLength: 1 }), {
  maxItems: mostListEntries,
  uniqueItems: false,
});
const description = NullableText(KeptText(2_000));
const note = KeptText(500, { description: 'reason, stored with the change' });

export const CreateList = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$',
      description: 'unique; policies read it as `lists.NAME`, so it never changes',
    }),
    kind: ListKind,
    description: Type.Optional(description),
    entries: Type.Optional(entries),
    note: Type.Optional(note),
  },
  { additionalProperties: false },
);
export type CreateList = Static<typeof CreateList>;

export const ChangeList = Type.Object(
  {
    description: Type.Optional(description),
    entries: Type.Optional(Type.Array(entries.items, { ...entries, description: 'replaces all entries' })),
    add: Type.Optional(entries),
    remove: Type.Optional(entries),
    note: Type.Optional(note),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type ChangeList = Static<typeof ChangeList>;
