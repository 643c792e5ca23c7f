import type { RecordKey, RecordRoot, RootProof } from '../../schemas/record.ts';
import { ApiError, call, type Response } from '../data/api.ts';
import { count } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import { pageInUrl } from '../data/route.ts';
import { Copy } from '../parts/copy.tsx';
import { Heading } from '../parts/heading.tsx';
import { List } from '../parts/list.tsx';
import { Show } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/times.tsx';
import { words } from '../strings/index.ts';
import { VerifyRecord } from './record/verify.tsx';

export function RecordPage() {
  const { record: text } = words.value;
  return (
    <>
      <Heading title={text.title} />
      <p class="quiet">{text.text}</p>
      <div class="cards">
        <VerifyRecord />
        <Key />
      </div>
      <Roots />
    </>
  );
}

function Key() {
  const { record: text } = words.value;
  const resource = useResource(
    'key of the record',
    async ({ signal }) => (await call<RecordKey>('/v1/record/key', { signal })).data,
  );
  return (
    <section class="card">
      <h2>{text.key}</h2>
      <p class="quiet">{text.keyText}</p>
      <Show resource={resource}>
        {({ keyId }) => (
          <p class="secret">
            <span>{text.keyId}</span>
            <code>{keyId}</code>
            <Copy text={keyId} about={text.keyId} />
          </p>
        )}
      </Show>
    </section>
  );
}

const shownRoots = 20;

/** The API lists the oldest first: how many there are, the proof that the last continues the first says. */
async function readRoots(page: number, signal: AbortSignal): Promise<Response<RecordRoot[]>> {
  const total = await readLast(signal);
  const pagination = { total, page, size: shownRoots };
  const end = total - (page - 1) * shownRoots;
  if (end <= 0) return { data: [], pagination };
  const after = Math.max(0, end - shownRoots);
  const query = { after, size: end - after };
  const { data } = await call<RecordRoot[]>('/v1/record/roots', { query, signal });
  return { data: data.reverse(), pagination };
}

async function readLast(signal: AbortSignal): Promise<number> {
  try {
    return (await call<RootProof>('/v1/record/consistency', { signal })).data.second.seq;
  } catch (error) {
    // Without a root there is nothing to prove.
    if (error instanceof ApiError && error.status === 404) return 0;
    throw error;
  }
}

function Roots() {
  const { record: text } = words.value;
  const page = pageInUrl();
  const resource = useResource(`roots ${page}`, ({ signal }) => readRoots(page, signal));
  return (
    <section>
      <h2>{text.roots}</h2>
      <List resource={resource} none={text.noRoot}>
        {(roots) => (
          <Table headings={[text.root, text.signed, text.leaves, text.hash]}>
            {roots.map(({ seq, at, treeSize, hash }) => (
              <tr key={seq}>
                <th scope="row">{count(seq)}</th>
                <td>
                  <Time at={at} show="full" />
                </td>
                <td>{count(treeSize)}</td>
                <td>
                  <code title={hash}>{hash.slice(0, 16)}…</code>{' '}
                  <Copy text={hash} about={`${text.root} ${seq}`} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </List>
    </section>
  );
}
