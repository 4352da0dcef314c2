import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { useConsumeParameter } from "../parameters/use-consume-parameter.ts";

/** Shows the text of the `error` query parameter in a dialog, on any page. */
export function ErrorAlert() {
  const [message, setMessage] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  useConsumeParameter("error", (value) => {
    setMessage(value.trim() === "" ? t`Something went wrong, and nothing says what.` : value);
    setOpen(true);
  });
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={t`Error`}
      description={<span className="user-text">{message}</span>}
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
