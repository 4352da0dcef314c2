import { t } from "@lingui/core/macro";
import { type ReactNode, useState } from "react";
import type { DefaultValues, FieldValues } from "react-hook-form";
import type { ZodType } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form, type FormField } from "#/components/ui/forms/form.tsx";

/** Props of `FormDialog`; `about` renders below the fields, from their current values. */
export type FormDialogProps<V extends FieldValues> = {
  open: boolean;
  title: string;
  description?: ReactNode;
  close(): void;
  schema: ZodType<V, V>;
  initial: DefaultValues<V>;
  fields: readonly FormField<V>[];
  submitLabel: string;
  destructive?: boolean;
  renderSummary?: (values: V) => ReactNode;
  submit(values: V): Promise<unknown>;
};

/**
 * A form in a dialog. It closes after a successful submit, and stays open with its values after an error. It asks
 * before discarding changed values.
 */
export function FormDialog<V extends FieldValues>(props: FormDialogProps<V>) {
  const { open, title, description, close, submit, ...form } = props;
  const [isDirty, setDirty] = useState(false);
  const [isConfirmingClose, setConfirmingClose] = useState(false);

  function closeForm(): void {
    setDirty(false);
    setConfirmingClose(false);
    close();
  }
  const requestClose = () => (isDirty ? setConfirmingClose(true) : closeForm());

  return (
    <Dialog open={open} onClose={requestClose} title={title} description={description}>
      {open ? (
        <div className="mt-4" onChange={() => setDirty(true)}>
          <Form
            {...form}
            cancel={requestClose}
            submit={async (values) => {
              await submit(values);
              closeForm();
            }}
          />
        </div>
      ) : null}
      <Dialog
        open={open && isConfirmingClose}
        onClose={() => setConfirmingClose(false)}
        role="alertdialog"
        title={t`Throw away what you entered?`}
        description={t`Nothing of it has been saved.`}
      >
        <div className="actions">
          <button type="button" className="btn" onClick={() => setConfirmingClose(false)}>
            {t`Go on with the form`}
          </button>
          <button type="button" className="btn primary danger" onClick={closeForm}>
            {t`Throw it away`}
          </button>
        </div>
      </Dialog>
    </Dialog>
  );
}
