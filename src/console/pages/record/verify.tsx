import { useEffect, useRef, useState } from 'preact/hooks';
import { useChange } from '../../data/change.ts';
import { count, momentOf } from '../../data/format.ts';
import { type ReadRecord, readRecord } from '../../data/record/read.ts';
import { saveFile } from '../../data/save-file.ts';
import { TextField } from '../../parts/field.tsx';
import { Problem } from '../../parts/states.tsx';
import { Time } from '../../parts/times.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** Loads the record and checks it here. */
export function VerifyRecord() {
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
