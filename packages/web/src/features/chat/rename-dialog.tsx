import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Dialog } from "#/components/ui/dialog.tsx";
import { Form } from "#/components/ui/form.tsx";
import type { Conversation } from "./types.ts";

const TITLE = z.object({
  title: z
    .string()
    .refine((value) => value.trim().length >= 1 && value.trim().length <= 120, { error: t`Title is not valid.` }),
});

type Props = { conversation: Conversation | null; close(): void; rename(title: string): Promise<void> };

/** Asks for a new title of a conversation. */
export function RenameDialog({ conversation, close, rename }: Props) {
  return (
    <Dialog open={conversation !== null} onClose={close} title={t`Rename the chat`}>
      {conversation ? (
        <Form
          schema={TITLE}
          initial={{ title: conversation.title }}
          fields={[{ name: "title", label: t`Title`, autoFocus: true }]}
          submitLabel={t`Rename`}
          cancel={close}
          submit={({ title }) => rename(title.trim())}
        />
      ) : null}
    </Dialog>
  );
}
