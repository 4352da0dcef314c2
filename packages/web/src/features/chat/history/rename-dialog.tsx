import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import type { Conversation } from "../conversation/types.ts";

const titleSchema = z.object({
  title: z
    .string()
    .refine((value) => value.trim().length >= 1 && value.trim().length <= 120, { error: t`Title is not valid.` }),
});

type Props = { conversation: Conversation | null; onClose(): void; rename(title: string): Promise<void> };

/** Asks for a new title of a conversation. */
export function RenameDialog({ conversation, onClose, rename }: Props) {
  return (
    <Dialog open={conversation !== null} onClose={onClose} title={t`Rename the chat`}>
      {conversation ? (
        <Form
          schema={titleSchema}
          initial={{ title: conversation.title }}
          fields={[{ name: "title", label: t`Title`, autoFocus: true }]}
          submitLabel={t`Rename`}
          cancel={onClose}
          submit={({ title }) => rename(title.trim())}
        />
      ) : null}
    </Dialog>
  );
}
