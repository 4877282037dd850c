/** Dialogs: modal, closed by Escape, with the focus inside. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

export interface DialogProps {
  title: string;
  onClose: () => void;
  /** At the side, over the whole height. */
  isDrawer?: boolean;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, isDrawer = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      class={isDrawer ? "drawer" : "dialog"}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={(event) => event.target === element.current && element.current?.close()}
    >
      <div class="dialog-content">
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" class="plain" aria-label="Close" onClick={() => element.current?.close()}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
