import { t } from "@lingui/core/macro";
import { type ReactNode, useState } from "react";
import type { DefaultValues, FieldValues } from "react-hook-form";
import type { ZodType } from "zod";
import { Dialog } from "#/components/ui/dialog.tsx";
import { Form, type FormField } from "#/components/ui/form.tsx";

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
  about?: (values: V) => ReactNode;
  submit(values: V): Promise<void>;
};

/**
 * A form in a dialog. It closes after a successful submit, and stays open with its values after an error. It asks
 * before discarding changed values.
 */
export function FormDialog<V extends FieldValues>(props: FormDialogProps<V>) {
  const { open, title, description, close, submit, ...form } = props;
  const [entered, setEntered] = useState(false);
  const [asking, setAsking] = useState(false);

  function end(): void {
    setEntered(false);
    setAsking(false);
    close();
  }
  const leave = () => (entered ? setAsking(true) : end());

  return (
    <Dialog open={open} onClose={leave} title={title} description={description}>
      {open ? (
        <div className="mt-4" onChange={() => setEntered(true)}>
          <Form
            {...form}
            cancel={leave}
            submit={async (values) => {
              await submit(values);
              end();
            }}
          />
        </div>
      ) : null}
      <Dialog
        open={open && asking}
        onClose={() => setAsking(false)}
        role="alertdialog"
        title={t`Throw away what you entered?`}
        description={t`Nothing of it has been saved.`}
      >
        <div className="actions">
          <button type="button" className="btn" onClick={() => setAsking(false)}>
            {t`Go on with the form`}
          </button>
          <button type="button" className="btn primary danger" onClick={end}>
            {t`Throw it away`}
          </button>
        </div>
      </Dialog>
    </Dialog>
  );
}
