import type { Random } from './random.ts';
import type { RealFile } from './real-files.ts';

/** Calls of agents that carry a part of a file of another project, in the forms that tools take texts. */
const CALLS: readonly ((text: string, path: string, r: Random) => unknown)[] = [
  (content, path) => ({ tool: 'fs.write_file', arguments: { path, content } }),
  (text) => ({ tool: 'slack.post_message', arguments: { slack_channel_id: 'C05TA4ZQ1QD', text } }),
  (body) => ({ tool: 'email.send', arguments: { subject: 'notes', body } }),
  (result, path) => ({ tool: 'fs.read_file', arguments: { path }, result }),
  (text, path) => ({ tool: 'shell', arguments: { command: `cat > ${path} <<'EOT'\n${text}\nEOT` } }),
  (body, path, r) => ({
    tool: 'github.create_comment',
    arguments: { issue_number: r.int(1, 9999), path, body },
  }),
  (text) => ({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'notes', arguments: { text } } }),
];

/** Characters of a file that one call carries. */
const SIZE = 2_000;

/** As many calls with parts of these files. */
export function harmlessCalls(
  files: ReadonlyMap<string, readonly RealFile[]>,
  count: number,
  r: Random,
): unknown[] {
  const all = [...files.values()].flat().filter(({ text }) => text.length > 200);
  return Array.from({ length: count }, () => {
    const { text, path } = r.pick(all);
    const from = r.int(0, Math.max(0, text.length - SIZE));
    return r.pick(CALLS)(text.slice(from, from + SIZE), path.split('/').slice(-2).join('/'), r);
  });
}
