import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Dialog } from "#/components/ui/dialog.tsx";
import { useParameter } from "./use-parameter.ts";

/** Tells what the `error` parameter of any page says: whoever sent the visitor here could not say it elsewhere. */
export function ErrorAlert() {
  const [message, setMessage] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  useParameter("error", (value) => {
    setMessage(value.trim() === "" ? t`Something went wrong, and nothing says what.` : value);
    setOpen(true);
  });
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={t`Error`}
      description={<span className="stranger">{message}</span>}
      role="alertdialog"
    >
      <div className="actions">
        <button type="button" className="btn primary" onClick={() => setOpen(false)}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  );
}
