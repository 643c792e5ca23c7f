import { useState } from 'preact/hooks';
import type { ImportedTools } from '../../../features/tools/schema.ts';
import { announce } from '../../data/announcements.ts';
import { ApiError, call } from '../../data/api.ts';
import { confirmed } from '../../data/confirmation.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** Adds the tools that an MCP server lists: its result, or the whole response that contains it. */
export function ImportTools({ path, onEnd }: { path: string; onEnd: () => void }) {
  const { tools: text } = words.value.integrations;
  const [json, setJson] = useState('');
  const [refused, setRefused] = useState<ImportedTools['refused']>([]);

  async function send() {
    const found = await confirmed(() =>
      call<ImportedTools>(`${path}/import`, { method: 'POST', json: resultOf(json) }),
    );
    if (!found) return;
    const { tools, refused } = found.data;
    announce(text.imported(tools.length));
    if (refused.length === 0) return onEnd();
    setRefused(refused);
  }
  if (refused.length > 0) {
    return (
      <Dialog title={text.import} onClose={onEnd}>
        <p>{text.refused}</p>
        <ul>
          {refused.map(({ index, name, reason }) => (
            <li key={index}>
              <Visible text={`${name ?? index + 1}: ${reason}`} />
            </li>
          ))}
        </ul>
      </Dialog>
    );
  }
  return (
    <Dialog title={text.import} onClose={onEnd}>
      <Form submitLabel={text.import} isComplete={json.trim() !== ''} onSubmit={send} onCancel={onEnd}>
        <TextField label={text.json} hint={text.importText} rows={10} value={json} onInput={setJson} />
      </Form>
    </Dialog>
  );
}

function resultOf(text: string): unknown {
  const { notJson } = words.value.integrations.tools;
  try {
    const value = JSON.parse(text);
    return value?.result ?? value;
  } catch {
    throw new ApiError(400, [{ code: 'invalid', message: notJson }]);
  }
}
