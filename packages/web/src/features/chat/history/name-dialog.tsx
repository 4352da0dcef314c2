import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import type { Naming } from "./naming.ts";

const MAX_TITLE_LENGTH = 120;
const MAX_FOLDER_LENGTH = 60;

const toSchema = (maxLength: number, error: string) =>
  z.object({
    name: z.string().refine((value) => value.trim().length >= 1 && value.trim().length <= maxLength, { error }),
  });
const TITLE_SCHEMA = toSchema(MAX_TITLE_LENGTH, t`Title is not valid.`);
const FOLDER_SCHEMA = toSchema(MAX_FOLDER_LENGTH, t`Name is not valid.`);

type Props = { naming: Naming | null; onClose(): void; submit(name: string): Promise<void> };

/** Asks for the name of a conversation or a folder. */
export function NameDialog({ naming, onClose, submit }: Props) {
  return (
    <Dialog open={naming !== null} onClose={onClose} title={naming ? titleOf(naming) : ""}>
      {naming ? (
        <Form
          schema={naming.kind === "chat" ? TITLE_SCHEMA : FOLDER_SCHEMA}
          initial={{ name: currentName(naming) }}
          fields={[{ name: "name", label: naming.kind === "chat" ? t`Title` : t`Name`, autoFocus: true }]}
          submitLabel={naming.kind === "new-folder" ? t`Move` : t`Rename`}
          cancel={onClose}
          submit={({ name }) => submit(name.trim())}
        />
      ) : null}
    </Dialog>
  );
}

function titleOf({ kind }: Naming): string {
  if (kind === "chat") return t`Rename the chat`;
  return kind === "folder" ? t`Rename the folder` : t`Move to a new folder`;
}

function currentName(naming: Naming): string {
  if (naming.kind === "chat") return naming.conversation.title;
  return naming.kind === "folder" ? naming.folder : "";
}
