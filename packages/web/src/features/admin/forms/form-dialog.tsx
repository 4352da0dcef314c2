import type { ReactNode } from "react";
import type { DefaultValues, FieldValues } from "react-hook-form";
import type { ZodType } from "zod";
import { Dialog } from "#/components/ui/dialog.tsx";
import { Form, type FormField } from "#/components/ui/form.tsx";

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

/** A form over the page. It closes when it was sent, and stays with what was entered when that failed. */
export function FormDialog<V extends FieldValues>(props: FormDialogProps<V>) {
  const { open, title, description, close, submit, ...form } = props;
  return (
    <Dialog open={open} onClose={close} title={title} description={description} dismissible={false}>
      {open ? (
        <div className="mt-4">
          <Form
            {...form}
            cancel={close}
            submit={async (values) => {
              await submit(values);
              close();
            }}
          />
        </div>
      ) : null}
    </Dialog>
  );
}
