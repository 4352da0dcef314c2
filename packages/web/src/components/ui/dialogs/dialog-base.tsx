import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, type RefObject, useRef } from "react";
import styles from "./dialog-base.module.css";

/** Props of `Dialog` and `DialogBase`. */
export type DialogProps = {
  open: boolean;
  onClose(): void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  dismissible?: boolean;
  /** `alertdialog` for a question that needs an answer. */
  role?: "dialog" | "alertdialog";
};

/** A modal dialog. With `dismissible={false}` only its buttons close it, not Escape or a click outside. */
export function DialogBase({
  open,
  onClose,
  title,
  description,
  children,
  dismissible = true,
  role = "dialog",
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const finalFocus = useFocusRestore(open, popup);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => !next && dismissible && onClose()}
      disablePointerDismissal={!dismissible}
    >
      <Base.Portal>
        <Base.Backdrop className="dialog-back" />
        <Base.Popup className={styles.dialog} role={role} ref={popup} finalFocus={finalFocus}>
          <Base.Title className="h3">{title}</Base.Title>
          {description ? <Base.Description className="muted mt-2">{description}</Base.Description> : null}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * Remembers the element that had the focus before a dialog opened. The returned function returns the element that gets
 * the focus when the dialog closes; false leaves the focus where it is.
 */
function useFocusRestore(open: boolean, popup: RefObject<HTMLElement | null>): () => HTMLElement | boolean {
  const previousFocus = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) previousFocus.current = document.activeElement;
  wasOpen.current = open;
  return () => {
    // Another dialog is open and has the focus: leave it there.
    if ([...document.querySelectorAll(`.${styles.dialog}[data-open]`)].some((one) => one !== popup.current))
      return false;
    const { current } = previousFocus;
    return current instanceof HTMLElement && current.isConnected && current !== document.body ? current : true;
  };
}
