import { useEffect, useRef, useState } from 'preact/hooks';
import type { RecordKey, RecordRoot, RootProof } from '../../schemas/record.ts';
import { ApiError, call, type Response } from '../data/api.ts';
import { useChange } from '../data/change.ts';
import { count, momentOf } from '../data/format.ts';
import { type ReadRecord, readRecord } from '../data/record/verify.ts';
import { useResource } from '../data/resource.ts';
import { pageInUrl } from '../data/route.ts';
import { saveFile } from '../data/save-file.ts';
import { Time } from '../parts/badges.tsx';
import { Copy } from '../parts/copy.tsx';
import { TextField } from '../parts/form/form.tsx';
import { Heading } from '../parts/frame/heading.tsx';
import { List } from '../parts/list/list.tsx';
import { Table } from '../parts/list/table.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

/** Loads the record and checks it here. */
function VerifyRecord() {
  const { record: text } = words.value;
  const [sessionId, setSession] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [lines, setLines] = useState(0);
  const [found, setFound] = useState<ReadRecord | null>(null);
  const { error, isBusy, run } = useChange();
  const reading = useRef<AbortController | null>(null);
  useEffect(() => () => reading.current?.abort(), []);

  async function verify() {
    const ended = new AbortController();
    reading.current = ended;
    setFound(null);
    setLines(0);
    const query = {
      ...(sessionId.trim() && { sessionId: sessionId.trim() }),
      ...(from && { from: momentOf(from) }),
      ...(to && { to: momentOf(to) }),
    };
    try {
      setFound(await readRecord({ query, signal: ended.signal, onLines: setLines }));
    } catch (failure) {
      if (!ended.signal.aborted) throw failure;
    }
  }
  return (
    <section class="card">
      <h2>{text.verify}</h2>
      <p class="quiet">{text.verifyText}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(verify);
        }}
      >
        <TextField label={text.session} value={sessionId} maxLength={36} onInput={setSession} />
        <div class="pair">
          <TextField label={text.from} type="datetime-local" value={from} onInput={setFrom} />
          <TextField label={text.to} type="datetime-local" value={to} onInput={setTo} />
        </div>
        <div class="buttons">
          <button type="submit" class="button primary" disabled={isBusy}>
            {text.verifyStart}
          </button>
          {isBusy && (
            <button type="button" class="button" onClick={() => reading.current?.abort()}>
              {text.stop}
            </button>
          )}
        </div>
      </form>
      {error && <Problem error={error} />}
      <div role="status">
        {isBusy && <p>{text.reading(count(lines))}</p>}
        {found && <Result found={found} />}
      </div>
    </section>
  );
}

/** Problems that are named; the rest is counted. */
const mostNamed = 50;

function Result({ found: { verification, file } }: { found: ReadRecord }) {
  const { record: text, common } = words.value;
  const { problems, entries, chains, roots, withoutContent, coveredUntil, keyIds } = verification;
  return (
    <div class="verification">
      {problems.length === 0 ? (
        <p class="good-line">{text.whole}</p>
      ) : (
        <>
          <p class="mistake">{text.broken(problems.length)}</p>
          <ul class="issues bad">
            {problems.slice(0, mostNamed).map(({ fault, about, line }) => (
              <li key={`${fault} ${about} ${line}`}>
                {line !== null && <span class="quiet">{text.lineOf(line)} </span>}
                <Visible text={text.faults[fault](about)} />
              </li>
            ))}
            {problems.length > mostNamed && <li>{common.others(count(problems.length - mostNamed))}</li>}
          </ul>
        </>
      )}
      <p>{text.result(count(entries), count(chains), count(roots))}</p>
      {coveredUntil && (
        <p>
          {text.covered} <Time at={coveredUntil} show="full" />
        </p>
      )}
      {withoutContent > 0 && <p class="quiet">{text.withoutContent(count(withoutContent))}</p>}
      <p>
        {text.keyId}: <code>{keyIds.join(', ')}</code>
      </p>
      {file === null ? (
        <p class="note">{text.tooLong}</p>
      ) : (
        <>
          <button type="button" class="button" onClick={() => saveFile('record.ndjson', file)}>
            {text.save}
          </button>
          <p class="hint">{text.saveHint}</p>
        </>
      )}
    </div>
  );
}

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
    // There is nothing to prove before the first root.
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
                <th scope="row">
                  {text.root} {count(seq)}
                </th>
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
