import { type ReactNode, useState } from "react";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";

type Props = {
  open: boolean;
  close(): void;
  title: string;
  children(onDirtyChange: (isDirty: boolean) => void, now: Date): ReactNode;
};

/** A dialog with a form. Once something was changed, Escape and clicks outside no longer close it. */
export function KeyFormDialog({ open, close, title, children }: Props) {
  const [isDirty, setDirty] = useState(false);
  return (
    <Dialog open={open} onClose={close} title={title} dismissible={!isDirty}>
      {open ? <FormWithTime render={(now) => children(setDirty, now)} /> : null}
    </Dialog>
  );
}

/** Keeps the time at which a form was opened. */
function FormWithTime({ render }: { render(now: Date): ReactNode }) {
  const [now] = useState(() => new Date());
  return render(now);
}
