import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { yaml } from './yaml.ts';

interface MergeOptions {
  root: ShadowRoot;
  left: string;
  right: string;
  label: string;
}

const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--panel)', fontSize: 'var(--text-s)' },
  '.cm-scroller': { fontFamily: 'var(--mono)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--muted)', border: 'none' },
  '&.cm-merge-a .cm-changedLine': { backgroundColor: 'color-mix(in oklab, var(--block) 12%, transparent)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'color-mix(in oklab, var(--allow) 12%, transparent)' },
  '&.cm-merge-a .cm-changedText': { background: 'color-mix(in oklab, var(--block) 26%, transparent)' },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in oklab, var(--allow) 26%, transparent)' },
});

/** Returns the function that closes it. */
export function openMerge({ root, left, right, label }: MergeOptions): () => void {
  const extensions = [
    lineNumbers(),
    yaml,
    EditorState.readOnly.of(true),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    look,
  ];
  const view = new MergeView({
    a: { doc: left, extensions },
    b: { doc: right, extensions },
    parent: root,
    root,
    collapseUnchanged: { margin: 3, minSize: 6 },
  });
  return () => view.destroy();
}
