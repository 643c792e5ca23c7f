import { at, ids } from '../../http/openapi/example-story.ts';
import { operator } from '../operators/examples.ts';

export const listId = '0198c2f1-6b20-7d53-b1f4-8c7e5a9d3f28';

const sharedList = {
  id: listId,
  name: 'internalDomains',
  kind: 'DOMAINS',
  description: 'our own domains',
  version: 2,
  entryCount: 2,
  createdAt: at,
  updatedAt: at,
};

export const listChange = { add: ['example.org'], note: 'a new subsidiary' };

export const listExamples: Readonly<Record<string, unknown>> = {
  ChangeList: listChange,
  CreateList: { name: sharedList.name, kind: sharedList.kind, entries: ['example.com'] },
  ListChange: {
    version: 2,
    author: { id: ids.operator, name: operator.name },
    note: listChange.note,
    added: listChange.add,
    removed: [],
    createdAt: at,
  },
  ListKind: sharedList.kind,
  SharedList: { ...sharedList, entries: ['example.com', 'example.org'] },
  SharedListSummary: sharedList,
};
