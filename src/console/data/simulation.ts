import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  SimulationDifference,
  SimulationLine,
  SimulationRequest,
  SimulationResult,
} from '../../schemas/replays.ts';
import { ApiError, apiErrorOf, openStream } from './api.ts';

export type SimulationState =
  | { is: 'idle' }
  | { is: 'running'; evaluations: number; total: number | null }
  | { is: 'done'; result: SimulationResult; differences: readonly SimulationDifference[] }
  | { is: 'failed'; error: ApiError };

export interface Simulation {
  state: SimulationState;
  start(request: SimulationRequest): void;
  /** Also ends it on the service. */
  cancel(): void;
}

/** One replay of the record at a time. It ends with the page. */
export function useSimulation(): Simulation {
  const [state, setState] = useState<SimulationState>({ is: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  function cancel(): void {
    running.current?.abort();
    setState({ is: 'idle' });
  }

  function start(request: SimulationRequest): void {
    running.current?.abort();
    const ended = new AbortController();
    running.current = ended;
    setState({ is: 'running', evaluations: 0, total: null });
    // Buffered lines of a cancelled replay are still read; they must not change the state.
    const show = (next: SimulationState) => {
      if (!ended.signal.aborted) setState(next);
    };
    follow(request, ended.signal, show).catch((error: unknown) =>
      show({ is: 'failed', error: apiErrorOf(error) }),
    );
  }
  return { state, start, cancel };
}

async function follow(
  request: SimulationRequest,
  signal: AbortSignal,
  setState: (state: SimulationState) => void,
): Promise<void> {
  const differences: SimulationDifference[] = [];
  for await (const line of linesOf(request, signal)) {
    if (line.type === 'progress') setState({ is: 'running', ...line });
    else if (line.type === 'difference') differences.push(line);
    else if (line.type === 'error') throw new ApiError(500, [{ code: 'internal', message: line.message }]);
    else return setState({ is: 'done', result: line, differences });
  }
  // It ended without its last line: the connection broke.
  throw new ApiError(0, []);
}

async function* linesOf(request: SimulationRequest, signal: AbortSignal): AsyncGenerator<SimulationLine> {
  const reader = await openStream('/v1/policies/simulate', {
    accept: 'application/x-ndjson',
    json: request,
    signal,
  });
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (text + value).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as SimulationLine;
  }
}
