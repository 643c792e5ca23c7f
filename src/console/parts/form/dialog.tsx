import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Visible } from '../visible.tsx';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose: () => void;
  /** Stays open when Esc is pressed: what it shows is shown only once. */
  keepsOpen?: boolean;
}

export function Dialog({ title, children, onClose, keepsOpen = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Before the next key arrives: it belongs to the dialog.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Brings the focus back to where it was.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!keepsOpen) onClose();
      }}
    >
      <h2 id={heading}>
        <Visible text={title} />
      </h2>
      {children}
    </dialog>
  );
}
