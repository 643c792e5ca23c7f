import { checkCustomDetectors, createDetector, taxonomy } from '../detectors/index.ts';
import {
  type CheckOptions,
  checkPolicyDocument,
  type PolicyCheck,
  policiesNamedIn,
} from '../engine/index.ts';
import type { PolicyStore, Store, StoredPolicy } from '../store/store.ts';
import { replaySteps } from './policy-tests/replay-steps.ts';

/** Every tag and category of the built-in detectors. */
export const knownTags: readonly string[] = [
  ...new Set(taxonomy.flatMap(({ tag, categories }) => [tag, ...categories])),
];

/** What a check needs to look at all of a document: its own detectors and tests included. */
export const wholeCheck = {
  checkCustomDetectors: (custom) => checkCustomDetectors(custom, () => performance.now()),
  // The data tags of a document's test, with the document's own detectors.
  detect: (input, custom) => {
    const scan = createDetector({ custom }).scan(input);
    return { dataTags: scan.tags, detections: scan.counts };
  },
  replaySteps,
  tags: knownTags,
} satisfies CheckOptions;

/** Checks a document, whose tests may name stored policies. */
export async function checkDocument(
  store: Pick<Store, 'policies' | 'lists'>,
  text: string,
  runTests = true,
): Promise<PolicyCheck> {
  const others = new Map<string, string>();
  for (const name of runTests ? policiesNamedIn(text) : []) {
    const document = await findStored(store.policies, name);
    if (document !== null) others.set(name, document);
  }
  return checkPolicyDocument(text, {
    ...wholeCheck,
    runTests,
    findPolicy: (name) => others.get(name) ?? null,
    lists: await store.lists.names(),
  });
}

const pageSize = 200;

/** The current version of the ACTIVE policy of that name, else of the newest DRAFT; null when there is none. */
async function findStored(store: PolicyStore, name: string): Promise<string | null> {
  for (const status of ['ACTIVE', 'DRAFT'] as const) {
    const found = await findNamed(store, name, status);
    if (found) return (await store.findVersion(found.id, found.version))?.document ?? null;
  }
  return null;
}

async function findNamed(
  store: PolicyStore,
  name: string,
  status: StoredPolicy['status'],
): Promise<StoredPolicy | null> {
  for (let page = 1; ; page++) {
    const { items, total } = await store.list({ page, size: pageSize }, { status });
    const found = items.find((policy) => policy.name === name);
    if (found || page * pageSize >= total) return found ?? null;
  }
}
