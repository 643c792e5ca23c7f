import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Run {
  url: string;
  connections: number;
  seconds: number;
  headers: Record<string, string>;
  /** Where the script of this run may be written. */
  folder: string;
}

export interface Load extends Run {
  /** Request bodies, sent in turn. */
  bodies: readonly string[];
}

export interface Reads extends Run {
  /** Paths, asked for in turn. */
  paths: readonly string[];
}

export interface Measured {
  requestsPerSecond: number;
  requests: number;
  p50Ms: number;
  p99Ms: number;
  /** Returns other than 2xx and socket errors. */
  errors: number;
}

/** One run of wrk (Debian package `wrk`): written in C, so that it takes little of the cores it shares with the server. */
export const runWrk = ({ bodies, ...run }: Load): Promise<Measured> =>
  runLines(run, bodies, { 'content-type': 'application/json', ...run.headers }, '"POST", nil, headers, line');

export const runWrkReads = ({ paths, ...run }: Reads): Promise<Measured> =>
  runLines(run, paths, run.headers, '"GET", line, headers');

async function runLines(
  { url, connections, seconds, folder }: Run,
  lines: readonly string[],
  headers: Record<string, string>,
  request: string,
): Promise<Measured> {
  const data = join(folder, 'lines.txt');
  const script = join(folder, 'wrk.lua');
  writeFileSync(data, lines.join('\n'));
  writeFileSync(script, lua(data, headers, request));
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, url];
  const { stdout } = await promisify(execFile)('wrk', args);
  const [requests, micros, p50, p99, errors] = (/^RESULT (.*)$/m.exec(stdout)?.[1] ?? '')
    .split(' ')
    .map(Number);
  if (errors === undefined) throw new Error(`wrk printed no result:\n${stdout}`);
  return {
    requests: requests as number,
    requestsPerSecond: ((requests as number) / (micros as number)) * 1e6,
    p50Ms: (p50 as number) / 1_000,
    p99Ms: (p99 as number) / 1_000,
    errors,
  };
}

const lua = (data: string, headers: Record<string, string>, request: string): string => `
local requests = {}
local place = 0
local headers = {
  ${Object.entries(headers)
    .map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
    .join(', ')}
}
function init(args)
  for line in io.lines(${JSON.stringify(data)}) do
    requests[#requests + 1] = wrk.format(${request})
  end
end
function request()
  place = place % #requests + 1
  return requests[place]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status + e.connect + e.read + e.write + e.timeout))
end
`;

export const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] as number;

/** Of all runs. */
export const errorsOf = (runs: readonly Measured[]): number =>
  runs.reduce((sum, { errors }) => sum + errors, 0);
