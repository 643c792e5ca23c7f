import { path } from '../../client/http.ts';
import type { Evaluation } from '../../schemas/evaluations.ts';
import type { Call } from '../api/call.ts';
import { printable } from '../output/printable.ts';

export async function explain({ http, out, args: [id = ''] }: Call): Promise<void> {
  const query = { explain: true };
  const { data } = await http.send<Evaluation>({ method: 'GET', path: path`/v1/evaluations/${id}`, query });
  if (out.json) out.record(data, []);
  else out.text(`${printable(data.explanation?.text ?? '')}\n`);
}
