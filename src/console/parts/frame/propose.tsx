import { useState } from 'preact/hooks';
import { type Proposing, sendProposal } from '../../data/policies/propose.ts';
import { words } from '../../strings/index.ts';
import { Dialog } from '../form/dialog.tsx';
import { Form, TextField } from '../form/form.tsx';

/** The reason of a change that another operator makes. */
export function ProposeDialog({ proposing: { title, change, onEnd } }: { proposing: Proposing }) {
  const { proposals: text } = words.value;
  const [note, setNote] = useState('');
  async function send() {
    await sendProposal(change, note);
    onEnd(true);
  }
  return (
    <Dialog title={title} onClose={() => onEnd(false)}>
      <p>{text.proposeMeans}</p>
      <Form submitLabel={text.send} onSubmit={send} onCancel={() => onEnd(false)}>
        <TextField label={text.noteField} value={note} maxLength={500} onInput={setNote} />
      </Form>
    </Dialog>
  );
}
