import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Config } from '../../config/config.ts';
import { AppError } from '../../errors.ts';
import type { DecisionObserver } from '../../evaluate/evaluate.ts';
import { parseWithTexts } from '../../evaluate/verbatim-texts.ts';
import { assertScope } from '../../features/integrations/service.ts';
import { shipped } from '../../files.ts';
import type { EvaluateRequest } from '../../schemas/evaluations.ts';
import { openClock } from '../../services/clock.ts';
import { newId } from '../../services/ids.ts';
import { createInstallationKey } from '../../services/record/installation-key.ts';
import { createServices } from '../../services/services.ts';
import { openStore } from '../../store/open.ts';
import type { Answer, FromThread, Observed, SentEvaluation, ToThread } from './evaluation-messages.ts';
import { packError } from './evaluation-messages.ts';
import { tickMs } from './watchdog.ts';

// The evaluation thread of `evaluations-in-thread.ts`: a store and the services on the same file, without HTTP.

export interface EvaluationThreadData {
  /** The settings that the service started with: the settings file may have changed since. Buffers in it arrive as `Uint8Array`. */
  config: Config;
  /** Whether decisions and commits are told to the event loop. */
  observes: { decisions: boolean; commits: boolean };
  /** `performance.timeOrigin` of the event loop. */
  timeOrigin: number;
  /** The counter of this thread's turns, for the watchdog. */
  turns: Int32Array;
}

if (!isMainThread && parentPort) void evaluateInThread(parentPort, workerData as EvaluationThreadData);

async function evaluateInThread(
  port: MessagePort,
  { config: sent, observes, timeOrigin, turns }: EvaluationThreadData,
): Promise<void> {
  /** Milliseconds to add to this thread's `performance.now()` to get that of the event loop. */
  const ahead = performance.timeOrigin - timeOrigin;
  const tell = (message: FromThread): void => port.postMessage(message);
  const config: Config = { ...sent, secretsKeys: sent.secretsKeys.map((key) => Buffer.from(key)) };
  const onError = (error: unknown): void => tell({ kind: 'trouble', error: packError(error) });
  let answers: Answer[] = [];
  let observed: Observed[] = [];
  const flush = (): void => {
    const message: FromThread = { kind: 'answers', answers, observed };
    answers = [];
    observed = [];
    tell(message);
  };
  const tellSoon = (): void => {
    if (answers.length + observed.length === 0) setImmediate(flush);
  };
  const observe = (one: Observed): void => {
    tellSoon();
    observed.push(one);
  };
  const store = await openStore(config.database, {
    migrations: shipped('migrations'),
    mustExist: true,
    onTrouble: onError,
    ...(observes.commits && {
      commits: {
        committed: (changes, seconds) => observe({ of: 'committed', changes, seconds }),
        synced: (seconds) => observe({ of: 'synced', seconds }),
      },
    }),
  });
  const clock = await openClock({
    store,
    system: store.clock.now,
    elapsed: () => performance.now(),
    // The clock of the event loop sees the same jumps, and logs them.
    onJump: () => undefined,
    onBehind: () => undefined,
    onError,
  });
  const services = createServices({
    ...config,
    store,
    clock,
    database: config.databaseDirect,
    system: store.clock.now,
    newId,
    random: Math.random,
    eventSource: config.publicUrl ?? 'urn:assize',
    observer: observes.decisions
      ? { decided: (...decision) => observe(decided(decision, ahead)) }
      : undefined,
    recordKey: createInstallationKey(config.recordKeyFile),
    onRetentionHeld: () => undefined,
    onUnprotected: (integrations, message) =>
      tell({
        kind: 'unprotected',
        integrations: integrations.map(({ id, name }) => ({ id, name })),
        message,
      }),
    onError,
  });
  store.events.onAppended((events) => tell({ kind: 'events', events }));
  services.stats.counting.start();

  async function evaluate({
    keyHash,
    text,
    beganAt,
    options,
  }: SentEvaluation): Promise<Pick<Answer, 'text' | 'replayed'>> {
    const found = await store.integrationKeys.find(keyHash, clock.now());
    if (!found) throw new AppError('unauthenticated', 'invalid, expired or missing API key');
    const { integration, key, revision } = found;
    assertScope(key.scopes, 'evaluate');
    const { value, texts } = parseWithTexts(text);
    return services.evaluations.evaluate(
      { kind: 'integration', integration, key, keyHash, revision },
      value as EvaluateRequest,
      {
        transport: 'REST',
        redact: false,
        idempotencyKey: null,
        ...options,
        sentTexts: texts,
        text,
        beganAt: beganAt - ahead,
      },
    );
  }

  function answer(one: Answer): void {
    tellSoon();
    answers.push(one);
  }

  async function close(): Promise<void> {
    await services.stats.counting.stop();
    await services.scanPool.close();
    await services.policyChecker.close();
    services.recognizer?.close();
    await clock.stop();
    await store.close();
    // No watchdog waits for a thread that has ended.
    Atomics.store(turns, 0, 0);
    // Ends this thread alone.
    process.exit();
  }

  port.on('message', (message: ToThread) => {
    if (message === 'close') return void close();
    for (const one of message)
      evaluate(one).then(
        ({ text, replayed }) => answer({ id: one.id, text, replayed, error: null }),
        (error) => answer({ id: one.id, text: null, replayed: false, error: packError(error) }),
      );
  });
  const countTurns = (): void => void Atomics.add(turns, 0, 1);
  setInterval(countTurns, tickMs).unref();
  countTurns();
  tell({ kind: 'ready' });
}

/** The arguments of an observer, as far as observers read them, with times that count from the start of the process. */
function decided(
  [evaluation, verdict, times, trace]: Parameters<DecisionObserver['decided']>,
  ahead: number,
): Observed {
  const { id, integrationId, phase, transport, tool, dataTags } = evaluation;
  const { enforcementAction, severity, violations, data } = verdict;
  const { sessionId } = data;
  return {
    of: 'decided',
    decision: [
      { id, integrationId, phase, transport, tool, dataTags },
      { enforcementAction, severity, violations, data: { sessionId } },
      Object.fromEntries(Object.entries(times).map(([name, at]) => [name, at + ahead])),
      trace,
    ],
  };
}
